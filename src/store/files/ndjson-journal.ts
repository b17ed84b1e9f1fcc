import { AwakeClock } from '../../kit/awake-clock.js'
import type { Cancel } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
import type { JsonObject } from '../../kit/text/json.js'
import { readInstant } from '../../kit/time-text.js'
import { inTurns, turnOver } from '../../kit/turns.js'
import { type Entry, type NewEntry, numbered, type Revive, refuseUnstorable, StoredValue } from '../entry.js'
import { StoreUnavailable } from '../failure.js'
import type { Gap } from '../gap.js'
import {
  type Backlog,
  type Journal,
  type JournalQuery,
  type JournalRead,
  type NumberQuery,
  readTo,
} from '../journal.js'
import type { RetentionClock } from '../retention-clock.js'
import type { FirstHeld } from '../retention-policy.js'
import type { View } from '../view.js'
import { PATIENCE_MS, patienceOf, WaitingCaller } from '../waiting-caller.js'
import { Maintenance, type MaintenanceParts } from './retention/maintenance.js'
import { pinnedPath } from './retention/pinned-entries.js'
import { segmentAge } from './retention/segments-to-delete.js'
import { type LineText, lineContent, markOf, sizeOf } from './segments/journal-line.js'
import { OpenSegment, type PlacedEntry } from './segments/open-segment.js'
import type { SealedSegment } from './segments/sealed-segment.js'
import type { Segment } from './segments/segment.js'
import { readLines, sharedEntries } from './segments/segment-entries.js'
import { firstMatch, searchSegments } from './segments/segments-search.js'

export interface JournalParts extends MaintenanceParts {
  readonly segmentBytes: number
}

/** The shortest time between two checks of the retention age. */
const MIN_WAIT_MS = 1000

/** Milliseconds after which it is looked whether somebody waits for the disk still. */
const LOOK_MS = 500
/** Milliseconds until callers that have waited for too long are looked at again: the disk may have answered in this turn. */
const SECOND_LOOK_MS = 100
/** Milliseconds after which entries that nobody waits for are written, where no other entry takes them along. */
const LATER_MS = 5
/** Calls that wait; further ones are refused. */
const MAX_WAITING = 20_000
/** Bytes whose callers do not wait any longer, so that nothing else bounds them; while there are more, further entries are refused. */
const MAX_LEFT_BYTES = 64 * 1024 * 1024
/** A batch ends with the entry that brings it to so many bytes, so that its callers do not wait for all that has come. */
const BATCH_BYTES = 4 * 1024 * 1024

/** A call whose entries are not on disk yet. */
interface Caller {
  readonly entries: readonly Entry[]
  readonly waiting: WaitingCaller
  readonly bytes: number
}

/** What one write and one sync put on disk. */
interface Queue {
  readonly entries: PlacedEntry[]
  readonly callers: Caller[]
  bytes: number
  /** When the first call came. */
  readonly since: number
  /** Somebody waits for it. */
  isAwaited: boolean
}

/**
 * The journal as NDJSON segments. Appends are committed in groups without a timer: while one write and sync
 * are under way, what is appended queues, and the whole queue is the next batch. What nobody waits for begins no batch:
 * it goes with the next one, or after some milliseconds.
 */
export class NdjsonJournal implements Journal {
  readonly appended = new Signal<Entry>()
  readonly #maintenance: Maintenance
  /** A disk does not answer while this process stands still, and neither do callers wait. */
  readonly #awake: AwakeClock
  #queue: Queue | undefined
  /** Being written. */
  #batch: Queue | undefined
  #running: Promise<void> | undefined
  #newest: OpenSegment
  #next: number
  #shown: { readonly seq: number; readonly mark: string }
  #closed = false
  #cancel: Cancel = () => {}
  #cancelPatience: Cancel | undefined
  #cancelLater: Cancel | undefined
  /** The disk has not answered for too long. */
  #stalled: StoreUnavailable | undefined
  /** Bytes that wait for it, and whose callers have left. */
  #leftBytes = 0

