import type { Item } from '../item.js'
import type { SmlMessage, SmlOptions } from './message.js'
import { parseItemTokens } from './parse-item.js'
import { type Token, Tokens } from './tokens.js'

const HEADER = /^S(\d{1,3})F(\d{1,3})(W?)$/i
const MAX_STREAM = 127
const MAX_FUNCTION = 255

/**
 * All messages of an SML text, in the dialects that are about: `S1F3 W <L <U4 1>>.`, quotes of either kind
 * round the header and round text, a name before it (`AreYouThere: 'S1F1' W.`), counts or none, comments, any
 * case. The last dot may be missing. Throws SmlError.
 */
export function parseSml(text: string, options: SmlOptions = {}): SmlMessage[] {
  const tokens = new Tokens(text)
  const messages: SmlMessage[] = []
  while (tokens.peek().kind !== 'end') {
    messages.push(parseMessage(tokens, options))
    if (tokens.peek().kind !== 'end') tokens.expect('dot', 'a dot at the end of the message')
  }
  return messages
}

/** The one item of a text; a dot may follow it. Throws SmlError. */
export function parseItem(text: string, options: SmlOptions = {}): Item {
  const tokens = new Tokens(text)
  const item = parseItemTokens(tokens, options)
  tokens.taken('dot')
  tokens.expect('end', 'the end of the text')
  return item
}

function parseMessage(tokens: Tokens, options: SmlOptions): SmlMessage {
  let header = takeWord(tokens)
  if (tokens.taken('colon')) header = takeWord(tokens)
  const [, stream, fn, attached] =
    HEADER.exec(header.text) ?? tokens.fail('a stream and function such as S1F13', header)
  if (Number(stream) > MAX_STREAM) tokens.fail(`a stream of 0 to ${MAX_STREAM}`, header)
  if (Number(fn) > MAX_FUNCTION) tokens.fail(`a function of 0 to ${MAX_FUNCTION}`, header)
  return {
    stream: Number(stream),
    function: Number(fn),
    wait: attached !== '' || takeWaitBit(tokens),
    item: tokens.peek().kind === 'open' ? parseItemTokens(tokens, options) : undefined,
  }
}

function takeWord(tokens: Tokens): Token {
  return tokens.taken('string') ?? tokens.expect('word', 'a message such as S1F13 W')
}

function takeWaitBit(tokens: Tokens): boolean {
  const next = tokens.peek()
  if (next.kind !== 'word') return false
  if (next.text.toUpperCase() !== 'W') tokens.fail('W, an item or a dot')
  tokens.take()
  return true
}
