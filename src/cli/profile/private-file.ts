import { chmod, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../errors/failure.js'

/** A folder that only its owner may enter. */
export async function makePrivateFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) await chmod(folder, 0o700)
}

/** Puts a file in place whole, readable for its owner alone. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await makePrivateFolder(dirname(file))
  // A link, as people have who keep their settings elsewhere, stays one.
  const path = await realpath(file).catch(() => file)
  // Loaded here: every command reads such files, and few write one.
  const { randomBytes } = await import('node:crypto')
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** The JSON object that a file holds; undefined when there is no file. A broken file is named, not replaced. */
export async function readJsonFile(path: string): Promise<Record<string, unknown> | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Failure('unexpected', `cannot read ${path}: ${(error as Error).message}`)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // the error is thrown below
  }
  throw new Failure(
    'unexpected',
    `${path} is damaged: it does not hold a JSON object`,
    `mend or remove ${path}`,
  )
}
