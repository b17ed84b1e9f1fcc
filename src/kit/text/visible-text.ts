/** Controls (C0, DEL, C1) and what turns the direction of text round. */
const HIDDEN = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escaped(character: string): string {
  const code = character.charCodeAt(0)
  const hex = (digits: number): string => code.toString(16).padStart(digits, '0')
  return SHORT[character] ?? (code > 0xff ? `\\u${hex(4)}` : `\\x${hex(2)}`)
}

/**
 * Text of equipment, of a gateway or of a file as a terminal can be given it: what would steer the terminal or
 * hide text is written as `\x1b` or `\u202e`. `kept` are the controls that the layout itself is made of.
 */
export const visible = (text: string, kept = ''): string =>
  text.replace(HIDDEN, (character) => (kept.includes(character) ? character : escaped(character)))

/** The same for text over several lines, where the line breaks are the layout's. */
export const visibleLines = (text: string): string => visible(text, '\n')
