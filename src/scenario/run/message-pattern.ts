import type { Message, TypedItem } from '../../contract/topics/messages.js'
import { limitedText } from '../../kit/text/limited-text.js'
import { FORMATS } from '../../secs2/format.js'
import { toTypedJson } from '../../secs2/json.js'
import { parseSml } from '../../secs2/sml/parse.js'
import { UNKNOWN_ENCODING } from '../../secs2/text.js'
import { isLike } from './matchers.js'

/** Before a text in a parsed pattern that is a place for anything: no equipment's text begins so. */
const MARK = '\u0000*'
const [ANY, REST] = [`${MARK}any`, `${MARK}rest`]

const FORMAT_WORDS = FORMATS.join('|')
/** Texts, which are left as they are, and the three places where `*` may stand alone. */
const PLACES = new RegExp(
  [
    `"(?:\\\\.|[^"\\\\])*"|'(?:\\\\.|[^'\\\\])*'`,
    '<\\s*\\*\\s*>',
    `<\\s*(?<format>${FORMAT_WORDS})\\s*\\*\\s*>`,
    '\\*(?=\\s*>)',
  ].join('|'),
  'gi',
)
const placeholder = (text: string): string => `<A 0x00 ${JSON.stringify(text.slice(1))}>`

/** SML in which `<*>` is any item, `<U4 *>` any of this format, and `*` at the end of a list the rest of it. */
interface MessagePattern {
  readonly stream: number | undefined
  readonly function: number | undefined
  readonly body: TypedItem | null
}

/** Reads a pattern. Throws `SmlError`, or an `Error` where it is not one message. */
export function parsePattern(sml: string): MessagePattern {
  const plain = sml.replace(PLACES, (found, ...rest) => {
    const { format } = rest.at(-1) as { readonly format?: string }
    if (format !== undefined) return placeholder(MARK + format.toUpperCase())
    return found.startsWith('<') ? placeholder(ANY) : found === '*' ? placeholder(REST) : found
  })
  const [message, ...others] = parseSml(plain, { text: UNKNOWN_ENCODING })
  if (message === undefined || others.length > 0) throw new Error('a pattern is one message')
  const { stream, function: fn, item } = message
  return { stream, function: fn, body: item ? toTypedJson(item) : null }
}

/** Where a message differs from a pattern, such as `L[2] is <U4 5>; expected <U2 5>`; undefined where it does not. */
export function unlike(message: Partial<Message>, sml: string): string | undefined {
  const { stream, function: fn, body } = parsePattern(sml)
  if (message.stream !== stream || message.function !== fn)
    return `S${message.stream}F${message.function} came; expected S${stream}F${fn}`
  return differenceIn(message.body ?? null, body, [])
}

/** Characters of a value in a sentence. */
const MAX_SHOWN = 1000

const shown = (item: TypedItem | null | undefined): string => {
  if (!item) return 'nothing'
  const [[format = '', value] = []] = Object.entries(item)
  if (typeof value === 'string' && value.startsWith(MARK)) return `<${value.slice(MARK.length)} *>`
  if (format === 'L') return `a list of ${(value as readonly unknown[]).length}`
  const words = typeof value === 'string' ? JSON.stringify(value) : (value as readonly unknown[]).join(' ')
  return `<${format} ${limitedText(words, MAX_SHOWN)}>`.replace(' >', '>')
}

const placeOf = (path: readonly number[]): string =>
  path.length === 0 ? 'the body' : `item ${path.join('.')}`

function differenceIn(
  actual: TypedItem | null,
  wanted: TypedItem | null,
  path: readonly number[],
): string | undefined {
  const other = `${placeOf(path)} is ${shown(actual)}; expected ${shown(wanted)}`
  if (actual === null || wanted === null) return actual === wanted ? undefined : other
  const [[format = '', value] = []] = Object.entries(actual)
  const [[pattern = '', asked] = []] = Object.entries(wanted)
  if (asked === ANY) return undefined
  if (typeof asked === 'string' && asked.startsWith(MARK)) return asked === MARK + format ? undefined : other
  if (format !== pattern) return other
  if (format === 'L')
    return differenceInLists(value as readonly TypedItem[], asked as readonly TypedItem[], path)
  if (typeof asked === 'string') return typeof value === 'string' && isLike(value, asked) ? undefined : other
  return JSON.stringify(value) === JSON.stringify(asked) ? undefined : other
}

function differenceInLists(
  actual: readonly TypedItem[],
  wanted: readonly TypedItem[],
  path: readonly number[],
): string | undefined {
  const isOpen = wanted.at(-1)?.['A'] === REST
  const fixed = isOpen ? wanted.slice(0, -1) : wanted
  if (isOpen ? actual.length < fixed.length : actual.length !== fixed.length)
    return `${placeOf(path)} has ${actual.length} items; expected ${fixed.length}${isOpen ? ' or more' : ''}`
  for (const [at, one] of fixed.entries()) {
    const found = differenceIn(actual[at] ?? null, one, [...path, at + 1])
    if (found !== undefined) return found
  }
  return undefined
}
