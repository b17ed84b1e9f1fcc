import { join } from 'node:path'
import type { JsonObject } from '../kit/json.js'
import { BACKUP, removeDrafts, replaceFile } from './durable-file.js'
import type { FileSystem } from './file-system.js'
import { decodeDocument, encodeDocument, encodeLines, linesOf } from './sealed-document.js'

/** What a view was when it had seen every entry up to one. */
export interface Snapshot {
  readonly view: string
  /** Version of the lines. */
  readonly version: number
  /** The last entry that it knows. */
  readonly seq: number
  /** The CRC that the line of that entry carries: another entry may have got its number after a loss. */
  readonly mark: string
  /** One line a JSON object. */
  readonly body: Buffer
}

/** The snapshot in place and the one before; undefined where there is none, or none that is whole. */
export interface Generations {
  readonly current: Snapshot | undefined
  readonly previous: Snapshot | undefined
}

const SUFFIX = '.ndjson'
const snapshotPath = (folder: string, view: string): string => join(folder, `${view}${SUFFIX}`)

export const snapshotOf = (head: Omit<Snapshot, 'body'>, lines: Iterable<JsonObject>): Snapshot => ({
  ...head,
  body: encodeLines(lines),
})

export function* snapshotLines({ body }: Snapshot): Generator<JsonObject> {
  for (const line of linesOf(body)) yield line as JsonObject
}

/** Puts it in place; the one before is kept. Resolves once it is on disk. */
export async function writeSnapshot(fs: FileSystem, folder: string, snapshot: Snapshot): Promise<void> {
  const { body, ...head } = snapshot
  await replaceFile(fs, snapshotPath(folder, snapshot.view), encodeDocument({ head, body }))
}

export async function readSnapshots(fs: FileSystem, folder: string, view: string): Promise<Generations> {
  const path = snapshotPath(folder, view)
  await removeDrafts(fs, path)
  return { current: await readOne(fs, path, view), previous: await readOne(fs, `${path}${BACKUP}`, view) }
}

async function readOne(fs: FileSystem, path: string, view: string): Promise<Snapshot | undefined> {
  const bytes = await fs.read(path)
  const document = bytes && decodeDocument(bytes)
  if (!document || document.head['view'] !== view) return undefined
  const { version, seq, mark } = document.head
  return { view, version: Number(version), seq: Number(seq), mark: String(mark), body: document.body }
}
