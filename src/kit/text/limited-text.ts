/** A text with at most so many characters, and how long it is where it is longer. */
export function limitedText(text: string, most: number): string {
  if (text.length <= most) return text
  // Not within a character of two units.
  const end = /[\uD800-\uDBFF]$/.test(text.slice(0, most)) ? most - 1 : most
  return `${text.slice(0, end)}... (cut: it has ${text.length} characters)`
}
