import { basename, join, relative, sep } from 'node:path'
import { FURTHER_JOURNALS, type FurtherJournal } from '../../store.js'
import { journalFolder } from '../data-folder.js'
import { BACKUP } from '../disk/durable-file.js'
import type { FileSystem } from '../disk/file-system.js'
import { CHECKPOINT_NAME } from '../documents/checkpoint.js'
import { isDocument } from '../repair/verify-folder.js'
import { PINNED_NAME } from '../retention/pinned-entries.js'
import { indexPathOf, isSegmentName } from '../segments/segment.js'
import { readSegmentFile } from '../segments/segment-content.js'
import { viewsFolder } from '../views/attached-views.js'
import { digestOf, encodeManifest, MANIFEST_NAME } from './manifest.js'

/** How often copying begins again with the newest segment, since retention took something meanwhile. */
const MAX_ROUNDS = 10

/**
 * Copies what a data folder holds into an empty one, with the digests of all files. Takes no lock: a daemon may be at
 * work on the folder meanwhile. The copy opens as after a crash at some moment while this ran; resolves once it is
 * on disk. Rejects where a file of the same name is there already.
 */
export async function backUp(fs: FileSystem, from: string, to: string): Promise<void> {
  const copy = new Copy(fs, from, to)
  const names = await fs.list(from)
  const documents = names.filter((name) => isDocument(name.replace(SUFFIX, '')))
  // The checkpoint first: all that it lists has to be in the files that are copied after it.
  await copy.files('', [CHECKPOINT_NAME, ...documents])
  await copyJournal(copy, 'journal')
  for (const name of FURTHER_JOURNALS) if (names.includes(name)) await copyJournal(copy, name)
  await copy.end()
}

async function copyJournal(copy: Copy, name: FurtherJournal | 'journal'): Promise<void> {
  const { fs, from, to } = copy
  const journal = relative(from, journalFolder(from, name))
  const views = relative(from, viewsFolder(journalFolder(from, name)))
  await fs.makeFolder(join(to, journal))
  // A snapshot that knows more than the segments would look like a loss, so these come first.
  const isSnapshot = (name: string): boolean => /\.ndjson(\.bak)?$/.test(name)
  await copy.files(views, (await fs.list(join(from, views)).catch(() => [])).filter(isSnapshot))
  await copySegments(copy, journal)
  await fs.syncFolder(join(to, journal))
}

const SUFFIX = new RegExp(`${BACKUP.replace('.', '\\.')}$`)

/** Files that are copied, and their digests. */
class Copy {
  /** By path, with slashes. */
  readonly #digests = new Map<string, string>()

  constructor(
    readonly fs: FileSystem,
    readonly from: string,
    readonly to: string,
  ) {}

  async files(folder: string, names: readonly string[]): Promise<void> {
    await this.fs.makeFolder(join(this.to, folder))
    for (const name of names) await this.file(join(folder, name))
    await this.fs.syncFolder(join(this.to, folder))
  }

  /** Resolves with false for what is gone by now. */
  async file(path: string): Promise<boolean> {
    const from = join(this.from, path)
    const bytes = await (isSegmentName(basename(path)) ? readSegmentFile(this.fs, from) : this.fs.read(from))
    if (bytes) await this.put(path, bytes)
    return bytes !== undefined
  }

  async put(path: string, bytes: Buffer): Promise<void> {
    await writeNew(this.fs, join(this.to, path), bytes)
    this.#digests.set(path.replaceAll(sep, '/'), digestOf(bytes))
  }

  async remove(path: string): Promise<void> {
    await this.fs.remove(join(this.to, path))
    this.#digests.delete(path.replaceAll(sep, '/'))
  }

  /**
   * The indexes of the segments that were copied, so that a restored folder opens without reading every byte. One that does
   * not fit its segment is made again, so that they are not in the manifest: damage to one is no loss.
   */
  async indexes(journal: string): Promise<void> {
    for (const name of (await this.fs.list(join(this.to, journal))).filter(isSegmentName)) {
      const path = indexPathOf(join(journal, name))
      const bytes = await this.fs.read(join(this.from, path))
      if (bytes) await writeNew(this.fs, join(this.to, path), bytes)
    }
  }

  /** Resolves once the manifest is on disk. */
  async end(): Promise<void> {
    await writeNew(this.fs, join(this.to, MANIFEST_NAME), encodeManifest(this.#digests))
    await this.fs.syncFolder(this.to)
  }
}

/**
 * What retention carries over is of a moment before the last segment was read: later it may leave out what a
 * clear that is not in the copy took off the list. So it has to be the same before and after the segments.
 */
async function copySegments(copy: Copy, journal: string): Promise<void> {
  const { fs, from } = copy
  const pinnedNow = (): Promise<Buffer | undefined> => fs.read(join(from, journal, PINNED_NAME))
  let newest = ''
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const pinned = await pinnedNow()
    const names = (await fs.list(join(from, journal))).filter((name) => isSegmentName(name) && name >= newest)
    // It may have grown since, or be gone, and then all before it are.
    if (newest !== '') await copy.remove(join(journal, newest))
    newest = ''
    for (const name of names) {
      if (await copy.file(join(journal, name))) newest = name
    }
    if (!isSame(pinned, await pinnedNow())) continue
    if (pinned) await copy.put(join(journal, PINNED_NAME), pinned)
    return copy.indexes(journal)
  }
  throw new Error(`retention takes what is in ${join(from, journal)} faster than it can be copied`)
}

const isSame = (one: Buffer | undefined, other: Buffer | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && one.equals(other))

async function writeNew(fs: FileSystem, path: string, bytes: Buffer): Promise<void> {
  const file = await fs.open(path, 'create')
  try {
    await file.write(bytes, 0)
    await file.sync()
  } finally {
    await file.close()
  }
}
