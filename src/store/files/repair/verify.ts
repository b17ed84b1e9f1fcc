import { basename, join } from 'node:path'
import { newerFault, StoreDamaged } from '../../failure.js'
import { entriesAre, type Gap, knowsLost, nextNumber } from '../../gap.js'
import type { FileSystem } from '../disk/file-system.js'
import type { JournalState } from '../documents/checkpoint.js'
import { decodeDocument } from '../documents/sealed-document.js'
import { decodeIndex, encodeIndex } from '../index/index-file.js'
import { Subjects } from '../index/subjects.js'
import { goneFault, pinnedPath } from '../retention/pinned-entries.js'
import { markOf, NEWLINE } from '../segments/journal-line.js'
import { firstOf, indexPathOf, isSegmentName } from '../segments/segment.js'
import { readSegment, readSegmentFile, type SegmentContent } from '../segments/segment-content.js'
import { viewsFolder } from '../views/attached-views.js'
import { highestSeen, latest, snapshotFiles } from '../views/snapshot.js'
import { type Broken, stretchesOf } from './damaged-ranges.js'

/**
 * `damaged`: bytes are not what was written, or cannot be read; `missing`: entries are not there. Both are a loss.
 * `torn`: a write that is under way, or that a crash cut short; nothing in it was acknowledged.
 * `index`, `snapshot`: not right, and made again from the journal. `previous`: the generation before a document is
 * not right, and the document is. `given_up`: lost once, and a person said so. `newer`: a newer secsctl wrote it.
 * `permissions`: another user owns it or has access, so that a start refuses it.
 */
export type FaultKind =
  | 'damaged'
  | 'missing'
  | 'torn'
  | 'index'
  | 'snapshot'
  | 'previous'
  | 'given_up'
  | 'newer'
  | 'permissions'

export interface Fault {
  readonly kind: FaultKind
  readonly file: string
  /** Where in the file, in bytes; null where it is about the whole file. */
  readonly offset: number | null
  readonly detail: string
}

/** One file that was verified, and its faults. */
export interface Verified {
  readonly file: string
  readonly bytes: number
  /** Whole entries, and the numbers of the first and the last; null for a file that has none. */
  readonly entries: number
  readonly first: number | null
  readonly last: number | null
  readonly faults: readonly Fault[]
}

/** A file without entries. */
export const looked = (file: string, bytes: number, faults: readonly Fault[]): Verified => ({
  file,
  bytes,
  entries: 0,
  first: null,
  last: null,
  faults,
})

export const isLoss = ({ kind }: Fault): boolean => kind === 'damaged' || kind === 'missing'

/**
 * Reads every byte of a journal: CRCs, batch marks, numbers without a gap, and that indexes agree. Changes
 * nothing and takes no lock: a daemon may be at work on the folder meanwhile. `known`: what a checkpoint says that
 * was read before. `newest`: the newest version of entries that can be read.
 */
export async function* verifyJournal(
  fs: FileSystem,
  folder: string,
  known?: JournalState,
  newest = 1,
): AsyncGenerator<Verified> {
  // Before the segments: what a snapshot knows is in them then, also while a daemon is at work.
  const seen = latest(await highestSeen(fs, viewsFolder(folder)), folder, known)
  const names = (await fs.list(folder)).filter(isSegmentName)
  // After them: this file has what retention deleted.
  const pinned = await verifyDocument(fs, pinnedPath(folder), 'damaged')
  if (pinned) {
    const { verified, gaps } = pinned
    yield {
      ...verified,
      faults: [
        ...verified.faults,
        ...gaps.filter(({ restored }) => !restored).map((gap) => givenUp(verified.file, gap)),
      ],
    }
  }
  for (const file of await snapshotFiles(fs, viewsFolder(folder))) {
    const snapshot = await verifyDocument(fs, file, 'snapshot')
    if (snapshot) yield snapshot.verified
  }
  const gaps = pinned?.gaps ?? []
  const floor = pinned?.floor ?? 1
  let due = floor
  for (const [at, name] of names.entries()) {
    const path = join(folder, name)
    const first = firstOf(name)
    const bytes = await readSegmentFile(fs, path).catch((error: unknown) => unreadFault(path, error))
    if (bytes && 'kind' in bytes) yield looked(path, 0, [bytes])
    // Retention takes the oldest, also while this reads.
    if (!bytes || 'kind' in bytes) {
      due = Math.max(due, firstOf(names[at + 1] ?? name))
      continue
    }
    if (first > due) due = nextNumber(gaps, due - 1)
    const following = names[at + 1]
    const subjects = new Subjects()
    const content = readSegment(path, bytes, subjects)
    const after = following === undefined ? undefined : firstOf(following)
    const { verified, lastKnown } = await verifySegment(fs, path, bytes, { content, subjects, after })
    const gone = first > due ? [missing(path, due, first - 1)] : []
    const newer = newerFaults(path, content.sealed.version, newest)
    const other = known && !knowsLost(gaps, known.seq) ? otherEntry(path, bytes, content, known) : []
    yield { ...verified, faults: [...gone, ...verified.faults, ...other, ...newer] }
    // An interrupted retention run may have left segments before the floor.
    due = Math.max(floor, lastKnown + 1)
  }
  due = nextNumber(gaps, due - 1)
  if (seen.seq < due) return
  const detail = `${entriesAre(due, seen.seq)} not there, and ${basename(seen.file)} refers to it`
  const fault = { kind: 'missing', file: folder, offset: null, detail } as const
  yield looked(folder, 0, [fault])
}

