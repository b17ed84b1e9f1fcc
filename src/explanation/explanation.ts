/** What an engineer does next. */
export interface Advice {
  /** One to four sentences. */
  readonly next: string
  /** Commands to type, the most useful first. `EQ` stands for the equipment. */
  readonly commands: readonly string[]
}

/** What a word means, and what to do about it. */
export interface Explanation extends Advice {
  /** As it is written. */
  readonly word: string
  /** What sort of word it is, such as `timer`. */
  readonly kind: string
  readonly meaning: string
  /** Names and values that belong to it. */
  readonly facts: readonly (readonly [string, string])[]
}

/** An explanation and how else its word may be typed. */
export interface Entry extends Explanation {
  readonly also: readonly string[]
}

const linesOf = (text: string): readonly string[] => text.split('\n').map((line) => line.trim())

/** The advice of a text: its first line, and the commands in the lines below. */
export function advice(text: string): Advice {
  const [next = '', ...commands] = linesOf(text)
  return { next, commands }
}

/** The meaning and the advice of a text: its first line, its second line, and the commands in the lines below. */
export function words(text: string): Pick<Explanation, 'meaning' | keyof Advice> {
  const [meaning = '', next = '', ...commands] = linesOf(text)
  return { meaning, next, commands }
}

/** The entries of a table of texts. */
export const entriesOf = (kind: string, table: Readonly<Record<string, string>>): readonly Entry[] =>
  Object.entries(table).map(([word, text]) => ({ word, kind, facts: [], also: [], ...words(text) }))

/** A text of the tables, which are in short words, as a sentence. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
