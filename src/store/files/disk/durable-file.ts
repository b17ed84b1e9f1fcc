import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { FileSystem, OpenFile } from './file-system.js'

/** The generation before is kept under this name. */
export const BACKUP = '.bak'
const DRAFT = /^(.+)\.[0-9a-f]{12}\.tmp$/
/** What a person allowed to be given up is kept as it was, under this name beside its place. */
const LOST = '.lost'
/** Bytes that are copied at once. */
const COPY_BYTES = 1024 * 1024

type Fill = (file: OpenFile) => Promise<void>

/** The same as `replaceFileBy`, for bytes in memory. */
export const replaceFile = (fs: FileSystem, path: string, bytes: Buffer): Promise<void> =>
  replaceFileBy(fs, path, (file) => file.write(bytes, 0))

/**
 * Puts what `fill` writes in the place of a file so that after any crash the file is the old one or the new one,
 * whole. Resolves once it is on disk. What `fill` throws leaves everything as it was.
 */
export async function replaceFileBy(fs: FileSystem, path: string, fill: Fill): Promise<void> {
  const folder = dirname(path)
  const made = await draft(fs, path, fill)
  if ((await fs.list(folder)).includes(basename(path))) {
    const backup = `${path}${BACKUP}`
    await fs.rename(await draft(fs, backup, (file) => copy(fs, path, file)), backup)
  }
  await fs.rename(made, path)
  await fs.syncFolder(folder)
}

/**
 * The same for a file that is all there is of it: no generation before is kept, and what had the name is gone.
 */
export async function placeFile(fs: FileSystem, path: string, bytes: Buffer): Promise<void> {
  await fs.rename(await draft(fs, path, (file) => file.write(bytes, 0)), path)
  await fs.syncFolder(dirname(path))
}

/** Renames a file that is given up; what was lost before under the same name stays. Resolves with its path then. */
export async function setAside(fs: FileSystem, path: string): Promise<string> {
  const aside = await nameAside(fs, path)
  await fs.rename(path, aside)
  return aside
}

/** A free path beside that of a file that is given up. */
export async function nameAside(fs: FileSystem, path: string): Promise<string> {
  const taken = new Set(await fs.list(dirname(path)))
  let free = `${basename(path)}${LOST}`
  for (let number = 2; taken.has(free); number++) free = `${basename(path)}.${number}${LOST}`
  return join(dirname(path), free)
}

/** The file that a draft of this name was to become; undefined for a name that is none. */
export const draftOf = (name: string): string | undefined => DRAFT.exec(name)?.[1]

/** Removes what a crash left of putting a file, or the generation before it, in place. */
export async function removeDrafts(fs: FileSystem, path: string): Promise<void> {
  const folder = dirname(path)
  for (const name of await fs.list(folder)) {
    const of = draftOf(name)
    if (of === basename(path) || of === `${basename(path)}${BACKUP}`) await fs.remove(join(folder, name))
  }
}

/** A temporary file with a name of its own, so that no other half-written file is mistaken for it. */
async function draft(fs: FileSystem, path: string, fill: Fill): Promise<string> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await fs.open(temporary, 'create')
  try {
    await fill(file)
    await file.sync()
  } catch (error) {
    await file.close().catch(() => undefined)
    // Of a disk that has failed it may stay, until the folder is opened again.
    await fs.remove(temporary).catch(() => undefined)
    throw error
  }
  await file.close()
  return temporary
}

async function copy(fs: FileSystem, path: string, to: OpenFile): Promise<void> {
  const from = await fs.open(path, 'read')
  try {
    for (let at = 0; ; ) {
      const piece = await from.read(at, COPY_BYTES)
      if (piece.length === 0) return
      await to.write(piece, at)
      at += piece.length
    }
  } finally {
    await from.close()
  }
}
