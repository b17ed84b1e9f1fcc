import type { Answer, Primary } from '../../gem/conversation.js'
import type { Host } from '../../gem/host/host.js'
import { complainedAbout } from '../../gem/message-header.js'
import { type ToldAlarm, toldAlarm } from '../../gem/reported-alarm.js'
import type { HsmsDriver, Received } from '../../hsms/driver.js'
import { type DataMessage, isPrimary } from '../../hsms/message.js'
import type { Clock } from '../../kit/clock.js'
import { atOnce, inTurns } from '../../kit/turns.js'
import { decodeBody, decodeBodyInParts } from '../../secs2/decode.js'
import { encodeBody } from '../../secs2/encode.js'
import { Secs2DecodeError } from '../../secs2/errors.js'
import type { Entry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import type { JournaledAlarms } from '../alarms/alarm-board.js'
import type { Outcomes } from '../outcomes/outcomes.js'
import { messageEntry } from '../records/message-entry.js'
import type { Reading } from '../records/reading.js'
import type { Intake } from './intake.js'
import type { SpoolUnload } from './spool-unload.js'

export interface ReceptionWorld {
  readonly journal: Journal
  readonly clock: Clock
  readonly alarms: JournaledAlarms
  readonly outcomes: Outcomes
}

/** A body of more bytes is decoded in steps. */
const LONG = 256 * 1024

const isLong = ({ stream, function: fn, body }: DataMessage): boolean =>
  body.length > LONG && !(stream === 5 && fn === 1)

/**
 * Receives the messages of one equipment: records them in the order of arrival, and answers them in that order once
 * they are on disk.
 */
export class Reception {
  #answered: Promise<void> = Promise.resolve()
  /** Received S5F1 whose alarm is recorded only when the message is answered. */
  #undecided = 0
  /** Rises with each connection: an answer is sent only over the connection on which its primary arrived. */
  #connection = 0

  constructor(
    readonly equipmentId: string,
    readonly deviceId: number,
    readonly driver: HsmsDriver,
    readonly reading: () => Reading,
    readonly host: Pick<Host, 'answer' | 'isCommunicating'>,
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

  #take(received: Received): void {
    const { kind, message } = received
    const isRead = isPrimary(message)
    // A long body is decoded later, in steps. Alarms are short, and are recorded together with their message.
    const short = isRead && !isLong(message) ? this.#decode(message) : undefined
    const replyTo = kind === 'stray' ? this.world.outcomes.late.primaryOf(this.equipmentId, message) : null
    const own = kind === 'primary' ? short : undefined
    const alarm = own && this.#alarmReport(own)
    // A rejected S5F1 reports no alarm, and whether it is rejected is known only when it is answered. Alarms keep their order.
    const undecided = alarm !== undefined && (!this.host.isCommunicating || this.#undecided > 0)
    if (undecided) this.#undecided += 1
    const recorded = this.#record(received, undecided ? undefined : alarm, replyTo)
    if (!isRead) return this.intake.hold(message.body.length, recorded)
    const connection = this.#connection
    this.#answered = this.#answered.then(async () => {
      let entry: Entry
      try {
        entry = await recorded
      } catch {
        return // not on disk, so not acknowledged: the equipment still has it
      }
      const primary = short ?? (await inTurns(this.#decodeSteps(message)))
      const answer = this.#answerTo(received, primary, connection)
      if (undecided) {
        const isTaken = answer !== undefined && answer.kind !== 'abort' && this.host.isCommunicating
        const isOnDisk = !isTaken || (await this.#recordAlarm(alarm, entry))
        this.#undecided -= 1
        if (!isOnDisk) return
      }
      this.#respond(message, answer, entry, connection)
    })
    this.intake.hold(message.body.length, this.#answered)
  }

  #decode(message: DataMessage): Primary {
    return atOnce(this.#decodeSteps(message))
  }

  *#decodeSteps(message: DataMessage): Generator<void, Primary> {
    const { stream, function: fn, wait } = message
    try {
      const steps = isLong(message)
      return {
        stream,
        function: fn,
        wait,
        item: steps ? yield* decodeBodyInParts(message.body) : decodeBody(message.body),
      }
    } catch (error) {
      if (!(error instanceof Secs2DecodeError)) throw error
      return { stream, function: fn, wait, item: undefined, fault: error.message }
    }
  }

  /** A message and what it changes on the alarm board are on disk together or not at all. */
  async #record(
    { kind, message }: Received,
    report: ToldAlarm | undefined,
    replyTo: number | null,
  ): Promise<Entry> {
    const { journal, alarms, clock } = this.world
    const at = clock.date().toISOString()
    const may_be_spooled = kind === 'primary' && isPrimary(message) && this.unload.hear(message)
    const entry = messageEntry('received', this.equipmentId, message, replyTo, at, { may_be_spooled })
    if (!report) return journal.append(entry)
    const [recorded] = await journal.appendAll((first) => [
      entry,
      alarms.entryFor(this.equipmentId, report, first + 1, first, at),
    ])
    return recorded as Entry
  }

  /** What an S5F1 that is recorded changes on the alarm board; false where it could not be written. */
  #recordAlarm(report: ToldAlarm, { seq, at }: Entry): Promise<boolean> {
    const { journal, alarms } = this.world
    const entries = (first: number) => [alarms.entryFor(this.equipmentId, report, first, seq, at)]
    return journal.appendAll(entries).then(
      () => true,
      () => false,
    )
  }

  #alarmReport(primary: Primary): ToldAlarm | undefined {
    if (primary.stream !== 5 || primary.function !== 1) return undefined
    const reading = this.reading()
    const data = reading.catalogue.read('S5F1', primary.item, { ...reading, sender: 'equipment' })
    return data ? toldAlarm(data) : undefined
  }

  /** Undefined where the connection of the primary has ended. */
  #answerTo({ kind, message }: Received, primary: Primary, connection: number): Answer | undefined {
    // Equipment that does not know our device ID sends S9F1 under its own.
    const about = complainedAbout(primary)
    if (about) this.driver.end(about, { kind: 'error', reply: message })
    const foreign = kind === 'foreign'
    return foreign || this.#isGone(connection) ? undefined : this.host.answer(primary)
  }

  #isGone(connection: number): boolean {
    return connection !== this.#connection || this.driver.state !== 'SELECTED'
  }

  #respond(message: DataMessage, answer: Answer | undefined, entry: Entry, connection: number): void {
    if (!answer || answer.kind === 'none' || this.#isGone(connection)) {
      return this.world.outcomes.unanswered(entry.seq)
    }
    const secondary: DataMessage = {
      sessionId: this.deviceId,
      stream: message.stream,
      function: answer.kind === 'reply' ? answer.message.function : 0,
      wait: false,
      systemBytes: message.systemBytes,
      body: answer.kind === 'reply' ? encodeBody(answer.message.item) : new Uint8Array(),
    }
    if (!this.driver.send(secondary)) return this.world.outcomes.unanswered(entry.seq)
    const at = this.world.clock.date().toISOString()
    const answered = messageEntry('sent', this.equipmentId, secondary, entry.seq, at)
    this.intake.hold(secondary.body.length, this.world.journal.append(answered))
  }
}
