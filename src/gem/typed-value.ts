import type { Json } from '../kit/text/json.js'
import { type Format, isFormat } from '../secs2/format.js'
import { fromTypedJson, TypedJsonError, toTypedJson } from '../secs2/json.js'

/** One item as typed JSON, normalised: `{"F4":[1.5]}`, `{"A":"text"}`, `{"L":[…]}`. */
export type TypedValue = { readonly [Name in Format]?: Json }

/** What a person or a model file may give for a value. */
export type PlainValue = string | number | boolean

/** Checks typed JSON and writes it in its normal form. Throws `TypedJsonError` where it is none. */
export const typedValue = (json: unknown): TypedValue => toTypedJson(fromTypedJson(json)) as TypedValue

export function formatOf(value: TypedValue): Format {
  const [name] = Object.keys(value)
  if (name === undefined || !isFormat(name))
    throw new TypeError('a typed value has one member, named after its format')
  return name
}

/** `plain` as an item of this format; undefined when it does not fit it, and always for a list. */
export function valueAs(format: Format, plain: PlainValue): TypedValue | undefined {
  const content = contentOf(format, plain)
  if (content === undefined) return undefined
  try {
    return typedValue({ [format]: content })
  } catch (error) {
    if (error instanceof TypedJsonError) return undefined
    throw error
  }
}

function contentOf(format: Format, plain: PlainValue): Json | undefined {
  switch (format) {
    case 'L':
      return undefined
    case 'A':
    case 'J':
    case 'C':
      return String(plain)
    case 'BOOLEAN':
      return truthOf(plain)
    case 'I8':
    case 'U8':
      return [String(plain)]
    default: {
      const number = typeof plain === 'string' && plain.trim() === '' ? Number.NaN : Number(plain)
      return Number.isFinite(number) ? [number] : undefined
    }
  }
}

function truthOf(plain: PlainValue): Json | undefined {
  if (typeof plain === 'boolean') return [plain]
  const word = String(plain).toLowerCase()
  if (word === 'true' || word === '1') return [true]
  return word === 'false' || word === '0' ? [false] : undefined
}

/** The value as one number; undefined when it is text, a list, or not exactly one. */
export function numberIn(value: TypedValue): number | undefined {
  const content = value[formatOf(value)]
  if (!Array.isArray(content) || content.length !== 1) return undefined
  const number = Number(content[0])
  return Number.isNaN(number) ? undefined : number
}

/** An item without elements: what E5 sends in the place of a value that does not exist. */
export const NO_VALUE: TypedValue = { L: [] }

/** Whether the value is a number from `minimum` to `maximum`; true for any value where there is no bound. */
export function isWithin(
  { minimum, maximum }: { readonly minimum?: number; readonly maximum?: number },
  value: TypedValue,
): boolean {
  if (minimum === undefined && maximum === undefined) return true
  const number = numberIn(value)
  return number !== undefined && number >= (minimum ?? -Infinity) && number <= (maximum ?? Infinity)
}
