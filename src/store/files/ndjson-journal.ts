import type { Cancel } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
import { nextTurn } from '../../kit/turns.js'
import type { Entry, NewEntry, Revive } from '../entry.js'
import type { Gap } from '../gap.js'
import type { Journal, JournalQuery } from '../journal.js'
import type { View } from '../view.js'
import { Maintenance, type MaintenanceParts } from './retention/maintenance.js'
import type { RetentionClock } from './retention/retention-clock.js'
import { segmentAge } from './retention/retention-policy.js'
import { encodeLine, lineContent, markOf } from './segments/journal-line.js'
import { OpenSegment } from './segments/open-segment.js'
import type { SealedSegment } from './segments/sealed-segment.js'
import type { Segment } from './segments/segment.js'
import { readLines, sharedEntries } from './segments/segment-entries.js'
import { searchSegments } from './segments/segments-search.js'

export interface JournalParts extends MaintenanceParts {
  readonly segmentBytes: number
}

/** Characters of a line with which the event loop is given back before it is encoded. */
const LONG_LINE_LENGTH = 256 * 1024

/** The shortest time between two checks of the retention age. */
const MIN_WAIT_MS = 1000

/** Entries that one call appends: on disk together or not at all. */
interface Group {
  readonly entries: readonly Entry[]
  readonly contents: readonly string[]
  readonly resolve: (entries: readonly Entry[]) => void
  readonly reject: (error: Error) => void
}

/**
 * The journal as NDJSON segments. Appends are committed in groups without a timer: while one write and sync
 * are under way, what is appended queues, and the whole queue is the next batch.
 */
export class NdjsonJournal implements Journal {
  readonly appended = new Signal<Entry>()
  readonly #maintenance: Maintenance
  #queue: Group[] = []
  #running: Promise<void> | undefined
  #newest: OpenSegment
  #next: number
  #shown: { readonly seq: number; readonly mark: string }
  #closed = false
  #cancel: Cancel = () => {}

  /** `sealed`: oldest first. */
  constructor(
    readonly parts: JournalParts,
    readonly sealed: SealedSegment[],
    newest: OpenSegment,
  ) {
    this.#newest = newest
    this.#maintenance = new Maintenance(parts, this)
    this.#next = this.last + 1
    const before = newest.begun === undefined ? sealed.at(-1) : undefined
    this.#shown = before
      ? { seq: before.last, mark: before.sealed.mark }
      : { seq: newest.last, mark: newest.mark }
  }

  /** The time by which history gets old. */
  get time(): RetentionClock {
    return this.#maintenance.time
  }

  /** The segment that is written to. */
  get newest(): OpenSegment {
    return this.#newest
  }

  /** The last entry that listeners and views have received, and the CRC of its line. */
  get shown(): { readonly seq: number; readonly mark: string } {
    return this.#shown
  }

