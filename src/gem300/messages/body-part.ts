import type { DataItem } from '../../catalogue/data-item.js'
import { STANDARD_CATALOGUE } from '../../catalogue/standard-catalogue.js'
import { ownFormat } from '../../catalogue/view.js'
import { TextEncodeError } from '../../secs2/errors.js'
import { type Format, isNumberFormat, isTextFormat } from '../../secs2/format.js'
import { bytesItem, type Item, itemsIn, L, lengthOf } from '../../secs2/item.js'
import { numberItem, numbersOf } from '../../secs2/number.js'
import { beyondLatin1, LATIN1 } from '../../secs2/text.js'
import { decodeText, encodeText } from '../../secs2/text-item.js'
import { type CodeWords, codeOf, type UnknownCode, wordOf } from '../code-words.js'
import type { Gem300View } from '../variants.js'
import { BodyError } from './body-error.js'

/**
 * A part of a body, written and read by one row. Reading takes what equipment really sends: more items than there should
 * be, numbers as text or bytes, an empty item for an empty list. Both throw `BodyError` with `at`, the pointer so far.
 */
export interface BodyPart<Content> {
  build(content: Content, view: Gem300View, at: string): Item
  read(item: Item, view: Gem300View, at: string): Content
}

export type ContentOf<Part> = Part extends BodyPart<infer Content> ? Content : never

const known = (name: string): DataItem => {
  const item = STANDARD_CATALOGUE.item(name)
  if (!item) throw new Error(`no data item ${name} in the catalogue`)
  return item
}

/** The format in which an item is written: the equipment's own, or the catalogue's first. */
const formatOf = (item: DataItem, view: Gem300View): Format => ownFormat(item, view) ?? item.formats[0]

/** The item of one number, or of none. */
function numbered(format: Format, value: number | undefined, at: string): Item {
  const values = value === undefined ? [] : [value]
  try {
    if (isTextFormat(format)) return { format: 'A', value: values.join('') }
    if (isNumberFormat(format)) return numberItem(format, values)
  } catch (error) {
    if (error instanceof RangeError) throw new BodyError(at, error.message)
    throw error
  }
  if (values.some((one) => !Number.isInteger(one) || one < 0 || one > 0xff))
    throw new BodyError(at, `${value} is outside ${format}: 0 to 255`)
  return bytesItem(format === 'BOOLEAN' ? 'BOOLEAN' : 'B', values)
}

/** The values of an item that is no list: numbers, or the one text that it is. */
export function valuesIn(
  item: Exclude<Item, { format: 'L' }>,
  view: Gem300View,
): readonly (number | bigint | string)[] {
  switch (item.format) {
    case 'A':
    case 'J':
    case 'C': {
      const text = decodeText(item, view.text)
      return text === '' ? [] : [text]
    }
    case 'B':
    case 'BOOLEAN':
      return typeof item.value === 'number' ? [item.value] : [...item.value]
    default:
      return typeof item.value === 'object' ? [...numbersOf(item)] : [item.value]
  }
}

/** The one value of an item; undefined for an item without one, and for an empty list. */
function valueIn(item: Item, view: Gem300View, at: string): number | bigint | string | undefined {
  if (item.format === 'L') {
    if (item.items.length === 0) return undefined
    throw new BodyError(at, `is a list of ${item.items.length} items and not one value`)
  }
  const values = valuesIn(item, view)
  if (values.length > 1) throw new BodyError(at, `has ${values.length} values and not one`)
  return values[0]
}

/** Text; a number is read as its digits, an item without a value as empty text. */
export function text(name: string): BodyPart<string> {
  const item = known(name)
  return {
    build(content, view, at) {
      const own = ownFormat(item, view)
      if (own !== undefined && !isTextFormat(own)) {
        if (!/^\d+$/.test(content)) throw new BodyError(at, `"${content}" is no number, as ${own} wants`)
        return numbered(own, Number(content), at)
      }
      try {
        const isLatin1 = (view.text ?? LATIN1) === LATIN1
        const format = own ?? (isLatin1 && beyondLatin1(content) !== undefined ? 'C' : 'A')
        return encodeText(format, content, view.text)
      } catch (error) {
        if (error instanceof TextEncodeError) throw new BodyError(at, error.message)
        throw error
      }
    },
    read: (given, view, at) => String(valueIn(given, view, at) ?? ''),
  }
}

/** A whole number that may be left out: it is then an item without a value. */
export function maybeWhole(name: string): BodyPart<number | undefined> {
  const item = known(name)
  return {
    build: (content, view, at) => numbered(formatOf(item, view), content, at),
    read(given, view, at) {
      const value = valueIn(given, view, at)
      if (value === undefined) return undefined
      const digits = typeof value === 'string' ? value.trim() : String(value)
      if (digits === '') return undefined
      const number = /^-?\d+$/.test(digits) ? Number(digits) : Number.NaN
      if (Number.isSafeInteger(number)) return number
      throw new BodyError(at, `"${digits}" is no whole number that can be read`)
    },
  }
}

/** A whole number. */
export function whole(name: string): BodyPart<number> {
  const { build, read } = maybeWhole(name)
  return {
    build,
    read(item, view, at) {
      const value = read(item, view, at)
      if (value === undefined) throw new BodyError(at, 'has no value')
      return value
    },
  }
}

