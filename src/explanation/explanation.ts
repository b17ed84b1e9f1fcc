/** What an engineer does next. */
export interface Advice {
  /** One to four sentences. */
  readonly next: string
  /** Commands to type, the one most worth typing first. `EQ` stands for the equipment. */
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

export const advice = (next: string, ...commands: readonly string[]): Advice => ({ next, commands })

/** A text of the tables, which are in short words, as a sentence. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