  get first(): number {
    return (this.sealed[0] ?? this.#newest).first
  }

  get last(): number {
    return this.#newest.last
  }

  /** What was given up. */
  get gaps(): readonly Gap[] {
    return this.parts.pinned.gaps
  }

  get failure(): Error | undefined {
    return this.parts.failStop.failure
  }

  async append(entry: NewEntry): Promise<Entry> {
    const [appended] = await this.appendAll(() => [entry])
    return appended as Entry
  }

  async appendAll(make: (first: number) => readonly NewEntry[]): Promise<readonly Entry[]> {
    this.parts.failStop.check()
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
    const segment = this.#segmentOf(seq)
    const { world } = this.parts
    if (!segment) return this.#pinned(seq)
    const [entry] = await sharedEntries(world, segment, await segment.index(), [seq - segment.first])
    return entry ?? this.#pinned(seq)
  }

  query(query: JournalQuery): Promise<readonly Entry[]> {
    // What is appended while this reads is not looked for: it could be of subjects that are not known yet.
    const before = Math.min(query.before ?? Number.POSITIVE_INFINITY, this.last + 1)
    return searchSegments(this.parts.world, [...this.sealed, this.#newest], { ...query, before })
  }

  async attach(views: readonly View[], revive?: Revive): Promise<void> {
    const { world, pinned } = this.parts
    if (revive) world.entries.revive = revive
    await this.parts.views.attach(views, {
      first: this.first,
      last: this.last,
      gaps: this.gaps,
      pinned: async () => (await pinned.read(pinned.seqs())).map((entry) => world.entries.revive(entry)),
      markAt: (seq) => this.#markAt(seq),
      query: (query) => this.query(query),
    })
    this.appended.on((entry) => this.parts.views.apply(entry))
    this.#waitToTend()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await this.#running
    await this.#maintenance.end()
    await this.#newest.close()
    await this.parts.world.files.close()
  }

  async #pinned(seq: number): Promise<Entry | undefined> {
    const entry = await this.parts.pinned.get(seq)
    return entry && this.parts.world.entries.revive(entry)
  }

  /** Schedules maintenance: without appends no segment is sealed, but entries still exceed the retention age. */
  #waitToTend(): void {
    const { clock, retention } = this.parts
    this.#cancel = clock.at(clock.now() + Math.max(MIN_WAIT_MS, segmentAge(retention)), () => {
      if (!this.failure) this.#running ??= this.#run(() => this.#tend())
      this.#waitToTend()
    })
  }

  async #tend(): Promise<void> {
    if (this.#isFull()) await this.#rotate()
    else this.#maintenance.begin()
  }

  async #run(before: () => Promise<void> = async () => {}): Promise<void> {
    // A turn later, so that what one turn of the event loop appends is one batch.
    await before().catch((error: unknown) => this.#fail([], error))
    while (this.#queue.length > 0) {
      const groups = this.#queue
      this.#queue = []
      try {
        await this.#commit(
          groups.flatMap(({ entries }) => entries),
          groups.flatMap(({ contents }) => contents),
        )
        this.parts.failStop.check()
        for (const { entries } of groups) for (const entry of entries) this.appended.emit(entry)
        this.#shown = { seq: this.last, mark: this.#newest.mark }
        this.parts.checkpoint?.noteJournal(this.#shown)
      } catch (error) {
        // Also when a view failed to apply the entries: its state would be wrong from now on.
        this.#fail(groups, error)
        break
      }
      for (const { entries, resolve } of groups) resolve(entries)
    }
    this.#running = undefined
  }

  async #commit(entries: readonly Entry[], contents: readonly string[]): Promise<void> {
    if (this.#isFull()) await this.#rotate()
    const batch = entries[0] as Entry
    const end = entries.at(-1) as Entry
    const lines: Buffer[] = []
    for (const [at, { seq }] of entries.entries()) {
      const content = contents[at] as string
      if (content.length > LONG_LINE_LENGTH) await nextTurn()
      lines.push(encodeLine(seq, batch.seq, end.seq, content))
    }
    await this.#newest.append(entries, lines)
  }

  #isFull(): boolean {
    const { segmentBytes, retention, clock, world } = this.parts
    const { size, begun, version } = this.#newest
    if (begun === undefined) return false
    // Also one that was begun in the future, by a clock that was wrong.
    const isOld = Math.abs(clock.date().getTime() - begun) > segmentAge(retention)
    return size >= segmentBytes || isOld || version <= world.upgrades.length
  }

  async #rotate(): Promise<void> {
    const next = await OpenSegment.create(this.parts.world, this.last + 1)
    try {
      this.sealed.push(await this.#newest.seal())
    } catch (error) {
      await next.close()
      throw error
    }
    this.#newest = next
    this.#maintenance.begin()
  }

  async #markAt(seq: number): Promise<string | undefined> {
    const segment = this.#segmentOf(seq)
    if (!segment) return undefined
    const [line] = await readLines(this.parts.world, segment, await segment.index(), [seq - segment.first])
    return line && markOf(line)
  }

  #segmentOf(seq: number): Segment | undefined {
    return [...this.sealed, this.#newest].find(({ first, last }) => seq >= first && seq <= last)
  }

  #fail(groups: readonly Group[], cause: unknown): void {
    const failure = this.parts.failStop.stop(cause)
    for (const { reject } of [...groups, ...this.#queue]) reject(failure)
    this.#queue = []
  }
}
