import { isJsonObject } from '../../kit/text/json.js'
import { fromTypedJson, TypedJsonError, type TypedJsonFault } from '../../secs2/json.js'
import type { TextCodec } from '../../secs2/text.js'
import { type Failure, wrongUsage } from '../errors/failure.js'
import { unitsOfHex } from './hex-units.js'
import type { Found, MessageUnit } from './unit.js'

/**
 * The units of a JSON text: one value, an array of values, or one value a line. A value is a typed item, a message
 * with its `body` (as the API returns one), or an HSMS message with its `header` and `hex`. Throws a `Failure`.
 */
export function unitsOfJson(text: string, codec: TextCodec | undefined): Found[] {
  return valuesIn(text).flatMap(({ place, value }) => {
    try {
      return unitsOfValue(value, codec)
    } catch (error) {
      if (error instanceof TypedJsonError) throw wrongUsage(`${place}${error.message}`)
      throw error
    }
  })
}

interface Placed {
  /** Where it is, with a colon; empty where there is one alone. */
  readonly place: string
  readonly value: unknown
}

function valuesIn(text: string): Placed[] {
  try {
    const json: unknown = JSON.parse(text)
    if (!Array.isArray(json)) return [{ place: '', value: json }]
    return json.map((value, at) => ({ place: `/${at}: `, value }))
  } catch (whole) {
    const lines = text.split('\n').map((line, at) => ({ line: line.trim(), number: at + 1 }))
    const filled = lines.filter(({ line }) => line !== '')
    // A value over several lines: only one error for the whole text is known.
    if (!filled.every(({ line }) => /^[{[].*[}\]]$/.test(line))) throw notJson('', whole)
    return filled.map(({ line, number }) => {
      try {
        return { place: `line ${number}: `, value: JSON.parse(line) as unknown }
      } catch (error) {
        throw notJson(`line ${number}: `, error)
      }
    })
  }
}

const notJson = (place: string, error: unknown): Failure =>
  wrongUsage(`${place}this is not JSON: ${(error as Error).message}`)

function unitsOfValue(value: unknown, codec: TextCodec | undefined): Found[] {
  if (isJsonObject(value)) {
    if ('hex' in value && 'header' in value) return unitsOfHex(String(value['hex']))
    if ('stream' in value && 'function' in value) return [messageOf(value, codec)]
  }
  return [{ kind: 'body', item: fromTypedJson(value, codec) }]
}

/** A message as the API returns or accepts one; members that are not part of the message are ignored. */
function messageOf(value: Readonly<Record<string, unknown>>, codec: TextCodec | undefined): MessageUnit {
  const { body, w_bit, wait_for_reply, decode_error } = value
  if (body === undefined) throw wrongAt('/body', 'a message has a body; null when it is header-only')
  if (typeof decode_error === 'string') throw wrongAt('/body', `it is no SECS-II: ${decode_error}`)
  return {
    kind: 'message',
    stream: numberUpTo(127, '/stream', value['stream']),
    function: numberUpTo(255, '/function', value['function']),
    wait: (w_bit ?? wait_for_reply) === true,
    item: body === null ? undefined : itemAt('/body', body, codec),
  }
}

function itemAt(place: string, json: unknown, codec: TextCodec | undefined) {
  try {
    return fromTypedJson(json, codec)
  } catch (error) {
    if (!(error instanceof TypedJsonError)) throw error
    const [first, ...others] = error.faults
    const placed = (fault: TypedJsonFault): TypedJsonFault => ({ ...fault, pointer: place + fault.pointer })
    throw new TypedJsonError([placed(first), ...others.map(placed)])
  }
}

const wrongAt = (pointer: string, detail: string): TypedJsonError => new TypedJsonError([{ pointer, detail }])

function numberUpTo(most: number, pointer: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value
  throw wrongAt(pointer, `an integer of 0 to ${most}`)
}
