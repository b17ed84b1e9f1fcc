import type { NamedValues } from '../../catalogue/values/read.js'
import { sentBy, type View } from '../../catalogue/view.js'
import type { CollectionEvent, Message } from '../../contract/topics/messages.js'
import { jsonParts } from '../../kit/text/json-parts.js'
import { chunks, joined } from '../../secs2/in-parts.js'
import { toTypedJson } from '../../secs2/json.js'
import { jsonString, typedJsonParts } from '../../secs2/json-parts.js'
import { printSml, smlParts } from '../../secs2/sml/print.js'
import type { Entry } from '../../store/entry.js'
import { NOTHING_KNOWN } from '../knowledge/known-equipment.js'
import type { Reading } from '../records/reading.js'
import { messageOf, type RecordedMessage } from '../records/recorded-message.js'
import { collectionEventOf } from './collection-event.js'

/** The views of a message's body. */
export type BodyView = Pick<Message, 'data' | 'body' | 'sml' | 'collection_event' | 'raw' | 'decode_error'>

export function viewBody(entry: Entry, reading: Reading): BodyView {
  const message = messageOf(entry)
  const { stream, function: fn, wait } = message
  const { item, fault } = message.decoded
  if (fault !== undefined) {
    const unread = { data: null, body: null, sml: null, collection_event: null }
    return { ...unread, raw: rawOf(message), decode_error: fault }
  }
  const data = reading.catalogue.readAny(stream, fn, item, viewOf(message, reading))
  return {
    data,
    body: item ? toTypedJson(item, reading.text) : null,
    sml: printSml({ stream, function: fn, wait, item }, { text: reading.text }),
    collection_event: eventIn(entry, data, reading),
  }
}

/**
 * The members of `viewBody` as JSON, in parts; an empty part marks a step of work without output. `raw`: the bytes also
 * where they are valid SECS-II.
 */
export function* bodyParts(entry: Entry, reading: Reading, raw = false): Generator<string> {
  const message = messageOf(entry)
  const { stream, function: fn, wait } = message
  const { item, fault } = yield* resultOf(message.decodedInSteps())
  if (fault !== undefined) {
    yield '"data":null,"body":null,"sml":null,"collection_event":null,"raw":'
    yield* jsonString(hexOf(message))
    yield `,"decode_error":${JSON.stringify(fault)}`
    return
  }
  const data = yield* resultOf(reading.catalogue.readAnyInParts(stream, fn, item, viewOf(message, reading)))
  yield '"data":'
  yield* jsonParts(data, Number.POSITIVE_INFINITY)
  yield ',"body":'
  if (item) yield* typedJsonParts(item, reading.text)
  else yield 'null'
  yield ',"sml":'
  yield* jsonString(smlParts({ stream, function: fn, wait, item }, { text: reading.text }))
  yield ',"collection_event":'
  yield* jsonParts(eventIn(entry, data, reading), Number.POSITIVE_INFINITY)
  if (!raw) return
  yield ',"raw":'
  yield* jsonString(hexOf(message))
}

const viewOf = ({ direction }: RecordedMessage, reading: Reading): View & Reading =>
  sentBy(reading, direction === 'sent' ? 'host' : 'equipment')

function eventIn(entry: Entry, data: NamedValues | null, { knowledge }: Reading): CollectionEvent | null {
  return collectionEventOf(messageOf(entry).topic, data, entry.seq, knowledge ?? NOTHING_KNOWN)
}

/** The bytes of a body as hex. */
export const rawOf = (message: RecordedMessage): string => joined(hexOf(message))

/** The same in pieces. */
export function* hexOf({ body }: Pick<RecordedMessage, 'body'>): Generator<string> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  for (const [from, to] of chunks(bytes.length)) yield bytes.toString('hex', from, to)
}

/** Runs `work`, with an empty part for each of its steps, and returns its result. */
function* resultOf<T>(work: Generator<undefined, T>): Generator<string, T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    yield ''
  }
}
