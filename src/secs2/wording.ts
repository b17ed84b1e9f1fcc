/** A number with its noun: `1 byte`, `2 bytes`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The first `most` characters of a text for an error message; no surrogate pair is cut. */
export function shortened(text: string, most = 40): string {
  if (text.length <= most) return text
  const end = (text.codePointAt(most - 1) ?? 0) > 0xffff ? most - 1 : most
  return `${text.slice(0, end)}...`
}

/** A character in an error message: in quotes, or as `U+0007` where it is not visible. */
export function characterShown(text: string, at: number): string {
  const codePoint = text.codePointAt(at) ?? 0
  const character = String.fromCodePoint(codePoint)
  if (codePoint === 0xfffd) return 'a character that was lost when the text was read: it is not in UTF-8'
  if (/[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)) return JSON.stringify(character)
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
}
