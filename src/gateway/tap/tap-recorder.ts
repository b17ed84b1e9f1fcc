import { subjectOfStream9 } from '../../gem/message-header.js'
import { type ReportedAlarm, reportedAlarm } from '../../gem/reported-alarm.js'
import { type DataMessage, isPrimary, type PrimaryName } from '../../hsms/message.js'
import { Timer } from '../../hsms/timers/timer.js'
import { endOf } from '../../hsms/transactions.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import { keepNewest } from '../../kit/keep-newest.js'
import { Signal } from '../../kit/signal.js'
import { roundedMs, Stopwatch } from '../../kit/stopwatch.js'
import { instantText } from '../../kit/time-text.js'
import { type Entry, EntryNumber, type NewEntry } from '../../store/entry.js'
import { certain } from '../../store/failure.js'
import type { Journal } from '../../store/journal.js'
import type { Side } from '../../tap/side.js'
import type { JournaledAlarms } from '../alarms/alarm-board.js'
import type { SpoolUnload } from '../link/spool-unload.js'
import type { Ending } from '../messages/message-view.js'
import type { Outcomes } from '../outcomes/outcomes.js'
import { MESSAGE_ENDED } from '../records/journal-kinds.js'
import type { Reading } from '../records/reading.js'
import { RecordedMessage } from '../records/recorded-message.js'
import { TapExchanges } from './tap-exchanges.js'
import type { TapGaps } from './tap-gaps.js'

/**
 * Most messages of one equipment, and bytes of them, that wait for the store, but for one message that is longer; beyond
 * that they are not recorded, and counted as a gap.
 */
const MAX_WAITING = 10_000
const MAX_WAITING_BYTES = 8 * 1024 * 1024
/** Bytes that an entry takes in addition to its body. */
const ENTRY_BYTES = 256
/** Primaries of one side without a reply that are remembered, and mapped system bytes. */
const MAX_OPEN = 4096

/** A primary that waits for its reply. */
export interface OpenPrimary {
  readonly message: RecordedMessage
  readonly number: EntryNumber
  /** Resolves when the store has taken it, or has not. */
  readonly written: Promise<unknown>
  /** On the clock that never goes back. */
  readonly began: number
  /** Of a primary of the host: the milliseconds until its end, without those in which this process stood still. */
  readonly took: () => number
  readonly cancelT3: Cancel
}

/** What else is known of a message that passed. */
export interface Passage {
  /** False for what the equipment sends about a primary of the gateway. */
  readonly isWithHost?: boolean
  /** Its system bytes on the equipment's side of the tap, where they are others. */
  readonly mapped?: number | undefined
}

/** How a primary of the host ended, and the reply that was recorded: undefined where there is none. */
export interface EndedByHost {
  readonly primary: RecordedMessage
  readonly outcome: Ending['outcome']
  readonly reply: RecordedMessage | undefined
  /** The entry of the reply, once it is on disk. */
  readonly replied: Promise<Entry | undefined>
  /** In milliseconds, without those in which this process stood still. */
  readonly latency: number
}

export interface TapRecorderWorld {
  readonly journal: Journal
  readonly outcomes: Outcomes
  readonly alarms: JournaledAlarms
  readonly clock: Clock
}

/**
 * Records what passes between equipment and its own host, in the order in which it passed, with replies linked to their
 * primaries. The line never waits for it: what the store does not take is counted as a gap.
 */
export class TapRecorder {
  /** Each message that passed, at once and in order; also one that cannot be recorded. */
  readonly passed = new Signal<RecordedMessage>()
  /** Each primary of the host whose transaction has ended. */
  readonly ended = new Signal<EndedByHost>()
  readonly exchanges: TapExchanges
  /** Primaries by their system bytes. */
  readonly #open: Readonly<Record<Side, Map<number, OpenPrimary>>> = { host: new Map(), equipment: new Map() }
  /** Primaries of the host whose system bytes are others on the equipment's side: by those, the host's. */
  readonly #mapped = new Map<number, number>()
  /** Entries that wait for the number of a primary before them. */
  #chain: Promise<void> | undefined
  /** Entries that are handed over, or will be. */
  readonly #writing = new Set<Promise<unknown>>()
  #waiting = 0
  #waitingBytes = 0
  readonly #stopwatch: Stopwatch

