import { visible } from './visible-text.js'

/** What a terminal draws two columns wide: East Asian text, and pictures. */
const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
/** What it draws onto the character before. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}]/u

const PLAIN = /^[\x20-\x7e]*$/

const columnsOf = (character: string): number => (NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1)

/** Columns that a text takes on a terminal. */
export const widthOf = (text: string): number =>
  PLAIN.test(text) ? text.length : [...text].reduce((sum, character) => sum + columnsOf(character), 0)

/** A text filled with spaces to at least `width` columns. */
export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** As many of these characters as take at most `width` columns. */
function fitting(characters: readonly string[], width: number): readonly string[] {
  let left = width
  const end = characters.findIndex((character) => {
    left -= columnsOf(character)
    return left < 0
  })
  return end < 0 ? characters : characters.slice(0, end)
}

/** The beginning of a text that takes at most `width` columns; its last character says that it was cut. */
export function cut(text: string, width: number, ascii: boolean): string {
  if (widthOf(text) <= width) return text
  return width < 1 ? '' : `${fitting([...text], width - 1).join('')}${ascii ? '~' : '…'}`
}

/** Beginning and end of a text: names of tools differ at their ends. */
export function cutInTheMiddle(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text
  const characters = [...text]
  const end = Math.floor((width - 1) / 2)
  const first = fitting(characters, width - 1 - end)
  const last = fitting(characters.toReversed(), end).toReversed()
  return `${first.join('')}${ellipsis}${last.join('')}`
}

/** Any text as one line without control characters. */
export function shown(text: string, ascii: boolean): string {
  const line = visible(text.replace(/\s+/g, ' '))
  return ascii && !PLAIN.test(line) ? line.replace(/[^\x20-\x7e]/gu, '?') : line
}
