import { readFileSync } from 'node:fs'
import { isJsonObject } from '../../kit/text/json.js'
import { Failure } from '../errors/failure.js'

/** The JSON object that a file holds; undefined when there is no file. A broken file is named, not replaced. */
export async function readJsonFile(path: string): Promise<Record<string, unknown> | undefined> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Failure('unexpected', `cannot read ${path}: ${(error as Error).message}`)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return { ...value }
  } catch {
    // the error is thrown below
  }
  throw new Failure(
    'unexpected',
    `${path} is damaged: it does not hold a JSON object`,
    `mend or remove ${path}`,
  )
}
