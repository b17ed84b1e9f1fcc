import type { LastError } from '../../contract/equipment.js'
import type { Denial } from '../../gem/communication-states.js'
import type { Fault } from '../../hsms/fault.js'
import type { LinkDriver } from '../../hsms/link-driver.js'
import type { Clock } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
import type { Journal } from '../../store/journal.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import { LineNoise } from './line-noise.js'
import { MissingPresence } from './missing-presence.js'
import type { ReceivedMessage } from './reception.js'
import { NO_GEM } from './session-refusal.js'
import { Stream9Log } from './stream9-log.js'
import { TransportCheck } from './transport-check.js'

/** While the same error repeats, its time is updated once per this time. */
const SAME_ERROR_INTERVAL_MS = 60_000

/** Why an equipment cannot be spoken with: its last error, and the signs that explain it. */
export class Diagnosis {
  readonly changed = new Signal<void>()
  #lastError: LastError | null = null
  readonly #stream9: Stream9Log
  readonly #noise: LineNoise
  readonly #transport: TransportCheck
  readonly #presence: MissingPresence

  constructor(
    private readonly record: EquipmentRecord,
    driver: LinkDriver,
    private readonly clock: Clock,
    journal: Journal,
  ) {
    this.#stream9 = new Stream9Log(clock, record)
    this.#noise = new LineNoise(() => driver.counts)
    this.#transport = new TransportCheck(driver.settings, clock)
    this.#presence = new MissingPresence(record.id, journal)
  }

  get lastError(): LastError | null {
    return this.#lastError
  }

  /** What shows that a SECS-I line changes bytes, for people; null where it does not. */
  get lineNoise(): string | null {
    return this.#noise.seen
  }

  /** The device ID and stream 9 messages, as a text for people, after `facts`. */
  signs(...facts: readonly string[]): string {
    return `${[`device ID ${this.record.device_id}`, ...facts].join(', ')}${this.#stream9.recent}`
  }

  /** Connections begin anew. */
  start(): void {
    this.#transport.forget()
  }

  /** The connection is selected. */
  selected(): void {
    this.#stream9.begin()
    this.#noise.begin()
  }

  /** Communication is established. */
  cleared(): void {
    this.#lastError = null
  }

  received(received: ReceivedMessage): void {
    this.#stream9.receive(received)
  }

  remember({ code, detail }: Pick<LastError, 'code' | 'detail'>): void {
    this.#lastError = { code, detail, at: this.clock.date().toISOString() }
    this.changed.emit()
  }

  /**
   * A selected connection has ended. Where nothing has come over a dialled SECS-I line, the equipment may speak HSMS: it
   * is asked, and what is found counts while the connection `isWanted`.
   */
  lineLost(fault: Fault, isWanted: () => boolean): void {
    const { transport, mode } = this.record
    const isSilent = transport === 'secs1-tcp' && mode === 'passive' && this.#noise.isSilent
    if (!isSilent) this.#transport.forget()
    this.remember(this.#transport.found ?? fault)
    if (!isSilent) return
    void this.#transport.ask().then((found) => found && isWanted() && this.remember(found))
  }

  /**
   * Reports at once equipment that replies under another session ID: its reply to S1F13 would only time out. Once
   * communication is established, a primary under another session ID is reported as well: its content is lost.
   */
  reportsMisaddressing(isCommunicating: boolean): boolean {
    const misaddressed = isCommunicating ? this.#stream9.otherDeviceError : this.#stream9.misaddressed
    if (!misaddressed) return false
    const last = this.#lastError
    const isSame = last?.detail === misaddressed.detail
    const age = isSame ? this.clock.date().getTime() - Date.parse(last.at) : Number.POSITIVE_INFINITY
    if (age >= SAME_ERROR_INTERVAL_MS) this.remember(misaddressed)
    return true
  }

  /**
   * S1F13 failed. If the equipment does not know S1F13, and has never sent S1F13 or S1F14, this resolves to the reason,
   * and the session continues without it; otherwise to undefined.
   */
  async denied({ code, detail, knowsGem, isAborted, isError }: Denial): Promise<string | undefined> {
    if (this.reportsMisaddressing(false)) return undefined
    const isSilent = code === 'communication_timeout'
    const noise = isSilent ? this.#noise.error : null
    if (noise) {
      this.remember(noise)
      return undefined
    }
    const said = (isError && this.#stream9.replyToS1F13) || `${detail}${this.#stream9.all}`
    this.remember({ code, detail: knowsGem ? said : `${said}; ${NO_GEM}` })
    if (knowsGem) return undefined
    const isMissing = await this.#presence.isMissing(isSilent, isAborted || this.#stream9.refusesS1F13)
    return isMissing ? `${said}: it is treated as equipment with communication none` : undefined
  }
}
