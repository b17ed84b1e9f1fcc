import type { Primary, PrimaryReply } from '../../gem/conversation.js'
import type { Host } from '../../gem/host/host.js'
import { subjectOfStream9 } from '../../gem/message-header.js'
import { type ReportedAlarm, reportedAlarm } from '../../gem/reported-alarm.js'
import type { Received } from '../../hsms/io.js'
import type { LinkDriver } from '../../hsms/link-driver.js'
import type { Clock } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
import { instantText } from '../../kit/time-text.js'
import { inTurns } from '../../kit/turns.js'
import { passBody, unreadable } from '../../secs2/decode.js'
import { encodeBody } from '../../secs2/encode.js'
import type { Item } from '../../secs2/item.js'
import { type Entry, EntryNumber } from '../../store/entry.js'
import { Unsettled } from '../../store/failure.js'
import type { Journal } from '../../store/journal.js'
import { PATIENCE_MS } from '../../store/waiting-caller.js'
import type { JournaledAlarms } from '../alarms/alarm-board.js'
import type { Outcomes } from '../outcomes/outcomes.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import type { Reading } from '../records/reading.js'
import { RecordedMessage } from '../records/recorded-message.js'
import type { Intake } from './intake.js'
import type { SpoolUnload } from './spool-unload.js'

export interface ReceptionWorld {
  readonly journal: Journal
  readonly clock: Clock
  readonly alarms: JournaledAlarms
  readonly outcomes: Outcomes
}

/** A message of the equipment, when it has come. */
export interface ReceivedMessage {
  readonly kind: Received['kind']
  readonly message: RecordedMessage
}

/** A primary that is on disk, and whose reply is not sent yet. */
interface RecordedPrimary {
  readonly received: ReceivedMessage
  readonly entry: Entry
  /** The connection by which it came. */
  readonly connection: number
  /** What it reports, where that is not recorded yet. */
  readonly alarm: ReportedAlarm | undefined
}

/**
 * Receives the messages of one equipment: records them in the order of arrival, and replies to them in that order once
 * they are on disk.
 */
export class Reception {
  /** Each message, once it is handed to the journal. */
  readonly received = new Signal<ReceivedMessage>()
  /** The reply that needs time, and those that wait for it. */
  #replying: Promise<void> | undefined
  /** Received S5F1 whose alarm is recorded only when its reply is known. */
  #undecided = 0
  /** Rises with each connection: a reply is sent only over the connection on which its primary arrived. */
  #connection = 0

  constructor(
    readonly equipment: Pick<EquipmentRecord, 'id' | 'device_id'>,
    readonly driver: LinkDriver,
    readonly reading: () => Reading,
    readonly host: Pick<Host, 'replyTo' | 'isCommunicating' | 'missedAlarm'>,
    readonly unload: SpoolUnload,
    readonly intake: Intake,
    readonly world: ReceptionWorld,
  ) {
    driver.received.on((received) => this.#take(received))
    driver.changed.on(({ to }) => {
      if (to === 'SELECTED') this.#connection += 1
      else this.unload.end()
    })
  }

  #take({ kind, message: passed }: Received): void {
    const equipmentId = this.equipment.id
    const replyTo = kind === 'stray' ? this.world.outcomes.late.primaryOf(equipmentId, passed) : null
    const mayBeSpooled = kind === 'primary' && this.unload.receive(passed)
    const message = new RecordedMessage({ direction: 'received', equipmentId, replyTo, mayBeSpooled }, passed)
    const received = { kind, message }
    this.#record(received)
    this.received.emit(received)
  }

