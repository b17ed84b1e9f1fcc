import type { DataMessage } from '../../hsms/message.js'
import type { JsonObject } from '../../kit/text/json.js'
import type { Entry, NewEntry } from '../../store/entry.js'
import { MESSAGE_RECEIVED, MESSAGE_SENT } from './journal-kinds.js'

/** A message in the journal: its header and the exact bytes of its body. Everything else is derived. */
export interface MessageEntry {
  readonly stream: number
  readonly function: number
  readonly w_bit: boolean
  readonly session_id: number
  readonly system_bytes: number
  /** Base64. */
  readonly body: string
  /** Of a secondary: the sequence number of its primary. */
  readonly reply_to: number | null
  /** It came while the equipment was sending its spool; else left out. */
  readonly may_be_spooled?: true
}

export function messageEntry(
  direction: 'sent' | 'received',
  equipmentId: string,
  message: DataMessage,
  replyTo: number | null,
  at: string,
  { may_be_spooled = false } = {},
): NewEntry {
  const { body } = message
  const data: MessageEntry = {
    stream: message.stream,
    function: message.function,
    w_bit: message.wait,
    session_id: message.sessionId,
    system_bytes: message.systemBytes,
    body: Buffer.from(body.buffer, body.byteOffset, body.length).toString('base64'),
    reply_to: replyTo,
    ...(may_be_spooled && { may_be_spooled }),
  }
  const kind = direction === 'sent' ? MESSAGE_SENT : MESSAGE_RECEIVED
  const topic = topicOf(message.stream, message.function)
  return { ...kind, key: equipmentId, topic, at, data: data as unknown as JsonObject }
}

/** The topic by which a message is found by its stream and function, such as `S6F11`. */
export const topicOf = (stream: number, fn: number): string => `S${stream}F${fn}`

const STREAMS = Array.from({ length: 128 }, (_, stream) => stream)
const FUNCTIONS = Array.from({ length: 256 }, (_, fn) => fn)

/**
 * The topics of messages with this stream and function; undefined stands for all. The empty topic is included, for
 * messages that were recorded before there were topics: check their header as well.
 */
export function topicsOf(stream: number | undefined, fn: number | undefined): ReadonlySet<string> {
  const streams = stream === undefined ? STREAMS : [stream]
  const functions = fn === undefined ? FUNCTIONS : [fn]
  return new Set(['', ...streams.flatMap((s) => functions.map((f) => topicOf(s, f)))])
}

/** The message in an entry of the kinds `message_sent` and `message_received`. */
export const messageOf = (entry: Entry): MessageEntry => entry.data as unknown as MessageEntry

export const isPrimaryEntry = (message: MessageEntry): boolean => message.function % 2 === 1

/** Which way the message of such an entry went. */
export const directionOf = ({ name }: Entry): 'sent' | 'received' =>
  name === MESSAGE_SENT.name ? 'sent' : 'received'
