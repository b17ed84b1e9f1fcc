import type { ConnectionState } from '../../hsms/connection-states.js'
import type { Fault } from '../../hsms/fault.js'
import type { StateChange } from '../../hsms/io.js'
import type { Clock } from '../../kit/clock.js'
import type { Journal } from '../../store/journal.js'
import { connectionEventName } from '../events/connection-events.js'

/** While every attempt fails, one event is recorded per this time. */
const FAILURE_EVENT_INTERVAL_MS = 10 * 60_000

/** The changes of an equipment's connection and states, as they are recorded in the journal. */
export class LinkHistory {
  #failureEventAt: number | undefined
  #noted: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly equipmentId: string,
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  /** Resolves once every change so far is on disk, or the disk has failed. */
  async recorded(): Promise<void> {
    await this.#noted
  }

  /** The next attempt that fails is recorded. */
  start(): void {
    this.#failureEventAt = undefined
  }

  connectionChanged({ from, to, cause, fault }: StateChange): void {
    if (to === 'SELECTED') this.start()
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

  /** Errors are ignored here: when the disk fails, the daemon ends. */
  note(type: 'connection' | 'state', name: string, data: EventData): void {
    const entry = { key: this.equipmentId, type, name, at: this.clock.date().toISOString(), data }
    this.#noted = this.journal.append(entry).catch(() => {})
  }
}

type EventData = { readonly [name: string]: string | number | EventData }
