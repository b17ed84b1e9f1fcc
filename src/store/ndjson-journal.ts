import { Signal } from '../kit/signal.js'
import { Vocabulary } from './entry-index.js'
import type { FailStop } from './failure.js'
import type { FileSystem } from './file-system.js'
import type { Entry, Journal, JournalQuery, NewEntry } from './journal.js'
import { encodeLine, lineContent } from './journal-line.js'
import { openSegments } from './open-segments.js'
import { Segment } from './segment.js'
import { matches, searchOf } from './segment-search.js'

export interface JournalOptions {
  readonly fs: FileSystem
  readonly failStop: FailStop
  /** A segment that has grown to this many bytes is followed by the next. */
  readonly segmentBytes?: number
  /** A person's word that what is damaged may be cut off; it is put aside, not deleted. */
  readonly acceptLoss?: boolean
}

const SEGMENT_BYTES = 64 * 1024 * 1024
/** Matches that are read at once where a last look decides. */
const LOOKS = 64

/** Entries that one call appends: on disk together or not at all. */
interface Group {
  readonly entries: readonly Entry[]
  readonly contents: readonly string[]
  readonly resolve: (entries: readonly Entry[]) => void
  readonly reject: (error: Error) => void
}

/** Opens the journal of a folder, mends what a crash left, and throws `StoreDamaged` for what no crash explains. */
export async function openJournal(folder: string, options: JournalOptions): Promise<NdjsonJournal> {
  const words = new Vocabulary()
  const { fs, acceptLoss = false } = options
  await fs.makeFolder(folder)
  const segments = await openSegments(fs, folder, words, acceptLoss)
  if (segments.length === 0) segments.push(await Segment.create(fs, folder, 1, words))
  return new NdjsonJournal(folder, segments, words, options)
}

/**
 * The journal as NDJSON segments. Appends are committed in groups without a timer: while one write and sync
 * are under way, what is appended queues, and the whole queue is the next batch.
 */
export class NdjsonJournal implements Journal {
  readonly appended = new Signal<Entry>()
  readonly #fs: FileSystem
  readonly #failStop: FailStop
  readonly #segmentBytes: number
  #queue: Group[] = []
  #running: Promise<void> | undefined
  #next: number
  #closed = false

  constructor(
    readonly folder: string,
    readonly segments: Segment[],
    readonly words: Vocabulary,
    { fs, failStop, segmentBytes = SEGMENT_BYTES }: JournalOptions,
  ) {
    this.#fs = fs
    this.#failStop = failStop
    this.#segmentBytes = segmentBytes
    this.#next = this.last + 1
  }

  get first(): number {
    return this.segments[0]?.first ?? 1
  }

  get last(): number {
    return this.#newest.last
  }

  get failure(): Error | undefined {
    return this.#failStop.failure
  }

  async append(entry: NewEntry): Promise<Entry> {
    const [appended] = await this.appendAll(() => [entry])
    return appended as Entry
  }

  async appendAll(make: (first: number) => readonly NewEntry[]): Promise<readonly Entry[]> {
    this.#failStop.check()
    if (this.#closed) throw new Error('The journal is closed.')
    const first = this.#next
    const made = make(first)
    const contents = made.map(lineContent)
    if (made.length === 0) return []
    const entries = made.map((entry, at) => ({ seq: first + at, ...entry }))
    this.#next += entries.length
    return new Promise((resolve, reject) => {
      this.#queue.push({ entries, contents, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  async get(seq: number): Promise<Entry | undefined> {
    const segment = this.segments.find(({ first, last }) => seq >= first && seq <= last)
    if (!segment) return undefined
    const [entry] = await segment.readAll([seq - segment.first])
    return entry
  }

  async query(query: JournalQuery): Promise<readonly Entry[]> {
    // What is appended while this reads is not looked for: it could be of kinds that are not known yet.
    const before = Math.min(query.before ?? Number.POSITIVE_INFINITY, this.last + 1)
    const search = searchOf({ ...query, before }, this.#newest.index)
    if (!search) return []
    const { limit, bytes: most = Number.POSITIVE_INFINITY } = query
    const found: Entry[] = []
    let held = 0
    // Where a last look decides nobody knows how many it takes: each read is twice the one before.
    let chunk = query.where ? Math.min(limit, LOOKS) : limit
    const segments = search.ascending ? [...this.segments] : [...this.segments].reverse()
    for (const segment of segments) {
      const places: number[] = []
      const look = async (): Promise<void> => {
        const entries = await segment.readAll(places.splice(0))
        found.push(...(query.where ? entries.filter(query.where) : entries))
        chunk = query.where ? Math.min(LOOKS, chunk * 2) : limit - found.length
      }
      for (const place of matches(segment, search)) {
        places.push(place)
        held += segment.sizeOf(place)
        if (places.length >= chunk || held >= most) await look()
        if (held >= most && found.length === 0) held = 0
        if (found.length >= limit || held >= most) return found.slice(0, limit)
      }
      await look()
      if (found.length >= limit) return found.slice(0, limit)
    }
    return found
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running
    for (const segment of this.segments) await segment.close()
  }

  get #newest(): Segment {
    return this.segments.at(-1) as Segment
  }

  async #run(): Promise<void> {
    // A turn later, so that what one turn of the event loop appends is one batch.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      const groups = this.#queue
      this.#queue = []
      try {
        await this.#commit(
          groups.flatMap(({ entries }) => entries),
          groups.flatMap(({ contents }) => contents),
        )
        this.#failStop.check()
        for (const { entries } of groups) for (const entry of entries) this.appended.emit(entry)
      } catch (error) {
        // Also when a view could not take the entries: it would show what is not so from now on.
        this.#fail(groups, error)
        break
      }
      for (const { entries, resolve } of groups) resolve(entries)
    }
    this.#running = undefined
  }

  async #commit(entries: readonly Entry[], contents: readonly string[]): Promise<void> {
    if (this.#newest.size >= this.#segmentBytes) await this.#rotate()
    const batch = entries[0] as Entry
    const end = entries.at(-1) as Entry
    const lines = entries.map(({ seq }, at) => encodeLine(seq, batch.seq, end.seq, contents[at] as string))
    await this.#newest.append(entries, lines)
  }

  async #rotate(): Promise<void> {
    const { last, index } = this.#newest
    const next = await Segment.create(this.#fs, this.folder, last + 1, this.words)
    index.seal()
    this.segments.push(next)
  }

  #fail(groups: readonly Group[], cause: unknown): void {
    const failure = this.#failStop.stop(cause)
    for (const { reject } of [...groups, ...this.#queue]) reject(failure)
    this.#queue = []
  }
}
