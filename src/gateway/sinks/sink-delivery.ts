import { type Clock, delay, withTimeout } from '../../kit/clock.js'
import { defined } from '../../kit/defined.js'
import { Mutex } from '../../kit/mutex.js'
import { Turns } from '../../kit/turns.js'
import type { Entry, Kind } from '../../store/entry.js'
import type { Journal, JournalQuery } from '../../store/journal.js'
import { searchedByMessages } from '../events/event-filters.js'
import { IDENTITY } from '../records/journal-kinds.js'
import { attempt, detailOf } from './attempt.js'
import type { OutMessage, Producer, Rejection } from './kinds/kind.js'
import { retryDelayMs } from './retry-delay.js'
import type { SinkEntries, SinkEquipment } from './sink-equipment.js'
import type { MadeMessage, SinkMessages } from './sink-messages.js'
import { type DeadRecord, MAX_DEAD, type SinkRecord } from './sink-record.js'
import { StoredPosition } from './stored-position.js'

/** Entries that are read at once, and their bytes on disk: all that a sink holds in memory. */
const READ = { limit: 500, bytes: 256 * 1024 }
/** Characters of the messages in one call of a target. A single longer message is sent alone. */
const MAX_CALL = 1024 * 1024
/** Attempts to deliver one message that the target rejects permanently. */
const MAX_REJECTED = 3
/** Milliseconds from a delivery until the position is stored, and where entries were only passed over. */
const STORE_AFTER_MS = 1000
const STORE_PASSED_AFTER_MS = 30_000
const MAX_REASON = 300
/** Milliseconds for the last call of the target: a file system that is gone never ends it. Changes of records may take 10 s. */
const STOP_TIMEOUT_MS = 9000
/** A call of the target that was not made. */
const STOPPED: Rejection = { isPermanent: false, detail: 'the sink was stopped before it was sent' }

/** What a sink has done since the gateway started, also before its last change. */
export interface Tally {
  delivered: number
  lastDelivered: string | null
}

export const NOTHING_DELIVERED: Readonly<Tally> = { delivered: 0, lastDelivered: null }

export interface DeliveryParts {
  readonly clock: Clock
  readonly journal: Journal
  readonly messages: SinkMessages
  readonly producer: Producer
  readonly equipment: Pick<SinkEquipment, 'entries'>
  readonly store: (record: SinkRecord) => Promise<void>
  /** From 0 to 1. */
  readonly random: () => number
}

export interface FailedAttempt {
  readonly detail: string
  readonly attempts: number
  readonly at: string
  readonly retry_at: string | null
}

/** A message, and the entry or gap that it is of. */
type Item = MadeMessage & { readonly seq: number; readonly from?: number }

/** Delivers the entries of one sink, one call of its target at a time, until it is stopped. */
export class SinkDelivery {
  failures = 0
  lastError: FailedAttempt | null = null
  readonly #turn = new Mutex()
  readonly #over = new AbortController()
  readonly #ended: Promise<void>
  #record: SinkRecord
  readonly #stored: StoredPosition
  #wake: () => void = () => {}

  constructor(
    record: SinkRecord,
    private readonly parts: DeliveryParts,
    readonly tally: Tally = { ...NOTHING_DELIVERED },
  ) {
    this.#record = record
    this.#stored = new StoredPosition(parts, () => this.#record)
    this.#ended = this.#run()
  }

  /** With its position as it is now. */
  get record(): SinkRecord {
    return this.#record
  }

