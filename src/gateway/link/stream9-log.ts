import type { LastError } from '../../contract/equipment.js'
import { subjectOfStream9 } from '../../gem/message-header.js'
import type { Clock } from '../../kit/clock.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import type { RecordedMessage } from '../records/recorded-message.js'
import type { ReceivedMessage } from './reception.js'

/** An S9 older than this, in milliseconds, is taken to be about an earlier message. */
const RECENT_MS = 60_000

const MAX_DEVICE_ID = 32_767

/** Stream 9 messages and session IDs of one connection, as a text for people: why the equipment may not reply. */
export class Stream9Log {
  #lastS9: { readonly name: string; readonly at: number } | null = null
  /** The session ID of the last data message, when it is not the device ID that is registered. */
  #otherId: number | null = null
  /** Whether that message was a reply. */
  #isReply = false

  constructor(
    private readonly clock: Clock,
    private readonly ids: Pick<EquipmentRecord, 'transport' | 'device_id' | 'session_id'>,
  ) {}

  /** A new connection. */
  begin(): void {
    this.#lastS9 = null
    this.#otherId = null
  }

  receive({ kind, message }: ReceivedMessage): void {
    if (message.stream === 9) this.#lastS9 = { name: nameOf(message), at: this.clock.now() }
    this.#otherId = kind === 'other_device' ? message.sessionId : null
    this.#isReply = message.function % 2 === 0
  }

  /** It does not know S1F13: it sent S9F3 or S9F5 about that. */
  get refusesS1F13(): boolean {
    return this.#lastS9 !== null && /^S9F[35] about S1F13$/.test(this.#lastS9.name)
  }

  /** Such as `the equipment replied to S1F13 with S9F5`; undefined where its last S9 is about something else. */
  get replyToS1F13(): string | undefined {
    const [, topic] = /^(S9F\d+) about S1F13$/.exec(this.#lastS9?.name ?? '') ?? []
    return topic && `the equipment replied to S1F13 with ${topic}${this.#otherDevice}`
  }

  /** Such as `; its last S9: S9F5 about S64F1, 3 s ago; it speaks as device ID 7, not 0`; empty for nothing. */
  get recent(): string {
    if (!this.#lastS9) return this.#otherDevice
    const age = this.clock.now() - this.#lastS9.at
    const sent = age > RECENT_MS ? '' : `; its last S9: ${this.#lastS9.name}, ${Math.round(age / 1000)} s ago`
    return `${sent}${this.#otherDevice}`
  }

  /** The same without the time, however long ago. */
  get all(): string {
    return `${this.#lastS9 ? `, and sent ${this.#lastS9.name}` : ''}${this.#otherDevice}`
  }

  get #otherDevice(): string {
    return this.#otherId === null ? '' : `; ${this.#otherIdText}`
  }

  /**
   * The error where the equipment replies under another session ID than its device ID, so that no reply matches its
   * primary, or sent S9F1. Else null.
   */
  get misaddressed(): Pick<LastError, 'code' | 'detail'> | null {
    const { otherDeviceError } = this
    if (!this.#refusesDevice) return this.#isReply ? otherDeviceError : null
    const sent = `it sent ${this.#lastS9?.name}`
    if (otherDeviceError) return { ...otherDeviceError, detail: `${sent}, and ${otherDeviceError.detail}` }
    const { device_id } = this.ids
    const detail = `${sent}: it has no device ID ${device_id}, set its device_id to the one there`
    return { code: 'wrong_device_id', detail }
  }

  /** Its last message of stream 9 is S9F1. */
  get #refusesDevice(): boolean {
    return /^S9F1\b/.test(this.#lastS9?.name ?? '')
  }

  /** The last data message, of either kind, came under another session ID; null where it did not. */
  get otherDeviceError(): Pick<LastError, 'code' | 'detail'> | null {
    if (this.#otherId === null) return null
    return { code: this.#echoes ? 'wrong_session_id' : 'wrong_device_id', detail: this.#otherIdText }
  }

  /** HSMS: whether that is the session ID of our Select.req, which some equipment copies into data messages. */
  get #echoes(): boolean {
    const { transport, device_id, session_id } = this.ids
    return transport === 'hsms' && this.#otherId === session_id && session_id !== device_id
  }

  get #otherIdText(): string {
    const { device_id } = this.ids
    if (this.#echoes) {
      return `it speaks under session ID ${this.#otherId}, that of our Select.req, and not under device ID ${device_id}: set its session_id to ${device_id} (--session-id ${device_id})`
    }
    const isPossible = this.#otherId !== null && this.#otherId <= MAX_DEVICE_ID
    const cure = isPossible ? `: set its device_id (--device-id ${this.#otherId}), or the one there` : ''
    return `it speaks as device ID ${this.#otherId}, not ${device_id}${cure}`
  }
}

/** MHEAD: ten bytes, after an item header of at most four. */
const MAX_MHEAD_LENGTH = 14

/** Such as `S9F5 about S64F1`, where it carries the header of the message. */
function nameOf(message: RecordedMessage): string {
  const about = message.length > MAX_MHEAD_LENGTH ? undefined : subjectOfStream9(message)
  return `${message.topic}${about ? ` about S${about.stream}F${about.function}` : ''}`
}
