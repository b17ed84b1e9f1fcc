import { leafInParts } from '../../catalogue/values/leaf-parts.js'
import type { NamedValues } from '../../catalogue/values/read.js'
import type { View } from '../../catalogue/view.js'
import type { CollectionEvent, Message } from '../../contract/messages.js'
import { jsonParts } from '../../kit/text/json-parts.js'
import { decodeBody, decodeBodyInParts } from '../../secs2/decode.js'
import { Secs2DecodeError } from '../../secs2/errors.js'
import { portions } from '../../secs2/in-parts.js'
import type { Item } from '../../secs2/item.js'
import { toTypedJson } from '../../secs2/json.js'
import { jsonString, typedJsonParts } from '../../secs2/json-parts.js'
import { printSml } from '../../secs2/sml/print.js'
import { smlParts } from '../../secs2/sml/print-parts.js'
import type { Entry } from '../../store/entry.js'
import { NOTHING_KNOWN } from '../knowledge/known-equipment.js'
import { directionOf, messageOf, topicOf } from '../records/message-entry.js'
import type { Reading } from '../records/reading.js'
import { collectionEventOf } from './collection-event.js'

/** The views of a message's body. */
export type BodyView = Pick<Message, 'data' | 'body' | 'sml' | 'collection_event' | 'raw' | 'decode_error'>

export function viewBody(entry: Entry, reading: Reading): BodyView {
  const { stream, function: fn, w_bit: wait } = messageOf(entry)
  const bytes = bytesIn(entry)
  let item: Item | undefined
  try {
    item = decodeBody(bytes)
  } catch (error) {
    const unread = { data: null, body: null, sml: null, collection_event: null }
    return { ...unread, raw: bytes.toString('hex'), decode_error: faultOf(error) }
  }
  const data = reading.catalogue.readAny(stream, fn, item, viewOf(entry, reading))
  return {
    data,
    body: item ? toTypedJson(item, reading.text) : null,
    sml: printSml({ stream, function: fn, wait, item }, { text: reading.text }),
    collection_event: eventIn(entry, data, reading),
  }
}

/** The members of `viewBody` as JSON, in parts; an empty part marks a step of work without output. */
export function* bodyParts(entry: Entry, reading: Reading): Generator<string> {
  const { stream, function: fn, w_bit: wait } = messageOf(entry)
  const bytes = bytesIn(entry)
  let item: Item | undefined
  try {
    item = yield* resultOf(decodeBodyInParts(bytes))
  } catch (error) {
    yield '"data":null,"body":null,"sml":null,"collection_event":null,"raw":'
    yield* jsonString(hexOf(bytes))
    yield `,"decode_error":${JSON.stringify(faultOf(error))}`
    return
  }
  const data = reading.catalogue.readAny(stream, fn, item, viewOf(entry, reading), leafInParts)
  yield '"data":'
  yield* jsonParts(data, Number.POSITIVE_INFINITY)
  yield ',"body":'
  if (item) yield* typedJsonParts(item, reading.text)
  else yield 'null'
  yield ',"sml":'
  yield* jsonString(smlParts({ stream, function: fn, wait, item }, { text: reading.text }))
  yield ',"collection_event":'
  yield* jsonParts(eventIn(entry, data, reading), Number.POSITIVE_INFINITY)
}

const bytesIn = (entry: Entry): Buffer => Buffer.from(messageOf(entry).body, 'base64')

const viewOf = (entry: Entry, reading: Reading): View & Reading => ({
  sender: directionOf(entry) === 'sent' ? 'host' : 'equipment',
  ...reading,
})

function eventIn(entry: Entry, data: NamedValues | null, { knowledge }: Reading): CollectionEvent | null {
  const { stream, function: fn } = messageOf(entry)
  return collectionEventOf(topicOf(stream, fn), data, entry.seq, knowledge ?? NOTHING_KNOWN)
}

/** Why a body cannot be decoded. Throws errors of any other kind. */
function faultOf(error: unknown): string {
  if (error instanceof Secs2DecodeError) return error.message
  throw error
}

function* hexOf(bytes: Buffer): Generator<string> {
  for (const [from, to] of portions(bytes.length)) yield bytes.toString('hex', from, to)
}

/** Runs `work`, with an empty part for each of its steps, and returns its result. */
function* resultOf<T>(work: Generator<undefined, T>): Generator<string, T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    yield ''
  }
}
