import type { SmlMessage } from './message.js'
import type { Token } from './token.js'
import type { Tokens } from './tokens.js'

/** A message without its item. */
export type SmlHeader = Omit<SmlMessage, 'item'>

/** Stream, function, and the W-bit where it is written without a space. */
const HEADER = /^S(\d{1,3})F(\d{1,3})(W?)$/i

const MAX_STREAM = 127
const MAX_FUNCTION = 255

/** Who sends, in the words of PEER Group's message files. */
const DIRECTION_WORD = /^(input|output)$/i

/**
 * Takes a message's header: its stream and function, with a name before them (`Name: S1F1`) or after
 * (`S1F1 = Name`, `S1F1 W H->E Name`), the W-bit, and who sends. Names and senders are not kept.
 */
export function parseHeader(tokens: Tokens): SmlHeader {
  const header = takeStreamFunction(tokens)
  const [, stream, fn, attached] =
    HEADER.exec(header.text) ?? tokens.fail('a stream and function such as S1F13', header)
  if (Number(stream) > MAX_STREAM) tokens.fail(`a stream of 0 to ${MAX_STREAM}`, header)
  if (Number(fn) > MAX_FUNCTION) tokens.fail(`a function of 0 to ${MAX_FUNCTION}`, header)
  return { stream: Number(stream), function: Number(fn), wait: takeWaitBit(tokens, attached !== '') }
}

/** The token of stream and function; skips a name and a colon before it, or a colon after it. */
function takeStreamFunction(tokens: Tokens): Token {
  const first = takeWord(tokens)
  if (!tokens.taken('colon')) return first
  const { kind, text } = tokens.peek()
  const isHeader = HEADER.test(first.text) && !(kind === 'string' || (kind === 'word' && HEADER.test(text)))
  return isHeader ? first : takeWord(tokens)
}

const takeWord = (tokens: Tokens): Token =>
  tokens.taken('string') ?? tokens.expect('word', 'a message such as S1F13 W')

/** Takes W, who sends and a name, in any order; true if there was a W. */
function takeWaitBit(tokens: Tokens, attached: boolean): boolean {
  let wait = attached
  let named = false
  let directed = false
  for (;;) {
    const { kind, text } = tokens.peek()
    if (kind === 'equals') {
      if (named) tokens.fail('W, an item or a dot')
      tokens.take()
      tokens.expect('word', 'a name')
      named = true
      continue
    }
    if (kind === 'direction' || (kind === 'word' && DIRECTION_WORD.test(text))) {
      if (directed) tokens.fail('W, an item or a dot')
      directed = true
    } else if (kind !== 'word' || isNextHeader(tokens)) {
      return wait
    } else if (text.toUpperCase() === 'W') {
      if (wait) tokens.fail('an item or a dot')
      wait = true
    } else {
      // Without W or a direction before it, it would be a mistyped W.
      if (named || !(wait || directed)) tokens.fail('W, an item or a dot')
      named = true
    }
    tokens.take()
  }
}

/** Whether the next word is the next message's stream and function, or its name. */
export function isNextHeader(tokens: Tokens): boolean {
  return HEADER.test(tokens.peek().text) || tokens.peekSecond().kind === 'colon'
}