  constructor(
    readonly equipmentId: string,
    readonly reading: () => Reading,
    readonly gaps: TapGaps,
    readonly unload: Pick<SpoolUnload, 'receive' | 'acknowledged'>,
    readonly world: TapRecorderWorld,
    /** Milliseconds after which a primary of the host without a reply counts as timed out. */
    readonly t3: () => number,
  ) {
    this.exchanges = new TapExchanges(world.clock)
    this.#stopwatch = new Stopwatch(world.clock)
  }

  /** How many primaries of a side wait for a reply, and since how many milliseconds the oldest does. */
  openOf(side: Side): { readonly open: number; readonly oldestMs: number | null } {
    const [oldest] = this.#open[side].values()
    return { open: this.#open[side].size, oldestMs: oldest ? this.world.clock.now() - oldest.began : null }
  }

  /** Primaries of the host that wait for a reply. */
  get openOfHost(): number {
    return this.#open.host.size
  }

  /** `at`: milliseconds since 1970. Settles when it is recorded, or will not be. */
  take(from: Side, passed: DataMessage, at: number, passage: Passage = {}): Promise<unknown> {
    if (isPrimary(passed)) return this.#takePrimary(from, passed, at, passage)
    if (from === 'equipment' && passage.isWithHost !== false) return this.#replyToHost(passed, at)
    const open = from === 'host' ? this.#open.equipment.get(passed.systemBytes) : undefined
    if (!open) return this.#takeLate(from, passed, at, passage)
    this.#open.equipment.delete(passed.systemBytes)
    return this.#replyOfHost(open, passed, at)
  }

  /** As the host knows it: it has the system bytes that the host has chosen. */
  #replyToHost(passed: DataMessage, at: number): Promise<unknown> {
    const systemBytes = this.#hostsBytes(passed.systemBytes)
    const mapped = systemBytes === passed.systemBytes ? undefined : passed.systemBytes
    const reply = { ...passed, systemBytes }
    const open = this.#open.host.get(systemBytes)
    if (!open) return this.#takeLate('equipment', reply, at, { mapped })
    this.#open.host.delete(systemBytes)
    return this.#endHosts(open, reply, at, mapped)
  }

