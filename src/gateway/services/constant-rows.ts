import type { GivenValue } from '../../catalogue/structure/structure-data.js'
import { type Fault, faultyRequest, type Problem } from '../../contract/errors.js'
import type { TypedItem } from '../../contract/topics/messages.js'
import type { NamedValue } from '../../contract/values.js'
import { formatOf, type PlainValue, type TypedValue, typedValue, valueAs } from '../../gem/typed-value.js'
import { isJsonObject } from '../../kit/text/json.js'
import { pointerStep } from '../../kit/text/json-text.js'
import { type Format, isTextFormat } from '../../secs2/format.js'
import { fromTypedJson, TypedJsonError } from '../../secs2/json.js'
import { textCodec } from '../../secs2/text.js'
import { givenId } from './given-id.js'

/** A value for a constant, under the name or id that the caller gave. */
export interface WantedConstant {
  readonly name: string
  readonly id: string
  readonly value: unknown
}

interface Row {
  readonly ECID: GivenValue
  readonly ECV: GivenValue
}

/** A typed item is sent as it is, independent of the constant's current format. */
export const isTyped = (value: unknown): value is TypedItem => isJsonObject(value)

/** The JSON pointer of a constant within a change. */
export const pointerTo = (name: string): string => `/values${pointerStep(name)}`

/**
 * The rows of S2F15. Plain values take the formats of `now`, the equipment's current values. Throws
 * `invalid_message` with all values that do not fit, `name_not_found` where the equipment does not have a constant.
 */
export function constantRows(
  wanted: readonly WantedConstant[],
  now: readonly NamedValue[],
  equipmentName: string,
): readonly Row[] {
  if (wanted.length === 0) throw refused([{ pointer: '/values', detail: 'names no constant' }])
  const faults: Fault[] = []
  const values = new Map(now.map((known) => [known.id, known.value]))
  const unknown = `is no constant that ${equipmentName} has`
  const rows = wanted.map(({ name, id, value }): Row => {
    const made = itemGiven(value, values.get(id) ?? null, unknown)
    if (typeof made === 'object') return { ECID: givenId(id), ECV: made }
    faults.push({ pointer: pointerTo(name), detail: made })
    return { ECID: givenId(id), ECV: [] }
  })
  if (faults.length > 0)
    throw refused(
      faults,
      faults.every(({ detail }) => detail === unknown) ? 'name_not_found' : 'invalid_message',
    )
  return rows
}

const refused = (
  errors: readonly Fault[],
  code: 'name_not_found' | 'invalid_message' = 'invalid_message',
): Problem =>
  faultyRequest(code, errors, {
    start: 'The constants cannot be sent: ',
    ...(code === 'name_not_found' && { next: [{ operation: 'listConstants' }] }),
  })

/**
 * A value that a caller gives: a typed item as it is, a plain one in the format of `current`. Or what is wrong with it;
 * `unknown` where there is no current value.
 */
export const itemGiven = (value: unknown, current: TypedItem | null, unknown: string): TypedValue | string =>
  isTyped(value) ? typed(value) : plain(value, current, unknown)

function typed(value: TypedItem): TypedValue | string {
  try {
    // The equipment's encoding is checked when the message is built; UTF-8 accepts any text here.
    fromTypedJson(value, textCodec('utf-8'))
    return value as TypedValue
  } catch (error) {
    if (!(error instanceof TypedJsonError)) throw error
    return `is no typed item: ${error.message}`
  }
}

function plain(value: unknown, current: TypedItem | null, unknown: string): TypedValue | string {
  const values = Array.isArray(value) && value.every(isPlain) ? value : undefined
  if (!values && !isPlain(value))
    return 'takes a string, a number, a boolean, several in an array, or a typed item'
  if (current === null) return unknown
  const format = formatOf(current as TypedValue)
  if (format === 'L') return 'is a list: give it as a typed item, such as {"L":[{"U4":[1]}]}'
  if (!values && isTextFormat(format)) return { [format]: String(value) }
  const bytes = format === 'B' && typeof value === 'string' ? /^0x((?:[0-9a-f]{2}){2,})$/i.exec(value) : null
  const several = bytes ? [...Buffer.from(bytes[1] ?? '', 'hex')] : values
  const made = several ? valuesAs(format, several) : valueAs(format, value as PlainValue)
  return made ?? `is ${JSON.stringify(value)}, which no ${format} can hold`
}

function valuesAs(format: Format, values: readonly PlainValue[]): TypedValue | undefined {
  try {
    return typedValue({ [format]: values })
  } catch (error) {
    if (error instanceof TypedJsonError) return undefined
    throw error
  }
}

const isPlain = (value: unknown): value is PlainValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
