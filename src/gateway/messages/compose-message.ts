import { type Catalogue, CatalogueError } from '../../catalogue/catalogue.js'
import { sentBy } from '../../catalogue/view.js'
import { Problem } from '../../contract/errors.js'
import type { NewMessage } from '../../contract/topics/messages.js'
import type { SecsMessage } from '../../gem/conversation.js'
import { HEADER_LENGTH } from '../../hsms/frame/header.js'
import { HSMS_DEFAULTS } from '../../hsms/settings.js'
import { encodeBodySteps } from '../../secs2/encode.js'
import { Secs2EncodeError } from '../../secs2/errors.js'
import { faultsText, TypedJsonError, typedJsonSteps } from '../../secs2/json.js'
import { SmlError } from '../../secs2/sml/error.js'
import type { SmlMessage } from '../../secs2/sml/message.js'
import { smlSteps } from '../../secs2/sml/parse.js'
import type { Reading } from '../records/reading.js'

/** A caller's message, ready to be sent. */
export interface Composed extends SecsMessage {
  readonly wait: boolean
  readonly body: Uint8Array
}

const invalid = (detail: string, pointer: string): Problem =>
  new Problem('invalid_message', detail, { errors: [{ pointer, detail }] })

/**
 * Makes the message of a request, in steps: a long one takes seconds. Throws `invalid_request` or
 * `invalid_message` that names the part that does not fit.
 */
export function* composeMessage(given: NewMessage, reading: Reading): Generator<void, Composed> {
  const forms = (['data', 'body', 'sml'] as const).filter((form) => given[form] !== undefined)
  if (forms.length > 1) {
    throw new Problem('invalid_request', `Give one of data, body and sml, not ${forms.join(' and ')}.`, {
      errors: forms.map((form) => ({ pointer: `/${form}`, detail: 'may not stand beside the others' })),
    })
  }
  const { message, wait } =
    given.sml === undefined ? yield* fromItems(given, reading) : yield* fromSml(given.sml, given, reading)
  if (message.function % 2 === 0) {
    throw invalid(
      `${reading.catalogue.name(message.stream, message.function)} is a reply: only primaries, with an odd function, can be sent.`,
      '/function',
    )
  }
  const body = yield* encodedSteps(message, `/${forms[0] ?? 'data'}`)
  // Writing it to the journal will take long, too.
  if (body.length > LONG) yield
  const { stream, function: fn, item } = message
  return { stream, function: fn, item, wait: needsReply(message, wait, reading.catalogue), body }
}

type Read = { readonly message: SecsMessage; readonly wait: boolean }

function* fromItems(given: NewMessage, reading: Reading): Generator<void, Read> {
  const { stream, function: fn, wait_for_reply: wait = true } = given
  if (stream === undefined || fn === undefined) {
    const errors = [
      ...(stream === undefined ? [{ pointer: '/stream', detail: 'is required' }] : []),
      ...(fn === undefined ? [{ pointer: '/function', detail: 'is required' }] : []),
    ]
    throw new Problem('invalid_request', 'stream and function are required, unless sml states them.', {
      errors,
    })
  }
  if (given.body !== undefined)
    return { message: { stream, function: fn, item: yield* typedItem(given.body, reading) }, wait }
  return {
    message: { stream, function: fn, item: yield* namedItems(stream, fn, given.data ?? {}, reading) },
    wait,
  }
}

function* typedItem(body: unknown, reading: Reading): Generator<void, SecsMessage['item']> {
  try {
    return yield* typedJsonSteps(body, { text: reading.text, maxBytes: MAX_BODY_LENGTH })
  } catch (error) {
    if (!(error instanceof TypedJsonError)) throw error
    const errors = error.faults.map(({ pointer, detail }) => ({ pointer: `/body${pointer}`, detail }))
    throw new Problem('invalid_message', `${faultsText(errors)}.`, { errors })
  }
}

function* namedItems(
  stream: number,
  fn: number,
  data: Readonly<Record<string, unknown>>,
  reading: Reading,
): Generator<void, SecsMessage['item']> {
  try {
    return yield* reading.catalogue.buildGivenSteps(stream, fn, data, sentBy(reading, 'host'))
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    throw new Problem('invalid_message', error.message, {
      errors: error.problems.map(({ item, detail }) => ({ pointer: `/data/${item}`, detail })),
    })
  }
}

function* fromSml(text: string, given: NewMessage, reading: Reading): Generator<void, Read> {
  const [parsed] = yield* parsedSml(text, reading)
  if (!parsed) throw invalid('The SML text holds no message.', '/sml')
  for (const name of ['stream', 'function'] as const) {
    if (given[name] === undefined || given[name] === parsed[name]) continue
    throw invalid(`${name} is ${given[name]}, but the SML text says ${parsed[name]}.`, `/${name}`)
  }
  const { stream, function: fn, item } = parsed
  return { message: { stream, function: fn, item }, wait: given.wait_for_reply ?? parsed.wait }
}

function* parsedSml(text: string, reading: Reading): Generator<void, SmlMessage[]> {
  try {
    return yield* smlSteps(text, { text: reading.text, maxBytes: MAX_BODY_LENGTH, maxMessages: 1 })
  } catch (error) {
    if (!(error instanceof SmlError)) throw error
    throw invalid(error.message, '/sml')
  }
}

/** The W-bit follows the catalogue; the caller decides where the catalogue leaves it open. */
function needsReply({ stream, function: fn }: SecsMessage, wanted: boolean, catalogue: Catalogue): boolean {
  const rule = catalogue.wBit(stream, fn, 'host')
  return rule === 'required' || (rule !== 'forbidden' && wanted)
}

/** For a body of more bytes the work yields to the event loop between steps. */
const LONG = 256 * 1024

/** The longest body that a frame has room for, in bytes. */
const MAX_BODY_LENGTH = HSMS_DEFAULTS.maxMessageLength - HEADER_LENGTH

/** The bytes of a body, in steps. Throws `invalid_message` for one that no message has room for. */
export function* encodedSteps(
  { item }: Pick<SecsMessage, 'item'>,
  pointer: string,
): Generator<void, Uint8Array> {
  try {
    const body = yield* encodeBodySteps(item)
    if (body.length <= MAX_BODY_LENGTH) return body
    throw invalid(`The body has ${body.length} bytes: a message has room for ${MAX_BODY_LENGTH}.`, pointer)
  } catch (error) {
    if (!(error instanceof Secs2EncodeError)) throw error
    throw invalid(error.message, pointer)
  }
}
