import type { Item } from '../item.js'
import { isNextHeader, parseHeader } from './header.js'
import type { SmlMessage, SmlOptions } from './message.js'
import { parseItemTokens } from './parse-item.js'
import { Tokens } from './tokens.js'

/**
 * All messages of an SML text, in the dialects that are about: `S1F3 W <L <U4 1>>.`, quotes of either kind
 * round the header and round text, a name before it (`AreYouThere: 'S1F1' W.`) or behind it, who sends
 * (`H->E`, `INPUT`), counts or none, comments, any case. A message ends with a dot, with the text, or where
 * the next one begins. Throws SmlError.
 */
export function parseSml(text: string, options: SmlOptions = {}): SmlMessage[] {
  const tokens = new Tokens(text)
  const messages: SmlMessage[] = []
  while (tokens.peek().kind !== 'end') {
    const header = parseHeader(tokens)
    const item = tokens.peek().kind === 'open' ? parseItemTokens(tokens, options) : undefined
    messages.push({ ...header, item })
    if (!tokens.taken('dot') && !atNextMessage(tokens)) tokens.fail('a dot at the end of the message')
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

/** Whether the text ends here, or a header or the name of a message is next. */
function atNextMessage(tokens: Tokens): boolean {
  const { kind } = tokens.peek()
  if (kind === 'end') return true
  if (kind !== 'word' && kind !== 'string') return false
  return isNextHeader(tokens)
}
