import { join } from 'node:path'
import { viewsFolder } from './attached-views.js'
import { CARRIED_NAME } from './carried.js'
import { journalFolder } from './data-folder.js'
import { draftOf } from './durable-file.js'
import type { FileSystem } from './file-system.js'
import { isSegmentName } from './segment.js'

/** How often copying begins again with the newest segment, since retention took something meanwhile. */
const MOST_ROUNDS = 10

/**
 * Copies what a data folder holds into an empty one. Takes no lock: a daemon may be at work on the folder
 * meanwhile. The copy opens as after a crash at some moment while this ran; resolves once it is on disk. Rejects
 * where a file of the same name is there already.
 */
export async function backUp(fs: FileSystem, from: string, to: string): Promise<void> {
  const copy = async (folder: string, into: string, names: readonly string[]): Promise<void> => {
    await fs.makeFolder(into)
    for (const name of names) await copyFile(fs, join(folder, name), join(into, name))
    await fs.syncFolder(into)
  }
  const isDocument = (name: string): boolean => /\.json(\.bak)?$|^[a-z-]+-key$/.test(name) && !draftOf(name)
  await copy(from, to, (await fs.list(from)).filter(isDocument))
  const [journal, into] = [journalFolder(from), journalFolder(to)]
  await fs.makeFolder(into)
  // A snapshot that knows more than the segments would tell of a loss, so these come first.
  const views = viewsFolder(journal)
  const isSnapshot = (name: string): boolean => /\.ndjson(\.bak)?$/.test(name)
  await copy(views, viewsFolder(into), (await fs.list(views).catch(() => [])).filter(isSnapshot))
  await copySegments(fs, journal, into)
  await fs.syncFolder(into)
}

/**
 * What retention carries over is of a moment before the last segment was read: later it may leave out what a
 * clear that is not in the copy took off the list. So it has to be the same before and behind the segments.
 */
async function copySegments(fs: FileSystem, journal: string, into: string): Promise<void> {
  const carriedNow = (): Promise<Buffer | undefined> => fs.read(join(journal, CARRIED_NAME))
  let newest = ''
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const carried = await carriedNow()
    const names = (await fs.list(journal)).filter((name) => isSegmentName(name) && name >= newest)
    // It may have grown since, or be gone, and then all before it are.
    if (newest !== '') await fs.remove(join(into, newest))
    newest = ''
    for (const name of names) {
      if (await copyFile(fs, join(journal, name), join(into, name))) newest = name
    }
    if (!isSame(carried, await carriedNow())) continue
    if (carried) await put(fs, join(into, CARRIED_NAME), carried)
    return
  }
  throw new Error(`retention takes what is in ${journal} faster than it can be copied`)
}

const isSame = (one: Buffer | undefined, other: Buffer | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && one.equals(other))

/** Resolves with false for what is gone by now. */
async function copyFile(fs: FileSystem, from: string, to: string): Promise<boolean> {
  const bytes = await fs.read(from)
  if (bytes) await put(fs, to, bytes)
  return bytes !== undefined
}

async function put(fs: FileSystem, path: string, bytes: Buffer): Promise<void> {
  const file = await fs.open(path, 'create')
  try {
    await file.write(bytes, 0)
    await file.sync()
  } finally {
    await file.close()
  }
}
