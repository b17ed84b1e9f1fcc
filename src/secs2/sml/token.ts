export type TokenKind =
  | 'open'
  | 'close'
  | 'left'
  | 'right'
  | 'dot'
  | 'range'
  | 'colon'
  | 'comma'
  | 'equals'
  | 'direction'
  | 'word'
  | 'number'
  | 'string'
  | 'end'

export interface Token {
  readonly kind: TokenKind
  /** As written; of a string, what it says, or the first chunk of that: `Tokens.takeString` reads the rest. */
  readonly text: string
  /** Where it begins in the text. */
  readonly at: number
  /** Of a plain decimal or hexadecimal integer: what it says. */
  readonly value?: number
}
