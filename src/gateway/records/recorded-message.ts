import type { Content, KnownMessage, MessageFrom } from '../../catalogue/known-message.js'
import type { Sender } from '../../catalogue/message-row.js'
import { sentBy } from '../../catalogue/view.js'
import type { DataMessage } from '../../hsms/message.js'
import type { JsonObject } from '../../kit/text/json.js'
import { type Decoded, decoded, decodedInParts } from '../../secs2/decode.js'
import type { Item } from '../../secs2/item.js'
import { Base64, type Entry, type Kind, type NewEntry, type Revive, StoredValue } from '../../store/entry.js'
import { MESSAGE_RECEIVED, MESSAGE_SENT, MESSAGES } from './journal-kinds.js'
import { topicOf } from './message-topics.js'
import type { Reading } from './reading.js'

/** The items of a longer body are not kept. */
const MAX_KEPT_BYTES = 1.5 * 1024 * 1024
/** A body of so many bytes is written in parts. */
const LONG_BYTES = 64 * 1024
/** A longer body is decoded in steps, where the caller can wait. */
const STEP_BYTES = 12 * 1024

/** A longer body is never decoded at once while messages pass. */
const SLOW_BYTES = 256 * 1024

/** How a message is stored, as the `data` of its entry. */
interface StoredMessage {
  readonly stream: number
  readonly function: number
  readonly w_bit: boolean
  readonly session_id: number
  readonly system_bytes: number
  /** Base64; its bytes where a store has decoded it. */
  readonly body: string | Uint8Array
  readonly reply_to: number | null
  readonly may_be_spooled?: true
  readonly sent_by?: string
  readonly traceparent?: string
  readonly with_host?: true
  readonly equipment_system_bytes?: number
}

/** The direction of a message, its equipment, and the primary that it replies to. */
export interface Origin {
  readonly direction: 'sent' | 'received'
  readonly equipmentId: string
  /** Of a secondary: the sequence number of its primary. */
  readonly replyTo?: number | null
  /** It came while the equipment was sending its spool. */
  readonly mayBeSpooled?: boolean
  /** Email of the user whose call sent it; left out for what the gateway sends by itself. */
  readonly sentBy?: string | undefined
  /** The trace context of that call, if it had one; a reply has that of its primary. */
  readonly traceparent?: string | undefined
  /** Of tapped equipment: it passed between the equipment and its own host, and not the gateway. */
  readonly isWithHost?: boolean
  /** Of tapped equipment: its system bytes on the equipment's side of the tap, where they are others. */
  readonly equipmentSystemBytes?: number | undefined
}

/** Who sends a message, or gets it: the host is the one that tapped equipment has beside the gateway. */
export type Party = 'equipment' | 'host' | 'gateway'

/** One SECS message of one equipment, as it passed on the wire: from its reception or composition to all who read it. */
export class RecordedMessage extends StoredValue implements DataMessage {
  readonly direction: 'sent' | 'received'
  readonly equipmentId: string
  readonly replyTo: number | null
  readonly mayBeSpooled: boolean
  readonly sentBy: string | undefined
  readonly traceparent: string | undefined
  readonly isWithHost: boolean
  readonly equipmentSystemBytes: number | undefined
  readonly sessionId: number
  readonly stream: number
  readonly function: number
  readonly wait: boolean
  readonly systemBytes: number
  /** Base64 until the body of a message that was read from the journal is asked for. */
  #body: Uint8Array | string
  #decoded: Decoded | undefined

  /** `message.body`: bytes that are never changed, or base64. `known`: the decoded items, where the caller has them. */
  constructor(
    {
      direction,
      equipmentId,
      replyTo = null,
      mayBeSpooled = false,
      sentBy,
      traceparent,
      isWithHost = false,
      equipmentSystemBytes,
    }: Origin,
    message: Omit<DataMessage, 'body'> & { readonly body: Uint8Array | string },
    known?: Decoded,
  ) {
    super()
    this.direction = direction
    this.equipmentId = equipmentId
    this.replyTo = replyTo
    this.mayBeSpooled = mayBeSpooled
    this.sentBy = sentBy
    this.traceparent = traceparent
    this.isWithHost = isWithHost
    this.equipmentSystemBytes = equipmentSystemBytes
    this.sessionId = message.sessionId
    this.stream = message.stream
    this.function = message.function
    this.wait = message.wait
    this.systemBytes = message.systemBytes
    this.#body = message.body
    if (this.length <= MAX_KEPT_BYTES) this.#decoded = known
  }

