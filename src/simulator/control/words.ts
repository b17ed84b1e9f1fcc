/** A line whose quotes do not pair. */
export class WordsError extends Error {
  override readonly name = 'WordsError'
}

const WORD = /\s*(?:"((?:[^"\\]|\\.)*)"(?=\s|$)|'([^']*)'(?=\s|$)|([^\s"']\S*))/y

/**
 * The words of a line. In double quotes a word may have spaces, and escapes as JSON has them; in single quotes it
 * is as it stands. Throws `WordsError`.
 */
export function wordsOf(line: string): readonly string[] {
  const words: string[] = []
  const text = line.trim()
  for (let at = 0; at < text.length; at = WORD.lastIndex) {
    WORD.lastIndex = at
    const found = WORD.exec(text)
    if (!found) throw new WordsError(`the quotes do not pair from "${text.slice(at).trim().slice(0, 20)}" on`)
    const [, double, single, plain] = found
    words.push(double === undefined ? (single ?? plain ?? '') : unescaped(double))
  }
  return words
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    throw new WordsError(`"${text.slice(0, 20)}" has an escape that JSON does not have`)
  }
}

/** Words as a line that `wordsOf` gives back. */
export const lineOf = (words: readonly string[]): string =>
  words.map((word) => (/^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