  #record(received: ReceivedMessage): void {
    const { kind, message } = received
    const alarm = kind === 'primary' ? this.#alarmReport(message) : undefined
    // A rejected S5F1 reports no alarm, and whether it is rejected is known only with the reply. Alarms keep their order.
    const isUndecided = alarm !== undefined && (!this.host.isCommunicating || this.#undecided > 0)
    if (isUndecided) this.#undecided += 1
    const connection = this.#connection
    this.intake.hold(message.length)
    this.#append(message, isUndecided ? undefined : alarm).then(
      (entry) => {
        if (!message.isPrimary) return this.intake.release(message.length)
        this.#respondInOrder({ received, entry, connection, alarm: isUndecided ? alarm : undefined })
      },
      // Not on disk, so not acknowledged: the equipment still has it. Recorded after T3, it stays without a reply.
      (error: unknown) => {
        if (isUndecided) this.#undecided -= 1
        this.intake.release(message.length)
        if (error instanceof Unsettled)
          void error.settled.then(
            (entries) => entries?.[0] && this.world.outcomes.willHaveNoReply(entries[0].seq),
          )
      },
    )
  }

  /** Milliseconds for which the equipment waits for its reply: as long as the gateway waits for those of the equipment. */
  get #patience(): number {
    return Math.max(PATIENCE_MS, this.driver.settings.timers.t3)
  }

  /** A message and what it changes on the alarm board are on disk together or not at all. */
  #append(message: RecordedMessage, report: ReportedAlarm | undefined): Promise<Entry> {
    const { journal, alarms, clock } = this.world
    const at = instantText(clock.date().getTime())
    const entry = message.entry(at, this.#patience)
    if (!report) return journal.append(entry)
    const number = new EntryNumber()
    const entries = [Object.assign(entry, { number }), alarms.entryFor(this.equipment.id, report, number, at)]
    return journal.appendAll(entries).then(
      ([recorded]) => recorded as Entry,
      (error) => {
        this.#missed(error)
        throw error
      },
    )
  }

  #respondInOrder(primary: RecordedPrimary): void {
    const work = this.#replying ? this.#replying.then(() => this.#reply(primary)) : this.#reply(primary)
    if (!work) return
    const replying = work.then(() => {
      if (this.#replying === replying) this.#replying = undefined
    })
    this.#replying = replying
  }

  /** At once, where neither the body is long nor the alarm undecided. */
  #reply(primary: RecordedPrimary): Promise<void> | undefined {
    const { received, entry, connection, alarm } = primary
    const { message } = received
    if (alarm || message.needsSteps) return this.#respondInSteps(primary)
    this.#respond(message, this.#replyTo(received, message, connection), entry, connection)
    message.dropItems()
    this.intake.release(message.length)
    return undefined
  }

  async #respondInSteps({ received, entry, connection, alarm }: RecordedPrimary): Promise<void> {
    const { message } = received
    let said: Item | undefined
    const reply = message.needsSteps
      ? await this.intake.budget.decoding.run(async () => {
          const primary = await inTurns(longPrimary(message, this.reading()), 'equipment')
          said = primary.item
          return this.#replyTo(received, primary, connection)
        })
      : this.#replyTo(received, message, connection)
    let isOnDisk = true
    if (alarm) {
      const isTaken = reply !== undefined && reply.kind !== 'abort' && this.host.isCommunicating
      isOnDisk = !isTaken || (await this.#recordAlarm(alarm, entry))
      this.#undecided -= 1
    }
    if (isOnDisk) this.#respond(message, reply, entry, connection, said)
    else this.world.outcomes.willHaveNoReply(entry.seq)
    this.intake.release(message.length)
  }

  /** What an S5F1 that is recorded changes on the alarm board; false where it could not be written. */
  #recordAlarm(report: ReportedAlarm, { seq, at }: Entry): Promise<boolean> {
    const { journal, alarms } = this.world
    const entry = alarms.entryFor(this.equipment.id, report, new EntryNumber(seq), at)
    return journal.append(Object.assign(entry, { patience: this.#patience })).then(
      () => true,
      (error: unknown) => {
        this.#missed(error)
        return false
      },
    )
  }

  /** Equipment that does not spool does not send an S5F1 again: once it is certain that it is not recorded, all alarms are asked for. */
  #missed(failure: unknown): void {
    this.world.alarms.notRecorded(this.equipment.id, failure)
    if (!(failure instanceof Unsettled)) return this.host.missedAlarm()
    void failure.settled.then((entries) => entries ?? this.host.missedAlarm())
    return undefined
  }

  /** None is long: ALTX has 120 characters (SEMI E5). */
  #alarmReport(message: RecordedMessage): ReportedAlarm | undefined {
    if (message.topic !== 'S5F1' || message.needsSteps) return undefined
    const data = message.content('S5F1', 'equipment', this.reading())
    return data ? reportedAlarm(data) : undefined
  }

  /** Undefined where the connection of the primary has ended. */
  #replyTo(
    { kind, message }: ReceivedMessage,
    primary: Primary,
    connection: number,
  ): PrimaryReply | undefined {
    // Equipment that does not know our device ID sends S9F1 under its own.
    const about = subjectOfStream9(primary)
    if (about) this.driver.end(about, { kind: 'error', reply: message })
    const isForOtherDevice = kind === 'other_device'
    return isForOtherDevice || this.#isGone(connection) ? undefined : this.host.replyTo(primary)
  }

  #isGone(connection: number): boolean {
    return connection !== this.#connection || this.driver.state !== 'SELECTED'
  }

  /** `said`: the item of a long message, whose bytes are those of a reply that repeats it. */
  #respond(
    message: RecordedMessage,
    reply: PrimaryReply | undefined,
    entry: Entry,
    connection: number,
    said?: Item,
  ): void {
    if (!reply || reply.kind === 'none' || this.#isGone(connection)) {
      return this.world.outcomes.willHaveNoReply(entry.seq)
    }
    const { stream, systemBytes } = message
    const { function: fn, item } = reply.kind === 'reply' ? reply.message : ABORTED
    const { id: equipmentId, device_id: sessionId } = this.equipment
    const body = said && item === said ? message.body : encodeBody(item)
    const secondary = new RecordedMessage(
      { direction: 'sent', equipmentId, replyTo: entry.seq },
      { sessionId, stream, function: fn, wait: false, systemBytes, body },
      { item },
    )
    if (!this.driver.send(secondary)) return this.world.outcomes.willHaveNoReply(entry.seq)
    if (message.mayBeSpooled) this.unload.acknowledged()
    const release = (): void => this.intake.release(secondary.length)
    this.intake.hold(secondary.length)
    this.world.journal
      .append(
        Object.assign(secondary.entry(instantText(this.world.clock.date().getTime())), { mayWait: true }),
      )
      .then(release, () => {
        release()
        this.world.outcomes.willHaveNoReply(entry.seq)
      })
  }
}

/** SxF0. */
const ABORTED = { function: 0, item: undefined }

/** More items than these are not made: a million objects would hold up all else while they are collected again. */
const MANY_ITEMS = 16 * 1024

/** What a long primary says, in steps. */
function* longPrimary(message: RecordedMessage, reading: Reading): Generator<undefined, Primary> {
  const { stream, function: fn, wait, body } = message
  const primary = { stream, function: fn, wait, item: undefined }
  // It is not on the alarm board, so it is not acknowledged.
  if (message.topic === 'S5F1') return { ...primary, fault: 'longer than an alarm can be' }
  try {
    const { reader, items } = yield* passBody(body)
    if (items <= MANY_ITEMS) return { ...primary, ...(yield* message.decodedInSteps()) }
    const view = { ...reading, sender: 'equipment' } as const
    const values = yield* reading.catalogue.readBodySteps(stream, fn, reader, view)
    // What it says is work, too: the first event of equipment looks through all names.
    yield
    return { ...primary, values }
  } catch (error) {
    return { ...primary, ...unreadable(error) }
  }
}