  #hostsBytes(onLine: number): number {
    return this.#mapped.get(onLine) ?? onLine
  }

  /** The equipment has refused a primary of the host by Reject.req. */
  rejected(systemBytes: number, at: number): void {
    const open = this.#open.host.get(this.#hostsBytes(systemBytes))
    if (open) this.#endWithout(open, 'rejected', at)
  }

  /** Resolves once all that has passed so far is recorded, or will not be. */
  async recorded(): Promise<void> {
    while (this.#writing.size > 0) await Promise.allSettled(this.#writing)
  }

  /** No reply can come any more. */
  end(at: number): void {
    for (const open of [...this.#open.host.values()]) this.#endWithout(open, 'lost', at)
    for (const { number, written } of this.#open.equipment.values())
      void written.then(() => number.seq === undefined || this.world.outcomes.willHaveNoReply(number.seq))
    this.#open.equipment.clear()
    this.#mapped.clear()
  }

  #takePrimary(
    from: Side,
    passed: DataMessage,
    at: number,
    { isWithHost = true, mapped }: Passage,
  ): Promise<unknown> {
    const direction = from === 'host' ? 'sent' : 'received'
    const mayBeSpooled = from === 'equipment' && this.unload.receive(passed)
    const { equipmentId } = this
    const origin = { direction, equipmentId, mayBeSpooled, isWithHost, equipmentSystemBytes: mapped } as const
    const message = new RecordedMessage(origin, passed)
    if (mapped !== undefined) this.#mapped.set(mapped, passed.systemBytes)
    keepNewest(this.#mapped, MAX_OPEN)
    const number = new EntryNumber()
    const alarm = from === 'equipment' ? this.#alarmReport(message) : undefined
    const written = this.#append(message, at, () => {
      const entry = Object.assign(message.entry(instantText(at)), { number })
      return alarm
        ? [entry, this.world.alarms.entryFor(this.equipmentId, alarm, number, instantText(at))]
        : [entry]
    })
    if (alarm) written.catch((error) => this.world.alarms.notRecorded(this.equipmentId, error))
    if (passed.wait) this.#opened(from, { message, number, written: written.catch(() => {}) })
    this.passed.emit(message)
    if (from === 'equipment' && isWithHost && message.stream === 9) this.#complained(message, at)
    return written
  }

  #opened(from: Side, primary: Pick<OpenPrimary, 'message' | 'number' | 'written'>): void {
    const { clock } = this.world
    const { systemBytes } = primary.message
    const before = this.#open[from].get(systemBytes)
    if (before && from === 'host') this.#endWithout(before, 'lost', clock.date().getTime())
    const began = clock.now()
    const took = from === 'host' ? this.#stopwatch.start() : () => clock.now() - began
    const t3 = new Timer(clock, () => {
      took()
      const open = this.#open.host.get(systemBytes)
      if (open?.message === primary.message) this.#endWithout(open, 'timed_out', clock.date().getTime())
    })
    if (from === 'host') t3.set(began + this.t3())
    const cancelT3 = (): void => t3.cancel()
    this.#open[from].delete(systemBytes)
    this.#open[from].set(systemBytes, { ...primary, began, took, cancelT3 })
    keepNewest(this.#open[from], MAX_OPEN)
  }

  /** Of a stream 9 message of the equipment: the primary of the host that it is about has ended. */
  #complained(message: RecordedMessage, at: number): void {
    this.exchanges.stream9(message.topic)
    const { stream, function: fn, wait, item } = message
    const about: PrimaryName | undefined = subjectOfStream9({ stream, function: fn, wait, item })
    const open = about && this.#open.host.get(this.#hostsBytes(about.systemBytes))
    if (!about || open?.message.stream !== about.stream || open.message.function !== about.function) return
    this.#endWithout(open, 'error', at, message.topic)
  }

  #endHosts(
    open: OpenPrimary,
    passed: DataMessage,
    at: number,
    mapped: number | undefined,
  ): Promise<unknown> {
    open.cancelT3()
    const latency = roundedMs(this.world.clock.now() - open.began)
    const outcome = endOf(passed, open.message)
    // A time in which this process stood still is not the equipment's.
    const equipmentTook = open.took()
    this.exchanges.hostEnded(outcome, equipmentTook)
    let reply = this.#secondary('received', passed, null, { mapped })
    const reply_id = new EntryNumber()
    const written = this.#append(
      reply,
      at,
      () => {
        const { seq } = open.number
        if (seq === undefined) return [reply.entry(instantText(at))]
        reply = this.#secondary('received', passed, seq, { mapped })
        const end = this.#endEntry(open, seq, { outcome, latency_ms: latency }, at)
        return [
          Object.assign(reply.entry(instantText(at)), { number: reply_id }),
          { numbers: { reply_id }, ...end },
        ]
      },
      open,
    )
    const replied = written.then(([entry]) => entry)
    replied.catch((error) => this.#endLater(open, at, error))
    this.passed.emit(reply)
    this.ended.emit({
      primary: open.message,
      outcome,
      reply,
      latency: equipmentTook,
      replied: replied.catch(() => undefined),
    })
    return written
  }

  /** A primary of the host that gets no reply. */
  #endWithout(open: OpenPrimary, outcome: Ending['outcome'], at: number, s9: string | null = null): void {
    open.cancelT3()
    this.#open.host.delete(open.message.systemBytes)
    this.exchanges.hostEnded(outcome, undefined)
    const latency = open.took()
    this.#write(
      open.written.then(async () => {
        const { seq } = open.number
        if (seq === undefined) return
        const end = this.#endEntry(open, seq, { outcome, latency_ms: null, s9 }, at)
        await this.world.journal.append(end).catch((error) => this.world.outcomes.endLater(end, error))
      }),
    )
    const replied = Promise.resolve(undefined)
    this.ended.emit({ primary: open.message, outcome, reply: undefined, replied, latency })
  }

  #endLater(open: OpenPrimary, at: number, failure: unknown): void {
    const { seq } = open.number
    if (seq === undefined) return
    const end = this.#endEntry(open, seq, { outcome: 'lost', latency_ms: null }, at)
    this.world.outcomes.endLater(end, failure)
  }

  #endEntry(
    { message }: OpenPrimary,
    seq: number,
    { outcome, latency_ms, s9 = null }: { outcome: string; latency_ms: number | null; s9?: string | null },
    at: number,
  ): NewEntry {
    const data = { message_id: String(seq), outcome, reply_id: null, latency_ms, s9 }
    return { ...MESSAGE_ENDED, key: message.equipmentId, at: instantText(at), data }
  }

  #replyOfHost(open: OpenPrimary, passed: DataMessage, at: number): Promise<unknown> {
    const message = this.#secondary('sent', passed, null)
    const { outcomes, clock } = this.world
    this.exchanges.equipmentReplied(clock.now() - open.began)
    if (open.message.mayBeSpooled) this.unload.acknowledged()
    const written = this.#append(
      message,
      at,
      () => {
        const { seq = null } = open.number
        return [this.#secondary('sent', passed, seq).entry(instantText(at))]
      },
      open,
    )
    written.catch(() => open.number.seq === undefined || outcomes.willHaveNoReply(open.number.seq))
    this.passed.emit(message)
    return written
  }

  /** A secondary to nothing that is open. */
  #takeLate(from: Side, passed: DataMessage, at: number, passage: Passage): Promise<unknown> {
    const { late } = this.world.outcomes
    const replyTo = from === 'equipment' ? late.primaryOf(this.equipmentId, passed) : null
    const message = this.#secondary(from === 'host' ? 'sent' : 'received', passed, replyTo, passage)
    const written = this.#append(message, at, () => [message.entry(instantText(at))])
    if (message.isWithHost) this.passed.emit(message)
    return written
  }

  #secondary(
    direction: RecordedMessage['direction'],
    passed: DataMessage,
    replyTo: number | null,
    { isWithHost = true, mapped: equipmentSystemBytes }: Passage = {},
  ): RecordedMessage {
    const { equipmentId } = this
    return new RecordedMessage({ direction, equipmentId, replyTo, isWithHost, equipmentSystemBytes }, passed)
  }

  /**
   * Records entries that are made when it is their turn, after the number of the primary `to` which they reply is known.
   * Rejects where the store does not take them; that is counted as a gap.
   */
  #append(
    { length }: RecordedMessage,
    at: number,
    make: () => readonly NewEntry[],
    to?: OpenPrimary,
  ): Promise<readonly Entry[]> {
    const bytes = length + ENTRY_BYTES
    const isFull = this.#waiting > 0 && this.#waitingBytes + bytes > MAX_WAITING_BYTES
    if (isFull || this.#waiting >= MAX_WAITING) {
      this.gaps.add(1, at, at)
      const refused = Promise.reject(new Error('too many messages wait for the store'))
      refused.catch(() => {})
      return refused
    }
    this.#waiting += 1
    this.#waitingBytes += bytes
    const appended = this.#write(this.#inTurn(() => certain(this.world.journal.appendAll(make())), to))
    const over = (): void => {
      this.#waiting -= 1
      this.#waitingBytes -= bytes
    }
    appended.then(over, () => {
      over()
      this.gaps.add(1, at, at)
    })
    return appended
  }

  #write<T>(writing: Promise<T>): Promise<T> {
    const over = (): void => void this.#writing.delete(writing)
    this.#writing.add(writing)
    writing.then(over, over)
    return writing
  }

  #inTurn<T>(work: () => Promise<T>, to: OpenPrimary | undefined): Promise<T> {
    const isKnown = to === undefined || to.number.seq !== undefined
    if (!this.#chain && isKnown) return work()
    const before = this.#chain ?? Promise.resolve()
    let done: Promise<T> | undefined
    const begun = before
      .then(() => to?.written)
      .then(() => {
        done = work()
        done.catch(() => {})
      })
    this.#chain = begun
    void begun.then(() => {
      if (this.#chain === begun) this.#chain = undefined
    })
    return begun.then(() => done as Promise<T>)
  }

  #alarmReport(message: RecordedMessage): ReportedAlarm | undefined {
    if (message.topic !== 'S5F1' || message.needsSteps) return undefined
    const data = message.content('S5F1', 'equipment', this.reading())
    return data ? reportedAlarm(data) : undefined
  }
}
