import { join } from 'node:path'
import { Semaphore } from '../../../kit/semaphore.js'
import type { Entry } from '../../entry.js'
import { type Gap, nextNumber } from '../../gap.js'
import { DamagedFiles } from '../damaged-files.js'
import { FilePool } from '../disk/file-pool.js'
import type { FileSystem } from '../disk/file-system.js'
import { EntryCache } from '../entry-cache.js'
import type { EntryIndex } from '../index/entry-index.js'
import { IndexCache } from '../index/index-cache.js'
import { Subjects } from '../index/subjects.js'
import { BatchWriter } from './batch-writer.js'

/** Makes what an entry of one version holds as `data` from that of the version before. All else stays. */
export type Upgrade = (entry: Entry) => Entry['data']

/** Reads of long lines that are under way at the same time. */
const LONG_READS = 2

/** What the segments of one journal share. */
export interface SegmentWorld {
  readonly fs: FileSystem
  readonly folder: string
  readonly subjects: Subjects
  readonly files: FilePool
  readonly indexes: IndexCache
  readonly entries: EntryCache
  readonly batches: BatchWriter
  /** Those who read long lines: each keeps the line and what it is made into, up to 40 MB. */
  readonly longReads: Semaphore
  readonly damaged: DamagedFiles
  /** The first leads from version 1 to 2, and so on. */
  readonly upgrades: readonly Upgrade[]
}

/** What is kept in memory and open; other than usual for tests. */
export interface KeptInMemory {
  /** Bytes of indexes of sealed segments. */
  readonly indexBytes?: number
  /** Bytes of entries that were read. */
  readonly entryBytes?: number
  /** Files that are open for reading. */
  readonly openFiles?: number
}

export const segmentWorld = (
  fs: FileSystem,
  folder: string,
  upgrades: readonly Upgrade[] = [],
  { indexBytes, entryBytes, openFiles }: KeptInMemory = {},
): SegmentWorld => ({
  fs,
  folder,
  files: new FilePool(fs, openFiles),
  subjects: new Subjects(),
  indexes: new IndexCache(indexBytes),
  entries: new EntryCache(entryBytes),
  batches: new BatchWriter(),
  longReads: new Semaphore(LONG_READS),
  damaged: new DamagedFiles(),
  upgrades,
})

/** One file of the journal, whole batches and nothing else as far as `size`. */
export interface Segment {
  readonly path: string
  /** Version of what its entries hold as `data`. */
  readonly version: number
  readonly first: number
  /** The last sequence number in it; one less than the first while it is empty. */
  readonly last: number
  /** Bytes that are on disk. */
  readonly size: number
  /** The earliest and the latest time of its entries, in milliseconds since 1970. */
  readonly earliest: number
  readonly latest: number
  /** The numbers of all subjects that occur in it. */
  readonly present: ReadonlySet<number>
  /** True once retention has taken it: what is asked of it finds nothing. */
  readonly deleted: boolean
  index(): Promise<EntryIndex>
}

const SUFFIX = '.ndjson'
const NAME = /^[0-9]{16}\.ndjson$/
const INDEX_NAME = /^[0-9]{16}\.index$/

/** The file of a segment is named after the sequence number it begins with, so that names sort as segments do. */
export const segmentName = (first: number): string => `${String(first).padStart(16, '0')}${SUFFIX}`
export const isSegmentName = (name: string): boolean => NAME.test(name)
export const isIndexName = (name: string): boolean => INDEX_NAME.test(name)
export const firstOf = (name: string): number => Number.parseInt(name, 10)
export const indexPathOf = (segmentPath: string): string => segmentPath.replace(/\.ndjson$/, '.index')

export const segmentPath = (folder: string, first: number): string => join(folder, segmentName(first))

/** True when no entry is missing between one that is `last` and a segment of this name, but for what was given up. */
export function follows(gaps: readonly Gap[], name: string, last: number): boolean {
  const begin = firstOf(name)
  // An empty segment stays until the one after a further gap is made.
  const before = gaps.filter(({ first }) => first < begin)
  return nextNumber(before, last) === begin
}

/** An entry of an older version as one of today's. */
export function upgraded(entry: Entry, version: number, upgrades: readonly Upgrade[]): Entry {
  let { data } = entry
  for (const upgrade of upgrades.slice(version - 1)) data = upgrade({ ...entry, data })
  return { ...entry, data }
}