  /** `sealed`: oldest first. */
  constructor(
    readonly parts: JournalParts,
    readonly sealed: SealedSegment[],
    newest: OpenSegment,
  ) {
    this.#newest = newest
    this.#maintenance = new Maintenance(parts, this)
    this.#awake = new AwakeClock(parts.clock)
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

  get damagedFiles(): number {
    const { damaged, folder } = this.parts.world
    if (damaged.none) return 0
    const paths = [...this.sealed, this.#newest].map(({ path }) => path)
    return [pinnedPath(folder), ...paths].filter((path) => damaged.has(path)).length
  }

  get failure(): Error | undefined {
    return this.parts.failStop.failure ?? this.#stalled
  }

  get backlog(): Backlog {
    const [batch, queue] = [this.#batch, this.#queue]
    const since = (batch ?? queue)?.since
    return {
      count: (batch?.callers.length ?? 0) + (queue?.callers.length ?? 0),
      ms: since === undefined ? 0 : this.#awake.now() - since,
    }
  }

  append(entry: NewEntry): Promise<Entry> {
    return this.#appended([entry], ([appended]) => appended as Entry)
  }

  appendAll(entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    return this.#appended(entries, (appended) => appended)
  }

  #appended<T>(entries: readonly NewEntry[], resultOf: (appended: readonly Entry[]) => T): Promise<T> {
    const since = this.#awake.now()
    const due = since + patienceOf(entries)
    return new Promise((resolve, reject) => {
      const recorded = (appended: readonly Entry[]): void => resolve(resultOf(appended))
      this.#enqueue(entries, new WaitingCaller(since, due, recorded, reject))
    })
  }

  async get(seq: number): Promise<Entry | undefined> {
    if (!Number.isSafeInteger(seq)) return undefined
    const segment = this.#segmentOf(seq)
    const { world } = this.parts
    if (!segment) return this.#pinned(seq)
    const [entry] = await sharedEntries(world, segment, await segment.index(), [seq - segment.first])
    return entry ?? this.#pinned(seq)
  }

  async query(query: JournalQuery): Promise<readonly Entry[]> {
    return (await this.read(query)).entries
  }

  async read(query: JournalQuery): Promise<JournalRead> {
    const { bounded, segments } = this.#reachOf(query)
    const found = await searchSegments(this.parts.world, segments, bounded)
    // Segments that were deleted during the search were read in part.
    return { ...found, readTo: readTo(bounded, found), first: this.first }
  }

  numberOf(query: NumberQuery): Promise<number | undefined> {
    const { bounded, segments } = this.#reachOf(query)
    return firstMatch(this.parts.world, segments, bounded)
  }

  /** Where a query looks. What is appended meanwhile is not looked for: it could be of subjects that are not known yet. */
  #reachOf<Query extends NumberQuery>(query: Query) {
    const before = Math.min(query.before ?? Number.POSITIVE_INFINITY, this.last + 1)
    const bounded = Object.assign({}, query, { before })
    return { bounded, segments: this.#between((query.after ?? 0) + 1, before - 1) }
  }

  async attach(views: readonly View[], revive?: Revive, firstHeld?: FirstHeld): Promise<void> {
    const { world, pinned } = this.parts
    if (revive) world.entries.revive = revive
    if (firstHeld) this.#maintenance.firstHeld = firstHeld
    await this.parts.views.attach(views, {
      first: this.first,
      last: this.last,
      gaps: this.gaps,
      pinned: async () => (await pinned.read(pinned.seqs())).map((entry) => world.entries.revive(entry)),
      markAt: (seq) => this.#markAt(seq),
      query: (query) => this.query(query),
    })
    this.#waitToTend()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    this.#writeAll()
    await this.#running
    this.#cancelPatience?.()
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

  #enqueue(appended: readonly NewEntry[], waiting: WaitingCaller): void {
    this.parts.failStop.check()
    if (this.#closed) throw new StoreUnavailable('The journal is closed.')
    if ((this.#queue?.callers.length ?? 0) >= MAX_WAITING || this.#leftBytes > MAX_LEFT_BYTES)
      throw new StoreUnavailable('Too many entries wait for the disk.')
    let seq = this.#next
    for (const { number } of appended) {
      if (number) number.seq = seq
      seq += 1
    }
    const placed = appended.map((entry, at) => this.#placed(entry, this.#next + at))
    const entries = placed.map(({ entry }) => entry)
    const bytes = placed.reduce((sum, { content }) => sum + sizeOf(content), 0)
    if (placed.length === 0) return waiting.recorded(entries)
    this.#next = seq
    this.#queue ??= { entries: [], callers: [], bytes: 0, since: waiting.since, isAwaited: false }
    for (const one of placed) this.#queue.entries.push(one)
    this.#queue.bytes += bytes
    this.#queue.callers.push({ entries, waiting, bytes })
    this.#cancelPatience ??= this.#loseLater(waiting.since + PATIENCE_MS)
    if (appended.every(({ mayWait }) => mayWait)) return this.#writeLater()
    this.#queue.isAwaited = true
    this.#running ??= this.#run()
  }

  #writeLater(): void {
    const { clock } = this.parts
    this.#cancelLater ??= clock.at(clock.now() + LATER_MS, () => this.#writeAll())
  }

  #writeAll(): void {
    this.#cancelLater?.()
    this.#cancelLater = undefined
    if (!this.#queue) return
    this.#queue.isAwaited = true
    this.#running ??= this.#run()
  }

  /** Callers do not wait for a disk that does not answer: what they have appended is recorded later, or never. */
  #loseLater(due: number): Cancel {
    const awake = this.#awake
    const next = Math.min(due, awake.now() + LOOK_MS)
    return awake.at(next, () => {
      this.#cancelPatience = undefined
      if (!this.#batch && !this.#queue) return
      this.#cancelPatience =
        next < due ? this.#loseLater(due) : awake.at(awake.now() + SECOND_LOOK_MS, () => this.#losePatience())
    })
  }

  #losePatience(): void {
    const callers = [...(this.#batch?.callers ?? []), ...(this.#queue?.callers ?? [])]
    const now = this.#awake.now()
    // Whoever comes now, and does not wait for long, is looked at in time.
    let next = now + PATIENCE_MS
    let isAwaited = false
    this.#leftBytes = 0
    for (const { waiting, bytes } of callers) {
      const late = waiting.since + PATIENCE_MS
      if (Math.min(late, waiting.due) <= now)
        this.#stalled ??= new StoreUnavailable('The disk does not respond.')
      if (waiting.due <= now) {
        waiting.leave(this.#stalled as StoreUnavailable)
        this.#leftBytes += bytes
      } else {
        isAwaited = true
        next = Math.min(next, late > now ? late : waiting.due)
      }
    }
    this.#cancelPatience = isAwaited ? this.#loseLater(next) : undefined
  }

  /** Throws `TypeError` for what could not be read back. */
  #placed(appended: NewEntry, seq: number): PlacedEntry {
    refuseUnstorable(appended)
    const { subjects } = this.parts.world
    const entry = numbered(appended, seq)
    const { at, data } = entry
    const content = textOf(data)
    const time = readInstant(at)
    if (time === undefined) throw new TypeError(`Not an ISO 8601 time in UTC with milliseconds: ${at}`)
    const subject = subjects.number(entry)
    return { entry, time, subject, content: lineContent(at, subjects.members(subject), content) }
  }

  async #run(before: () => Promise<void> = async () => {}): Promise<void> {
    await before().catch((error: unknown) => this.#fail(error))
    while (this.#queue?.isAwaited) {
      // What one turn of the event loop appends is one batch.
      await turnOver()
      const batch = this.#takeBatch()
      if (!batch) break
      this.#batch = batch
      try {
        if (this.#isFull()) await this.#rotate()
        await this.#newest.append(batch.entries, this.parts.segmentBytes)
        // Before the first is shown: a snapshot that begins in between has views that have seen the same entries.
        for (const { entry, subject } of batch.entries) {
          const steps = this.parts.views.ahead(entry, subject)
          if (steps) await inTurns(steps, 'journal')
        }
        this.parts.failStop.check()
        for (const { entry, subject } of batch.entries) {
          this.parts.views.apply(entry, subject)
          this.appended.emit(entry)
        }
        this.#shown = { seq: this.last, mark: this.#newest.mark }
        this.parts.checkpoint?.noteJournal(this.#shown)
      } catch (error) {
        // Also when a view failed to apply the entries: its state would be wrong from now on.
        this.#fail(error)
        break
      }
      this.#batch = undefined
      this.#stalled = undefined
      this.#leftBytes = 0
      for (const { entries, waiting } of batch.callers) waiting.recorded(entries)
    }
    this.#running = undefined
  }

  /** What waits, or the first calls of it. */
  #takeBatch(): Queue | undefined {
    const queue = this.#queue
    this.#queue = undefined
    if (!queue || queue.bytes < BATCH_BYTES) return queue
    let [bytes, count, calls] = [0, 0, 0]
    while (bytes < BATCH_BYTES) {
      const caller = queue.callers[calls++] as Caller
      bytes += caller.bytes
      count += caller.entries.length
    }
    const [entries, callers] = [queue.entries.splice(0, count), queue.callers.splice(0, calls)]
    const [next] = queue.callers
    if (next) this.#queue = { ...queue, bytes: queue.bytes - bytes, since: next.waiting.since }
    return { ...queue, entries, callers, bytes }
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
    const segment = this.sealed[this.#placeOf(seq)] ?? this.#newest
    return seq >= segment.first && seq <= segment.last ? segment : undefined
  }

  /** Oldest first, those that may have entries from one number to another: there are thousands where much is kept. */
  #between(from: number, to: number): Segment[] {
    return [...this.sealed.slice(this.#placeOf(from), this.#placeOf(to) + 1), this.#newest]
  }

  /** The index of the first sealed segment that does not end before this entry; their number where there is none. */
  #placeOf(seq: number): number {
    let low = 0
    let high = this.sealed.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.sealed[middle] as Segment).last < seq) low = middle + 1
      else high = middle
    }
    return low
  }

  #fail(cause: unknown): void {
    const failure = this.parts.failStop.stop(cause)
    for (const queue of [this.#batch, this.#queue])
      for (const { waiting } of queue?.callers ?? []) waiting.reject(failure)
    this.#batch = undefined
    this.#queue = undefined
  }
}

/** The text of an entry's data, which has to be an object. */
function textOf(data: JsonObject): LineText {
  const parts = data instanceof StoredValue ? data.parts : undefined
  if (parts) return parts
  const text = data instanceof StoredValue ? data.json : JSON.stringify(data)
  if (!text?.startsWith('{')) throw new TypeError('The data of an entry has to be an object.')
  return text
}
