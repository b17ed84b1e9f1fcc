import type { Catalogue } from '../catalogue/catalogue.js'
import type { View } from '../catalogue/view.js'
import type { Message, Outcome } from '../contract/messages.js'
import { decodeBody } from '../secs2/decode.js'
import { Secs2DecodeError } from '../secs2/errors.js'
import type { Item } from '../secs2/item.js'
import { toTypedJson } from '../secs2/json.js'
import { printSml } from '../secs2/sml/print.js'
import { LATIN1, type TextCodec } from '../secs2/text.js'
import type { Entry } from '../store/journal.js'
import { MESSAGE_SENT } from './journal-kinds.js'
import { isPrimaryEntry, type MessageEntry, messageOf } from './message-entry.js'

/** How an equipment's items are to be read: what is known of them, its overrides of formats, its text encoding. */
export interface Reading {
  readonly catalogue: Catalogue
  readonly formats: Readonly<Record<string, string>>
  readonly text: TextCodec
}

/** Reads the messages of an equipment that is not registered any more. */
export const plainReading = (catalogue: Catalogue): Reading => ({ catalogue, formats: {}, text: LATIN1 })

/** What is known of a primary's end. */
export interface Ending {
  readonly outcome: Outcome
  readonly reply_id?: string
  readonly latency_ms?: number
  readonly s9?: string
}

/** What became of a primary as it stood when it was recorded. */
export const endingAtFirst = (message: MessageEntry): Ending | undefined =>
  isPrimaryEntry(message) ? { outcome: message.w_bit ? 'pending' : 'not_expected' } : undefined

/** A message as the API shows it: the header, and three views of the body's exact bytes. */
export function viewMessage(entry: Entry, reading: Reading, ending: Ending | undefined): Message {
  const message = messageOf(entry)
  const direction = entry.name === MESSAGE_SENT.name ? 'sent' : 'received'
  return {
    id: String(entry.seq),
    equipment_id: entry.key,
    direction,
    stream: message.stream,
    function: message.function,
    name: reading.catalogue.name(message.stream, message.function),
    w_bit: message.w_bit,
    session_id: message.session_id,
    system_bytes: message.system_bytes,
    ...viewBody(message, { sender: direction === 'sent' ? 'host' : 'equipment', ...reading }),
    at: entry.at,
    reply_to: message.reply_to === null ? null : String(message.reply_to),
    ...ending,
  }
}

type BodyView = Pick<Message, 'data' | 'body' | 'sml' | 'raw' | 'decode_error'>

function viewBody(message: MessageEntry, view: View & Reading): BodyView {
  const bytes = Buffer.from(message.body, 'base64')
  const { stream, function: fn, w_bit: wait } = message
  let item: Item | undefined
  try {
    item = decodeBody(bytes)
  } catch (error) {
    if (!(error instanceof Secs2DecodeError)) throw error
    const header = printSml({ stream, function: fn, wait, item: undefined })
    return { data: null, body: null, sml: header, raw: bytes.toString('hex'), decode_error: error.message }
  }
  return {
    data: view.catalogue.readAny(stream, fn, item, view),
    body: item ? toTypedJson(item, view.text) : null,
    sml: printSml({ stream, function: fn, wait, item }, { text: view.text }),
  }
}
