import type { ConnectionState } from '../../hsms/connection-states.js'
import type { Fault } from '../../hsms/fault.js'
import type { StateChange } from '../../hsms/io.js'
import { type Clock, withTimeout } from '../../kit/clock.js'
import type { NewEntry } from '../../store/entry.js'
import { Unsettled } from '../../store/failure.js'
import type { Journal } from '../../store/journal.js'
import { PATIENCE_MS } from '../../store/waiting-caller.js'
import { connectionEventName } from '../events/connection-events.js'
import { OwedEntries, TOLD_PATIENCE_MS } from '../owed-entries.js'
import { mayPass } from '../until-stored.js'

/** While every attempt fails, one event is recorded per this time. */
const FAILURE_EVENT_INTERVAL_MS = 10 * 60_000

/** The changes of an equipment's connection and states, as they are recorded in the journal. */
export class LinkHistory {
  #failureEventAt: number | undefined
  #noted: Promise<unknown> = Promise.resolve()
  /** Changes that the store did not take at once: those that follow wait for them. */
  #owed: OwedEntries
  #behind = 0
  #owing: Promise<void> = Promise.resolve()

  constructor(
    private readonly equipmentId: string,
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {
    this.#owed = new OwedEntries(journal, clock)
  }

  /** Resolves once every change so far is on disk, or the store takes too long. */
  async recorded(): Promise<void> {
    await withTimeout(this.clock, PATIENCE_MS, this.#noted)
  }

  /** The next attempt that fails is recorded. */
  start(): void {
    this.#failureEventAt = undefined
    this.#owed = new OwedEntries(this.journal, this.clock)
  }

  /** The same as `recorded`; what the store has not taken by then is not tried again. */
  async end(): Promise<void> {
    await this.recorded()
    this.#owed.close()
  }

  connectionChanged({ from, to, cause, fault }: StateChange): void {
    if (to === 'SELECTED') this.#failureEventAt = undefined
    const error = fault && { error: { code: fault.code, detail: fault.detail } }
    this.note('connection', connectionEventName(from, to), { from, to, cause, ...error })
  }

  attemptFailed({ code, detail }: Fault, attempts: number, state: ConnectionState): void {
    const now = this.clock.now()
    const last = this.#failureEventAt
    if (last !== undefined && now - last < FAILURE_EVENT_INTERVAL_MS) return
    this.#failureEventAt = now
    const error = { code, detail }
    this.note('connection', 'attempt_failed', { from: state, to: state, cause: code, attempts, error })
  }

  note(type: 'connection' | 'state', name: string, data: EventData): void {
    const at = this.clock.date().toISOString()
    const entry = { key: this.equipmentId, type, name, at, data, patience: TOLD_PATIENCE_MS }
    this.#noted =
      this.#behind > 0
        ? this.#owe(entry)
        : this.journal.append(entry).catch((failure: unknown) => {
            if (mayPass(failure)) return this.#owe(entry, failure)
          })
  }

  /** One after the other. Errors are ignored here: when the disk fails, the daemon ends. */
  #owe(entry: NewEntry, failure?: unknown): Promise<void> {
    const before = this.#owing
    const isFirst = this.#behind === 0
    this.#behind += 1
    // What comes after another one need not wait: the store takes entries again.
    const why = isFirst || failure instanceof Unsettled ? failure : undefined
    this.#owing = before
      .then(() => this.#owed.add(entry, undefined, why))
      .catch(() => {})
      .finally(() => {
        this.#behind -= 1
      })
    return this.#owing
  }
}

type EventData = { readonly [name: string]: string | number | EventData }
