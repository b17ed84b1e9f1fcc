import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { FileSystem } from './file-system.js'

/** The generation before is kept under this name. */
export const BACKUP = '.bak'
const DRAFT = /^(.+)\.[0-9a-f]{12}\.tmp$/

/**
 * Puts `bytes` in the place of a file so that after any crash the file is the old one or the new one, whole.
 * Resolves once it is on disk.
 */
export async function replaceFile(fs: FileSystem, path: string, bytes: Buffer): Promise<void> {
  const folder = dirname(path)
  const before = await fs.read(path)
  if (before) await putInPlace(fs, `${path}${BACKUP}`, before)
  await putInPlace(fs, path, bytes)
  await fs.syncFolder(folder)
}

/** Removes what a crash left of putting a file, or the generation before it, in place. */
export async function removeDrafts(fs: FileSystem, path: string): Promise<void> {
  const folder = dirname(path)
  for (const name of await fs.list(folder)) {
    const [, of] = DRAFT.exec(name) ?? []
    if (of === basename(path) || of === `${basename(path)}${BACKUP}`) await fs.remove(join(folder, name))
  }
}

/** A temporary file of a name of its own, so that nobody else's half-written one is taken for it. */
async function putInPlace(fs: FileSystem, path: string, bytes: Buffer): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await fs.open(temporary, 'create')
  try {
    await file.write(bytes, 0)
    await file.sync()
  } finally {
    await file.close()
  }
  await fs.rename(temporary, path)
}
