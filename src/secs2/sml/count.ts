import type { Token } from './token.js'
import type { Tokens } from './tokens.js'

/** How many values an item has according to the text. */
export interface Count {
  /** The token of the count. */
  readonly token: Token
  readonly says: string
  /** It names one length, not a range of them. */
  readonly exact: boolean
  readonly allows: (length: number) => boolean
}

/** Takes a count, and the name that some write after it: `[3]`, or `,3 [MDLN]`. */
export function takeCount(tokens: Tokens): Count | undefined {
  if (tokens.taken('comma')) {
    const token = tokens.peek()
    const length = takeLength(tokens) ?? tokens.fail('a count')
    if (tokens.taken('left')) {
      tokens.expect('word', 'a name')
      tokens.expect('right', ']')
    }
    return countOf(token, length, length)
  }
  return tokens.taken('left') ? takeInBrackets(tokens) : undefined
}

/** `3]`, or a range: `0..3]`, `1..]`, `..3]`, `0,3]`, `MAX 3]`. */
function takeInBrackets(tokens: Tokens): Count {
  const token = tokens.peek()
  if (token.kind === 'word' && token.text.toUpperCase() === 'MAX') {
    tokens.take()
    const most = takeLength(tokens) ?? tokens.fail('a count')
    tokens.expect('right', ']')
    return countOf(token, 0, most)
  }
  const low = takeLength(tokens)
  const isRange = (tokens.taken('range') ?? tokens.taken('comma')) !== undefined
  const high = isRange ? takeLength(tokens) : low
  if (low === undefined && !isRange) tokens.fail('a count')
  tokens.expect('right', ']')
  return countOf(token, low, high)
}

function countOf(token: Token, low: number | undefined, high: number | undefined): Count {
  const exact = low !== undefined && low === high
  const says = exact ? `${low} values` : `${low ?? 0} to ${high ?? 'any number of'} values`
  return {
    token,
    exact,
    says: `${says}, as the count says`,
    allows: (length) => length >= (low ?? 0) && length <= (high ?? length),
  }
}

function takeLength(tokens: Tokens): number | undefined {
  const token = tokens.peek()
  if (token.kind !== 'number') return undefined
  if (!/^\d+$/.test(token.text)) tokens.fail('a count')
  tokens.take()
  return Number(token.text)
}