  get #isFull(): boolean {
    return this.#record.dead.length >= MAX_DEAD
  }

  /** Changes the list of dead letters, once that is on disk. */
  async changeDead(change: (dead: readonly DeadRecord[]) => readonly DeadRecord[]): Promise<void> {
    const changed = (record: SinkRecord): SinkRecord => ({ ...record, dead: change(record.dead) })
    await this.#stored.storeChange(changed)
    // It may have gone on meanwhile.
    this.#record = changed(this.#record)
    this.#wake()
  }

  /** One attempt to send a message that is no entry, between the others. */
  trial(message: OutMessage, signal: AbortSignal): Promise<Rejection | undefined> {
    return this.#attempt([message], AbortSignal.any([this.#over.signal, signal]))
  }

  /** Ends a wait before the next attempt. */
  hurry(): void {
    this.#wake()
  }

  /** Resolves once nothing more is sent, and the position is stored. A call that does not end is left: its messages are sent again. */
  async stop(): Promise<void> {
    this.#over.abort()
    this.#wake()
    const { clock, producer } = this.parts
    const ended = this.#ended.then(() => producer.close())
    await withTimeout(clock, STOP_TIMEOUT_MS, ended)
    await this.#stored.close()
  }

  async #run(): Promise<void> {
    const { signal } = this.#over
    while (!signal.aborted) {
      try {
        await this.#step()
      } catch (error) {
        // A part of the journal that cannot be read, or a fault of ours: neither ends the gateway or loses an entry.
        if (!signal.aborted) await this.#failed({ isPermanent: false, detail: detailOf(error) }, 1)
      }
    }
  }

  /** Delivers what is to be delivered next, or waits for it. */
  async #step(): Promise<void> {
    const { clock, journal, messages, producer, equipment } = this.parts
    const retried = this.#record.dead.find(({ retrying }) => retrying)
    if (retried) return this.#retry(retried)
    if (this.#isFull) return this.#nextChange()
    const { position, format } = this.#record
    if (position < journal.first - 1) return this.#reportGap(position + 1, journal.first - 1)
    const search = { ...searchOf(this.#record, equipment.entries, producer.followsIdentities), ...READ }
    const { entries, readTo, first } = await journal.read({ ...search, after: position, order: 'asc' })
    // Retention may have removed the next entries, before or during the read.
    if (position < first - 1) return this.#reportGap(position + 1, first - 1)
    if (entries.length === 0) {
      if (readTo > position) this.#moveTo(readTo, STORE_PASSED_AFTER_MS)
      if (journal.last <= readTo) await this.#nextChange(readTo, search.kinds)
      return
    }
    let items: Item[] = []
    let size = 0
    const turns = new Turns(clock)
    for (const entry of entries) {
      if (turns.isOver) await turns.next()
      const made = await messages.of(entry, format)
      const length = made.message?.text.length ?? 0
      if (items.length >= producer.maxMessages || size + length > MAX_CALL || !made.message) {
        if (items.length > 0 && !(await this.#deliver(items))) return
        items = []
        size = 0
      }
      items.push({ seq: entry.seq, ...made })
      size += length
    }
    await this.#deliver(items)
  }

  async #reportGap(from: number, to: number): Promise<void> {
    await this.#deliver([{ seq: to, from, message: await this.parts.messages.gap(from, to) }])
  }

  /**
   * Delivers messages, in order, however often that takes, or makes them dead letters; moves the position after each
   * call of the target. False when the sink was stopped, or its list of dead letters is full.
   */
  async #deliver(items: readonly Item[]): Promise<boolean> {
    const [first] = items
    const last = items.at(-1)
    if (!first || !last) return true
    if (this.#isFull) return false
    const rejection = await this.#attempts(items)
    if (rejection === 'stopped') return false
    if (!rejection) {
      this.#moveTo(last.seq, STORE_AFTER_MS)
      return true
    }
    if (items.length > 1) {
      const half = Math.ceil(items.length / 2)
      return (await this.#deliver(items.slice(0, half))) && this.#deliver(items.slice(half))
    }
    this.#bury(first, rejection)
    return true
  }

  /** The result of attempts: undefined when the target has the messages, or why it never accepts them. */
  async #attempts(items: readonly Item[]): Promise<Rejection | undefined | 'stopped'> {
    const { signal } = this.#over
    const fault = items.find((one) => one.fault !== undefined)?.fault
    if (fault !== undefined) return { isPermanent: true, detail: fault }
    const messages = items.flatMap(({ message }) => message ?? [])
    for (let attempts = 1, rejected = 0; !signal.aborted; attempts++) {
      const rejection = await this.#attempt(messages)
      if (signal.aborted && rejection) break
      if (!rejection) {
        this.tally.delivered += messages.filter(({ change }) => !change).length
        this.tally.lastDelivered = this.#now()
        this.lastError = null
        return undefined
      }
      if (rejection.isPermanent) rejected++
      // Of several messages the one that is rejected is sought at once.
      if (rejection.isPermanent && (items.length > 1 || rejected >= MAX_REJECTED)) {
        if (items.length === 1) this.#note(rejection, attempts, null)
        return rejection
      }
      await this.#failed(rejection, attempts)
    }
    return 'stopped'
  }

  #attempt(
    messages: readonly OutMessage[],
    signal: AbortSignal = this.#over.signal,
  ): Promise<Rejection | undefined> {
    return this.#turn.run(async () =>
      signal.aborted ? STOPPED : attempt(this.parts.producer, messages, signal),
    )
  }

  /** Notes a failed attempt, and waits until the next one. */
  async #failed(rejection: Rejection, attempts: number): Promise<void> {
    const { clock, random } = this.parts
    const wait = retryDelayMs(attempts, rejection.retryAfter ?? 0, random())
    this.failures++
    this.#note(rejection, attempts, new Date(clock.date().getTime() + wait).toISOString())
    const over = new AbortController()
    this.#wake = () => over.abort()
    if (!this.#over.signal.aborted) await delay(clock, wait, over.signal)
    this.#wake = () => {}
  }

  #note({ detail }: Rejection, attempts: number, retry_at: string | null): void {
    this.lastError = { detail: detail.slice(0, MAX_REASON), attempts, at: this.#now(), retry_at }
  }

  /** Puts a message on the list of dead letters, and passes over it. */
  #bury({ seq, from }: Item, { detail }: Rejection): void {
    const reason = detail.slice(0, MAX_REASON)
    const letter = { seq, ...(from !== undefined && { from }), reason, at: this.#now(), retrying: false }
    const dead = [...this.#record.dead.filter((one) => one.seq !== seq), letter]
    this.#record = { ...this.#record, dead }
    this.#moveTo(Math.max(seq, this.#record.position), STORE_AFTER_MS)
  }

  /** Sends a dead letter again. It leaves the list when the target has it, or it is not kept any more. */
  async #retry({ seq, from }: DeadRecord): Promise<void> {
    const { journal, messages } = this.parts
    const entry = from === undefined ? await journal.get(seq) : undefined
    const item: Item = entry
      ? { seq, ...(await messages.of(entry, this.#record.format)) }
      : { seq, from: from ?? seq, message: await messages.gap(from ?? seq, seq) }
    const rejection = await this.#attempts([item])
    if (rejection === 'stopped') return
    // It may have been removed from the list meanwhile.
    const isListed = this.#record.dead.some((one) => one.seq === seq)
    if (rejection && isListed) return this.#bury(item, rejection)
    this.#record = { ...this.#record, dead: this.#record.dead.filter((one) => one.seq !== seq) }
    this.#moveTo(this.#record.position, STORE_AFTER_MS)
  }

  #moveTo(position: number, storeAfter: number): void {
    this.#record = { ...this.#record, position }
    this.#stored.storeWithin(storeAfter)
  }

  /** Resolves at the next entry that may be one of these kinds, or a change. `readTo`: the last that was looked at. */
  async #nextChange(readTo = Number.POSITIVE_INFINITY, kinds: readonly Kind[] = []): Promise<void> {
    const { journal } = this.parts
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        unsubscribe()
        resolve()
      }
      const unsubscribe = journal.appended.on((entry) => {
        if (this.#isFull) return
        const isNext = entry.seq === this.#record.position + 1
        // Most entries are of other kinds: the journal is not searched for each of them.
        if (isNext && !kinds.some((kind) => isOfKind(entry, kind)))
          this.#moveTo(entry.seq, STORE_PASSED_AFTER_MS)
        else wake()
      })
      this.#wake = wake
      const isRetrying = this.#record.dead.some(({ retrying }) => retrying)
      if (this.#over.signal.aborted || isRetrying || journal.last > readTo) wake()
    })
    this.#wake = () => {}
  }

  #now(): string {
    return this.parts.clock.date().toISOString()
  }
}

const isOfKind = (entry: Entry, { type, name }: Kind): boolean =>
  entry.type === type && (name === undefined || entry.name === name)

/** What the journal is searched for: events of the sink, and changes of names and labels where its kind follows them. */
function searchOf(
  { types, names, messages = null }: SinkRecord,
  ofEquipment: SinkEntries,
  followsIdentities = false,
): Pick<JournalQuery, 'kinds' | 'key' | 'topics' | 'where'> {
  const query = defined({ type: types ? [...types] : undefined, name: names ? [...names] : undefined })
  const searched = searchedByMessages(query, messages)
  const { kinds = [], where: isMessage } = searched
  const { where: isMeant } = ofEquipment
  return {
    ...searched,
    ...ofEquipment,
    kinds: followsIdentities ? [...kinds, IDENTITY] : kinds,
    ...((isMessage || isMeant) && {
      where: (entry: Entry) =>
        (entry.type === IDENTITY.type || (isMessage?.(entry) ?? true)) && (isMeant?.(entry) ?? true),
    }),
  }
}