  /** The exact bytes of its body. */
  get body(): Uint8Array {
    if (typeof this.#body === 'string') this.#body = Buffer.from(this.#body, 'base64')
    return this.#body
  }

  /** Of its body, in bytes. */
  get length(): number {
    return typeof this.#body === 'string' ? Buffer.byteLength(this.#body, 'base64') : this.#body.length
  }

  /** Whether to decode its body at once would hold up the event loop for long. */
  get needsSteps(): boolean {
    return this.length > SLOW_BYTES
  }

  /** What its body says: decoded once, unless it is long. */
  get decoded(): Decoded {
    if (this.#decoded) return this.#decoded
    const read = decoded(this.body)
    if (this.length <= MAX_KEPT_BYTES) this.#decoded = read
    return read
  }

  /** The same in steps of less than a millisecond, for a caller that does not keep the items. */
  *decodedInSteps(): Generator<undefined, Decoded> {
    if (this.#decoded || this.length <= STEP_BYTES) return this.decoded
    return yield* decodedInParts(this.body)
  }

  /** Keeps its bytes only: its items take several times as much memory, and are decoded again when they are read. */
  dropItems(): void {
    this.#decoded = undefined
  }

  get item(): Item | undefined {
    return this.decoded.item
  }

  /** Why its body is not valid SECS-II. */
  get fault(): string | undefined {
    return this.decoded.fault
  }

  /** Such as `S6F11`. */
  get topic(): string {
    return topicOf(this.stream, this.function)
  }

  get from(): Party {
    return this.direction === 'received' ? 'equipment' : this.#otherEnd
  }

  get to(): Party {
    return this.direction === 'sent' ? 'equipment' : this.#otherEnd
  }

  get #otherEnd(): Party {
    return this.isWithHost ? 'host' : 'gateway'
  }

  get isPrimary(): boolean {
    return this.function % 2 === 1
  }

  /** The named values of a message of the standard; null where the body does not have its structure. */
  content<From extends Sender, Name extends MessageFrom<From>>(
    name: Name & KnownMessage,
    sender: From,
    reading: Reading,
  ): Content<Name, From> | null {
    const { item, fault } = this.decoded
    return fault === undefined ? reading.catalogue.read(name, item, sentBy(reading, sender)) : null
  }

  /** `at`: ISO 8601, UTC. `patience`: that of the entry. */
  entry(at: string, patience?: number): NewEntry {
    const { type, name } = this.direction === 'sent' ? MESSAGE_SENT : MESSAGE_RECEIVED
    const data = this as unknown as JsonObject
    return { type, name, key: this.equipmentId, topic: this.topic, at, data, patience }
  }

  /** A `StoredMessage`. */
  get json(): string {
    const [start, body, end] = this.#around(this.#base64)
    return start + body + end
  }

  override get parts(): readonly (string | Base64)[] | undefined {
    const body = this.#body
    return typeof body === 'string' || body.length < LONG_BYTES ? undefined : this.#around(new Base64(body))
  }

  /** A `StoredMessage` with this body. */
  #around<Body>(body: Body): [string, Body, string] {
    const { stream, function: fn, wait, sessionId, systemBytes, replyTo } = this
    const numbers = `"stream":${stream},"function":${fn},"w_bit":${wait},"session_id":${sessionId}`
    const spooled = this.mayBeSpooled ? ',"may_be_spooled":true' : ''
    const by = this.sentBy === undefined ? '' : `,"sent_by":${JSON.stringify(this.sentBy)}`
    const traced = this.traceparent === undefined ? '' : `,"traceparent":"${this.traceparent}"`
    const host = this.isWithHost ? ',"with_host":true' : ''
    const { equipmentSystemBytes: mapped } = this
    const others = mapped === undefined ? '' : `,"equipment_system_bytes":${mapped}`
    const end = `","reply_to":${replyTo}${spooled}${by}${traced}${host}${others}}`
    return [`{${numbers},"system_bytes":${systemBytes},"body":"`, body, end]
  }

  get #base64(): string {
    if (typeof this.#body === 'string') return this.#body
    const { buffer, byteOffset, length } = this.#body
    return Buffer.from(buffer, byteOffset, length).toString('base64')
  }
}

/** Whether an entry, or one of a kind, is a message: of the kinds `message_sent` and `message_received`. */
export const isMessage = ({ name }: Kind): boolean => MESSAGES.some((kind) => kind.name === name)

/** The message in an entry of the kinds `message_sent` and `message_received`. */
export const messageOf = (entry: Entry): RecordedMessage => entry.data as unknown as RecordedMessage

function revivedEntry(entry: Entry): Entry {
  if (!isMessage(entry)) return entry
  const stored = entry.data as unknown as StoredMessage
  const message = new RecordedMessage(
    {
      direction: entry.name === MESSAGE_SENT.name ? 'sent' : 'received',
      equipmentId: entry.key,
      replyTo: stored.reply_to,
      mayBeSpooled: stored.may_be_spooled === true,
      sentBy: stored.sent_by,
      traceparent: stored.traceparent,
      isWithHost: stored.with_host === true,
      equipmentSystemBytes: stored.equipment_system_bytes,
    },
    {
      sessionId: stored.session_id,
      stream: stored.stream,
      function: stored.function,
      wait: stored.w_bit,
      systemBytes: stored.system_bytes,
      body: stored.body,
    },
  )
  return { ...entry, data: message as unknown as JsonObject }
}

/** An entry as it was appended, made of one that was read from disk. */
export const revived: Revive = Object.assign(revivedEntry, {
  base64In: (kind: Kind) => (isMessage(kind) ? 'body' : undefined),
})
