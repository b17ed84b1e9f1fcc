import { sentBy } from '../../catalogue/view.js'
import { type ReportedAlarm, reportedAlarm } from '../../gem/reported-alarm.js'
import { type Clock, withTimeout } from '../../kit/clock.js'
import { Mutex } from '../../kit/mutex.js'
import { inTurns, nextTurn } from '../../kit/turns.js'
import { chunks } from '../../secs2/in-parts.js'
import { type Item, itemsIn } from '../../secs2/item.js'
import { type Entry, EntryNumber } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import type { JournaledAlarms } from '../alarms/alarm-board.js'
import { alidMark } from '../alarms/alarm-occurrences.js'
import { TOLD_PATIENCE_MS } from '../owed-entries.js'
import type { Reading } from '../records/reading.js'
import { messageOf } from '../records/recorded-message.js'
import { throwBug } from '../store-problem.js'
import type { Transaction } from './transactions.js'

/** Most rows of one list; rows after them are ignored. */
const MAX_ALARMS = 10_000
/** Rows that are read in one step. */
const ROWS_AT_ONCE = 1000
/** Alarms that are compared with the board, and handed to the journal, in one step. */
const ALARMS_AT_ONCE = 250
/** Milliseconds that a step waits for the store. */
const STEP_MS = 50

/**
 * Aligns the alarm board with an equipment's list of its alarms (S5F6, S5F8), independent of who asked for it:
 * alarms that are set and not known become occurrences; active ones that the list shows as clear are cleared.
 * Alarms that are not in the list stay as they are.
 */
export class AlarmAlignment {
  readonly #turn = new Mutex()

  constructor(
    readonly equipmentId: string,
    readonly alarms: JournaledAlarms,
    readonly journal: Journal,
    readonly clock: Clock,
    readonly reading: () => Reading,
  ) {}

  /**
   * Sends a primary that asks for such a list. An alarm that reports itself by S5F1 while it is under way is left
   * unchanged: which of the two came first is not known here, and the report takes precedence.
   */
  async during(send: () => Promise<Transaction>): Promise<Transaction> {
    const align = this.begin()
    try {
      const transaction = await send()
      align(transaction.ended.then(({ reply }) => reply)).catch(throwBug)
      return transaction
    } catch (error) {
      void align(Promise.resolve(undefined))
      throw error
    }
  }

  /** The same for a primary that somebody else sends: call what it returns with its reply. */
  begin(): (reply: Promise<Entry | undefined>) => Promise<void> {
    const reported = new Set<string>()
    const stop = this.alarms.reported.on(({ equipmentId, alid }) => {
      if (equipmentId === this.equipmentId) reported.add(alidMark(alid))
    })
    return async (reply) => {
      try {
        const list = await reply
        if (list) await this.#align(list, reported)
      } finally {
        stop()
      }
    }
  }

  async #align(list: Entry, reported: ReadonlySet<string>): Promise<void> {
    // Of two lists the one that came later is right, also where the other is long.
    const recorded = await this.#turn.run(async () =>
      this.#handOver(list, await this.#alarmsIn(list), reported),
    )
    const failure = (await Promise.all(recorded)).find((one) => one instanceof Error)
    if (failure) throw failure
  }

  /**
   * In steps, each of which compares with the board as it is then: an S5F1 that comes in between takes precedence. A step
   * waits until the entries of the steps before it are written: the journal would write all of them together, in one turn.
   */
  async #handOver(
    list: Entry,
    listed: readonly ReportedAlarm[],
    reported: ReadonlySet<string>,
  ): Promise<readonly Promise<unknown>[]> {
    const at = this.clock.date().toISOString()
    const listId = new EntryNumber(list.seq)
    const recorded: Promise<unknown>[] = []
    for (const [from, to] of chunks(listed.length, ALARMS_AT_ONCE)) {
      if (from > 0) {
        await withTimeout(this.clock, STEP_MS, Promise.all(recorded))
        await nextTurn('equipment')
      }
      const entries = listed
        .slice(from, to)
        .filter(({ alid }) => !reported.has(alidMark(alid)))
        .flatMap((report) => this.alarms.alignmentFor(this.equipmentId, report, listId, at) ?? [])
        .map((entry) => ({ ...entry, patience: TOLD_PATIENCE_MS }))
      const appended = this.journal.appendAll(entries).catch((error: unknown) => {
        this.alarms.notRecorded(this.equipmentId, error)
        return error
      })
      recorded.push(appended)
    }
    return recorded
  }

  async #alarmsIn(list: Entry): Promise<ReportedAlarm[]> {
    const message = messageOf(list)
    const { topic } = message
    if (topic !== 'S5F6' && topic !== 'S5F8') return []
    const { item } = await inTurns(message.decodedInSteps())
    return inTurns(alarmSteps(topic, itemsIn(item).slice(0, MAX_ALARMS), this.reading()))
  }
}

/** The alarms in the rows of a list; none where a row does not fit. */
function* alarmSteps(
  topic: 'S5F6' | 'S5F8',
  rows: readonly Item[],
  by: Reading,
): Generator<void, ReportedAlarm[]> {
  const reading = sentBy(by, 'equipment')
  const alarms: ReportedAlarm[] = []
  for (const [from, to] of chunks(rows.length, ROWS_AT_ONCE)) {
    if (from > 0) yield
    const content = reading.catalogue.read(topic, { format: 'L', items: rows.slice(from, to) }, reading)
    if (!content) return []
    // An alarm that the equipment does not know has no ALCD.
    alarms.push(...content.ROWS.flatMap((row) => reportedAlarm(row) ?? []))
  }
  return alarms
}