function newerFaults(file: string, version: number, newest: number): Fault[] {
  const detail = newerFault(version, newest)
  return detail === undefined ? [] : [{ kind: 'newer', file, offset: null, detail }]
}

/** The entry that a checkpoint knows has to be the one that is there under its number. */
function otherEntry(
  file: string,
  bytes: Buffer,
  { index, sealed }: SegmentContent,
  { seq, mark }: JournalState,
): Fault[] {
  const offset = index.offsets[seq - sealed.first]
  if (offset === undefined) return []
  const end = bytes.indexOf(NEWLINE, offset)
  if (markOf(bytes.subarray(offset, end)) === mark) return []
  return [
    { kind: 'damaged', file, offset, detail: `entry ${seq} is not the one that the checkpoint refers to` },
  ]
}

async function verifyDocument(
  fs: FileSystem,
  file: string,
  kind: FaultKind,
): Promise<
  { readonly verified: Verified; readonly floor: number; readonly gaps: readonly Gap[] } | undefined
> {
  const bytes = await fs.read(file)
  const gone = bytes || kind === 'snapshot' ? undefined : await goneFault(fs, file)
  if (!bytes && gone === undefined) return undefined
  const document = bytes && decodeDocument(bytes)
  const fault = {
    kind: bytes ? kind : 'missing',
    file,
    offset: null,
    detail: gone ?? 'it is not what was written',
  } as const
  const faults = document ? [] : [fault]
  const floor = Number(document?.head['floor'] ?? 1)
  const gaps = (document?.head['gaps'] ?? []) as unknown as readonly Gap[]
  return { verified: looked(file, bytes?.length ?? 0, faults), floor, gaps }
}

/**
 * `after`: the number that the next segment begins with; undefined for the newest. `lastKnown`: the last number
 * that is there, or that a fault names.
 */
async function verifySegment(
  fs: FileSystem,
  file: string,
  bytes: Buffer,
  {
    content,
    subjects,
    after,
  }: {
    readonly content: SegmentContent
    readonly subjects: Subjects
    readonly after: number | undefined
  },
): Promise<{ readonly verified: Verified; readonly lastKnown: number }> {
  const { scan, sealed } = content
  const first = sealed.first
  const whole = { file, bytes: bytes.length, entries: scan.entries, first, last: first + scan.entries - 1 }
  if (after === undefined && !scan.damaged) {
    const detail = `${bytes.length - scan.end} bytes of a write that is under way, or that a crash cut short`
    const isTorn = scan.end < bytes.length || scan.version === undefined
    const faults = isTorn ? [{ kind: 'torn', file, offset: scan.end, detail } as const] : []
    return { verified: { ...whole, faults }, lastKnown: whole.last }
  }
  if (scan.end === bytes.length && scan.entries > 0) {
    const faults = await indexFaults(fs, file, content, subjects)
    return { verified: { ...whole, faults }, lastKnown: whole.last }
  }
  const end = after && after - 1
  const { broken, runs } = stretchesOf(bytes, scan.end, first + scan.entries, end)
  const entries = runs.reduce((sum, run) => sum + run.last - run.first + 1, scan.entries)
  const last = runs.at(-1)?.last ?? whole.last
  const faults = broken.map((one) => damaged(file, one))
  const lastKnown = Math.max(last, broken.at(-1)?.last ?? 0)
  return { verified: { ...whole, entries, last, faults }, lastKnown }
}

/** The index of a sealed segment has to be the one that would be made of it now. */
async function indexFaults(
  fs: FileSystem,
  file: string,
  { sealed, index }: SegmentContent,
  subjects: Subjects,
): Promise<Fault[]> {
  const path = indexPathOf(file)
  const bytes = await fs.read(path)
  if (bytes && decodeIndex(bytes, new Subjects()) && bytes.equals(encodeIndex(index, sealed, subjects)))
    return []
  const what = bytes ? 'it does not agree with its segment' : 'it is not there'
  return [{ kind: 'index', file: path, offset: null, detail: `${what}; the next start makes it again` }]
}

/** Throws what is no damage. */
function unreadFault(file: string, error: unknown): Fault {
  if (!(error instanceof StoreDamaged)) throw error
  return { kind: 'damaged', file, offset: null, detail: error.why }
}

const damaged = (file: string, { offset, end, first, last }: Broken): Fault => ({
  kind: 'damaged',
  file,
  offset,
  detail: `bytes ${offset} to ${end - 1} are not what was written${lostBy(first, last)}`,
})

function lostBy(first: number, last: number | undefined): string {
  if (last === undefined) return `: entries from ${first} on are lost`
  if (last < first) return ''
  return `: ${entriesAre(first, last)} lost`
}

const missing = (file: string, first: number, last: number): Fault => ({
  kind: 'missing',
  file,
  offset: null,
  detail: `${entriesAre(first, last)} not there, which should come before ${basename(file)}`,
})

const givenUp = (file: string, { first, last }: Gap): Fault => ({
  kind: 'given_up',
  file,
  offset: null,
  detail: `${entriesAre(first, last)} lost and given up (--accept-loss)`,
})
