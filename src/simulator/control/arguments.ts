/** A command that is written wrong, or that the simulator cannot carry out now. */
export class CommandError extends Error {
  override readonly name = 'CommandError'

  constructor(
    /** `usage`: it is written wrong. `refused`: not now, or not by this equipment. */
    readonly kind: 'usage' | 'refused',
    message: string,
  ) {
    super(message)
  }
}

const WORD = /\s*(?:"((?:[^"\\]|\\.)*)"(?=\s|$)|'([^']*)'(?=\s|$)|([^\s"']\S*))/y

/**
 * The words of a line. In double quotes a word may have spaces, and escapes as in JSON; in single quotes it is
 * taken literally. Throws `CommandError`.
 */
export function wordsOf(line: string): readonly string[] {
  const words: string[] = []
  const text = line.trim()
  for (let at = 0; at < text.length; at = WORD.lastIndex) {
    WORD.lastIndex = at
    const found = WORD.exec(text)
    if (!found) {
      const place = text.slice(at).trim().slice(0, 20)
      throw new CommandError('usage', `the quotes do not pair from "${place}" on`)
    }
    const [, double, single, plain] = found
    words.push(double === undefined ? (single ?? plain ?? '') : unescaped(double))
  }
  return words
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    throw new CommandError('usage', `"${text.slice(0, 20)}" has an escape that JSON does not have`)
  }
}

/** Words as a line that `wordsOf` gives back. */
export const lineOf = (words: readonly string[]): string =>
  words.map((word) => (/^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word))).join(' ')

const UNITS = { ms: 1, s: 1000, m: 60_000 } as const

/** Milliseconds of `500ms`, `3s` or `1m`, an hour at most. */
export function durationOf(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  const ms = Number(amount) * UNITS[(unit ?? 's') as keyof typeof UNITS]
  if (unit === undefined || ms > 3_600_000) {
    throw new CommandError('usage', `"${text}" is no duration such as 500ms, 3s or 1m, an hour at most`)
  }
  return ms
}

export function isOn(text = ''): boolean {
  if (text !== 'on' && text !== 'off') throw new CommandError('usage', `on or off, not "${text}"`)
  return text === 'on'
}

/** A whole number within bounds, both allowed. */
export function wholeNumber(text: string, minimum: number, maximum: number): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < minimum || number > maximum) {
    throw new CommandError('usage', `"${text}" is not a whole number from ${minimum} to ${maximum}`)
  }
  return number
}
