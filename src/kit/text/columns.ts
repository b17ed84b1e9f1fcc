import { visible } from './visible-text.js'

/** What a terminal draws two columns wide: East Asian text, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
/** What it draws onto the character before. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}]/u

const PLAIN = /^[\x20-\x7e]*$/

const columnsOf = (character: string): number => (NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1)

/** Columns that a text takes on a terminal. */
export const widthOf = (text: string): number =>
  PLAIN.test(text) ? text.length : [...text].reduce((sum, character) => sum + columnsOf(character), 0)

/** The beginning of a text that takes at most `width` columns; its last character says that it was cut. */
export function cut(text: string, width: number, ascii: boolean): string {
  if (widthOf(text) <= width) return text
  let left = width - 1
  let kept = ''
  for (const character of text) {
    left -= columnsOf(character)
    if (left < 0) break
    kept += character
  }
  return width < 1 ? '' : `${kept}${ascii ? '~' : '…'}`
}

/** Any text as one line without control characters. */
export function shown(text: string, ascii: boolean): string {
  const line = visible(text.replace(/\s+/g, ' '))
  return ascii && !PLAIN.test(line) ? line.replace(/[^\x20-\x7e]/gu, '?') : line
}
