import type { Format } from '../secs2/format.js'
import type { SiteSource } from './message-row.js'

/** What the catalogue knows of a data item (SEMI E5). */
export interface DataItem {
  readonly name: string
  /** Formats that are accepted when it is read. It is built in the first one. */
  readonly formats: readonly [Format, ...Format[]]
  /** Any format is valid; the type of a given value decides in which format it is built. */
  readonly free: boolean
  /** Holds at most one value; text may have any length. */
  readonly single: boolean
  readonly meaning: string
  /** Of a code: what its values mean, in short words. */
  readonly values?: Readonly<Record<number, string>>
  /** Of a code: `values` is not complete. */
  readonly open?: true
  /** Of an acknowledge code: the values that mean accepted. */
  readonly accepts?: readonly number[]
  /** Of an item that a site's file defines. */
  readonly source?: SiteSource
}

const UNSIGNED = ['U4', 'U2', 'U1', 'U8'] as const
const INTEGERS = [...UNSIGNED, 'I4', 'I2', 'I1', 'I8'] as const

/** Every format. A is the first: a string becomes A unless another format is given. */
export const ANY = ['A', 'L', 'B', 'BOOLEAN', 'J', 'C', ...INTEGERS, 'F4', 'F8'] as const

type Formats = readonly [Format, ...Format[]]
type Make = (name: string, meaning: string) => DataItem

const single =
  (formats: Formats): Make =>
  (name, meaning) => ({ name, formats, free: false, single: true, meaning })

const several =
  (formats: Formats, free = false): Make =>
  (name, meaning) => ({ name, formats, free, single: false, meaning })

/** A number that identifies something. U4 is built; equipment uses any integer, some equipment text. */
export const id = single([...INTEGERS, 'A'])
export const integer = single(INTEGERS)
/** A number that may be large. */
export const large = single(['U8', 'U4', 'U2', 'U1', 'I8', 'I4', 'I2', 'I1'])
export const small = single(['U1', 'U2', 'U4', 'U8', 'I1', 'I2', 'I4', 'I8'])
/** A number with a fraction. */
export const measure = single(['F4', 'F8', ...INTEGERS])
/** A duration, in seconds. */
export const seconds = single(['F8', 'F4'])
/** A small number, which equipment writes as a byte or as an integer. */
export const count = single(['B', ...INTEGERS])
/** The number of a port: an integer, or a byte. */
export const port = single(['U1', 'B', 'U2', 'U4', 'U8', 'I1', 'I2', 'I4', 'I8'])
export const text = single(['A', 'J', 'C'])
/** A name that may also be a number. */
export const label = single(['A', 'J', 'C', ...INTEGERS])
export const byte = single(['B'])
export const boolean = single(['BOOLEAN'])
export const bytes = several(['B'])
/** Coordinates: several numbers in one item. */
export const coordinates = several(['I4', 'I2', 'I1', 'I8', ...UNSIGNED])
/** Bin codes: characters, or numbers. */
export const bins = several(['U1', 'A'])
/** Several command codes in one item. */
export const commands = several(['U2', 'I2'])
/** A name that may also be bytes. */
export const key = several(['A', 'J', 'C', 'B'])
/** Text that may also be bytes or numbers. */
export const words = several(['A', 'J', 'C', 'B', ...INTEGERS])
/** A recipe's body and the like: bytes, text or numbers. */
export const content = several(['B', 'A', 'J', 'C', ...INTEGERS, 'F4', 'F8'])
/** A value of any kind. */
export const value = several(ANY, true)

interface Codes {
  readonly formats?: Formats
  readonly accepts?: readonly number[]
  readonly open?: true
}

/** A code: one byte, unless `formats` says otherwise. Its values as text: `0 accepted; 1 busy, try again`. */
export function code(
  name: string,
  meaning: string,
  values: string,
  { formats = ['B'], accepts, open }: Codes = {},
): DataItem {
  const rest = { ...(accepts && { accepts }), ...(open && { open }) }
  return { name, formats, free: false, single: true, meaning, values: valuesIn(values), ...rest }
}

const valuesIn = (text: string): Readonly<Record<number, string>> =>
  Object.fromEntries(text.split(/;\s+/).map((one) => /^(-?\d+) (.+)$/.exec(one)?.slice(1) ?? []))

/** A code that answers a request; 0 means accepted unless `accepts` says otherwise. */
export const acknowledge = (
  name: string,
  meaning: string,
  values: string,
  { accepts = [0], ...rest }: Codes = {},
): DataItem => code(name, meaning, values, { ...rest, accepts })