/** Whole numbers, each an item of a list; read also from one item that has all of them. */
export function wholes(name: string): BodyPart<readonly number[]> {
  const one = whole(name)
  return {
    build: (content, view, at) =>
      L(...content.map((value, index) => one.build(value, view, `${at}/${index}`))),
    read(item, view, at) {
      if (item.format === 'L')
        return item.items.map((inner, index) => one.read(inner, view, `${at}/${index}`))
      return valuesIn(item, view).map((value, index) =>
        one.read({ format: 'A', value: String(value) }, view, `${at}/${index}`),
      )
    },
  }
}

/** IDs, each an item of a list: numbers where they are decimal digits. Also read from one item that has all of them. */
export function ids(name: string): BodyPart<readonly string[]> {
  const item = known(name)
  const words = text(name)
  return {
    build: (content, view, at) =>
      L(
        ...content.map((id, index) => {
          const isNumber = /^(0|[1-9]\d{0,8})$/.test(id) && !isTextFormat(formatOf(item, view))
          const place = `${at}/${index}`
          return isNumber ? numbered(formatOf(item, view), Number(id), place) : words.build(id, view, place)
        }),
      ),
    read(given, view, at) {
      if (given.format === 'L')
        return given.items.map((inner, index) => words.read(inner, view, `${at}/${index}`))
      return valuesIn(given, view).map(String)
    },
  }
}

/** A number with a word. What has no word stays a number, or the text that it was: `unknown (5)`. */
export function code<Word extends string>(
  name: string,
  wordsIn: CodeWords<Word> | ((view: Gem300View) => CodeWords<Word>),
): BodyPart<Word | UnknownCode> {
  const item = known(name)
  const wordsOf = (view: Gem300View) => (typeof wordsIn === 'function' ? wordsIn(view) : wordsIn)
  return {
    build(content, view, at) {
      const number = codeOf(wordsOf(view), content)
      if (number === undefined) throw new BodyError(at, `${content} has no number on this equipment`)
      return numbered(formatOf(item, view), number, at)
    },
    read: (given, view, at) => readCode(given, wordsOf(view), view, at),
  }
}

/** The word of an item that is a number, or the word itself in another spelling. */
export function readCode<Word extends string>(
  item: Item,
  words: CodeWords<Word>,
  view: Gem300View,
  at: string,
): Word | UnknownCode {
  const value = valueIn(item, view, at) ?? ''
  if (typeof value !== 'string' || /^\d+$/.test(value)) return wordOf(words, value)
  return Object.values<Word>(words).find((word) => sameWord(word, value)) ?? wordOf(words, value)
}

/** Words without the case and the marks in which equipment differs: `CJStart` and `CJSTART`, `In Service` and `IN_SERVICE`. */
export const sameWord = (one: string, other: string): boolean => bare(one) === bare(other)
const bare = (word: string): string => word.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** True or false; read also from a number or a byte, of which 0 is false, and from text. */
export function flag(name: string): BodyPart<boolean> {
  const item = known(name)
  return {
    build: (content, view, at) => numbered(formatOf(item, view), Number(content), at),
    read: readFlag,
  }
}

/** What an item says of something that is true or false. */
export function readFlag(item: Item, view: Gem300View, at: string): boolean {
  const value = valueIn(item, view, at)
  if (value === undefined) throw new BodyError(at, 'has no value: it is true or false')
  if (typeof value !== 'string') return Number(value) !== 0
  if (/^(t|true|y|yes|1)$/i.test(value.trim())) return true
  if (/^(f|false|n|no|0)$/i.test(value.trim())) return false
  throw new BodyError(at, `"${value}" is neither true nor false`)
}

/** Any item, as it is. */
export const anything: BodyPart<Item> = { build: (content) => content, read: (item) => item }

/** A list of any length; an item without a value is read as an empty one. */
export function list<Content>(part: BodyPart<Content>): BodyPart<readonly Content[]> {
  return {
    build: (content, view, at) => L(...content.map((one, index) => part.build(one, view, `${at}/${index}`))),
    read: (item, view, at) =>
      listItems(item, at).map((inner, index) => part.read(inner, view, `${at}/${index}`)),
  }
}

/** The items of a list, where an item without a value stands for none. */
export function listItems(item: Item, at: string): readonly Item[] {
  if (item.format === 'L' || lengthOf(item) === 0) return itemsIn(item)
  throw new BodyError(at, `is ${item.format} and not a list`)
}

type Fields = Readonly<Record<string, BodyPart<unknown>>>
type Named<Parts extends Fields> = { readonly [Name in keyof Parts]: ContentOf<Parts[Name]> }

/** A list of named items, in order. Further items are passed over. */
export function record<Parts extends Fields>(parts: Parts): BodyPart<Named<Parts>> {
  const fields = Object.entries(parts)
  return {
    build: (content, view, at) =>
      L(...fields.map(([name, part]) => part.build(content[name], view, `${at}/${name}`))),
    read(item, view, at) {
      const items = listItems(item, at)
      const read: Record<string, unknown> = {}
      fields.forEach(([name, part], index) => {
        const inner = items[index]
        if (!inner) throw new BodyError(`${at}/${name}`, `is missing: the list has ${items.length} items`)
        read[name] = part.read(inner, view, `${at}/${name}`)
      })
      return read as Named<Parts>
    },
  }
}

/** As `part`, of which some equipment leaves out the first of its `length` items. */
export const maybeWithoutFirst = <Content>(part: BodyPart<Content>, length: number): BodyPart<Content> => ({
  build: part.build,
  read: (item, view, at) =>
    part.read(itemsIn(item).length === length - 1 ? L(L(), ...itemsIn(item)) : item, view, at),
})
