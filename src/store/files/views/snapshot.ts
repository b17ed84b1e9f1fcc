import { basename, dirname, join } from 'node:path'
import type { JsonObject } from '../../../kit/text/json.js'
import { BACKUP, removeDrafts } from '../disk/durable-file.js'
import type { FileSystem } from '../disk/file-system.js'
import { CHECKPOINT_NAME, type JournalState } from '../documents/checkpoint.js'
import { decodeDocument, inPieces, linesOf, readHead, replaceDocument } from '../documents/sealed-document.js'

/** What a view was when it had seen every entry up to one. */
export interface Snapshot {
  readonly view: string
  /** Version of the lines. */
  readonly version: number
  /** The last entry that it knows. */
  readonly seq: number
  /** The CRC that the line of that entry carries: another entry may have got its number after a loss. */
  readonly mark: string
  readonly lines: Iterable<JsonObject>
}

/** The snapshot in place and the one before; undefined where there is none, or none that is whole. */
export interface Generations {
  readonly current: Snapshot | undefined
  readonly previous: Snapshot | undefined
}

const SUFFIX = '.ndjson'
const NAME = /^[a-z0-9-]+\.ndjson(\.bak)?$/
const snapshotPath = (folder: string, view: string): string => join(folder, `${view}${SUFFIX}`)

/** The files in a folder of snapshots, of either generation. */
export const snapshotFiles = async (fs: FileSystem, folder: string): Promise<readonly string[]> =>
  (await fs.list(folder).catch(() => [])).filter((name) => NAME.test(name)).map((name) => join(folder, name))

/** Puts it in place; the one before is kept. Resolves once it is on disk. */
export async function writeSnapshot(fs: FileSystem, folder: string, snapshot: Snapshot): Promise<void> {
  const { lines, ...head } = snapshot
  await replaceDocument(fs, snapshotPath(folder, snapshot.view), head, inPieces(lines))
}

export async function readSnapshots(fs: FileSystem, folder: string, view: string): Promise<Generations> {
  const path = snapshotPath(folder, view)
  await removeDrafts(fs, path)
  const current = await readOne(fs, path, view)
  const previous = await readOne(fs, `${path}${BACKUP}`, view)
  // One that is not whole must not take the place of the one before.
  if (!current && previous && (await fs.list(folder)).includes(basename(path))) await fs.remove(path)
  return { current, previous }
}

async function readOne(fs: FileSystem, path: string, view: string): Promise<Snapshot | undefined> {
  const bytes = await fs.read(path)
  const document = bytes && decodeDocument(bytes)
  if (!document || document.head['view'] !== view) return undefined
  const { version, seq, mark } = document.head
  const { body } = document
  const lines = { [Symbol.iterator]: () => linesOf(body) as Generator<JsonObject> }
  return { view, version: Number(version), seq: Number(seq), mark: String(mark), lines }
}

const ifThere = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
}

/** The highest entry that a snapshot knows: it was on disk before. */
export interface Seen {
  readonly seq: number
  /** The snapshot's file; empty where there is none. */
  readonly file: string
}

/** Whole or not, but for its head: what became of a snapshot's lines says nothing of the entries. */
export async function highestSeen(fs: FileSystem, folder: string): Promise<Seen> {
  let seen: Seen = { seq: 0, file: '' }
  for (const file of await snapshotFiles(fs, folder)) {
    // One that is being replaced may be gone for a moment.
    const head = await readHead(fs, file).catch(ifThere)
    const seq = Number(head?.['seq'])
    if (Number.isSafeInteger(seq) && seq > seen.seq) seen = { seq, file }
  }
  return seen
}

/** The highest entry that is known to have been on disk: by a snapshot, or by the checkpoint. */
export const latest = (seen: Seen, journalFolder: string, known: JournalState | undefined): Seen =>
  known && known.seq > seen.seq
    ? { seq: known.seq, file: join(dirname(journalFolder), CHECKPOINT_NAME) }
    : seen
