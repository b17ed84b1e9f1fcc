import type { ReadValue } from '../catalogue/structure/structure-data.js'
import { beyondLatin1 } from '../secs2/text.js'
import { type TypedValue, valueAs } from './typed-value.js'

/** The values of a repeated item, as text. */
export function textsIn(value: ReadValue | undefined): string[] {
  if (value === undefined) return []
  return (typeof value === 'string' ? [value] : value).map(String)
}

/** A name or a text, without the blanks and zeros that fill up a field of fixed length. */
export function unpadded(value: ReadValue): string {
  const text = String(value).trim()
  const hasZeros = text.startsWith('\0') || text.endsWith('\0')
  return hasZeros ? text.replace(/^[\0\s]+|(?<![\0\s])[\0\s]+$/g, '') : text
}

/** Text as it is sent: in Latin-1, or with its encoding where that does not have it. */
export const textValue = (text: string): TypedValue =>
  beyondLatin1(text) === undefined ? { A: text } : { C: text }

/** An id as it is sent: a number where it is decimal digits that U4 holds, else text. */
export const idValue = (id: string): TypedValue =>
  (/^\d+$/.test(id) ? valueAs('U4', id) : undefined) ?? { A: id }

/** Ids as a list. */
export const idList = (ids: readonly string[]): TypedValue => ({ L: ids.map(idValue) as TypedValue[] })
