/** What stands before the cursor. */
export interface TypedLine {
  /** The words that are complete, without quotes. */
  readonly words: readonly string[]
  /** The word at the cursor, without quotes; empty after a space. */
  readonly current: string
  /** The quote that is open at the cursor. */
  readonly quote: '"' | "'" | undefined
}

/** Splits a line as a POSIX shell would. Nothing in it is expanded or run. */
export function typedLine(text: string): TypedLine {
  const words: string[] = []
  let current = ''
  let begun = false
  let quote: TypedLine['quote']
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (letter === '\\' && quote !== "'" && at + 1 < text.length) {
      current += text.charAt(++at)
      begun = true
    } else if (quote !== undefined) {
      if (letter === quote) quote = undefined
      else current += letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      begun = true
    } else if (/\s/.test(letter)) {
      if (begun) words.push(current)
      current = ''
      begun = false
    } else {
      current += letter
      begun = true
    }
  }
  return { words, current, quote }
}

/** A text as bash takes it outside quotes. */
export const escaped = (text: string): string => text.replace(/[^\p{L}\p{N}_./:=@%+,-]/gu, '\\$&')
