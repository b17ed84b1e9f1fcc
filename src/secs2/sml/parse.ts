import { atOnce } from '../../kit/turns.js'
import type { Item } from '../item.js'
import { counted } from '../wording.js'
import { isNextHeader, parseHeader } from './header.js'
import type { SmlMessage, SmlOptions } from './message.js'
import { itemSteps } from './parse-item.js'
import { Tokens } from './tokens.js'

/**
 * All messages of an SML text, in all dialects in use: `S1F3 W <L <U4 1>>.`, quotes of either kind
 * around the header and around text, a name before it (`AreYouThere: 'S1F1' W.`) or after it, who sends
 * (`H->E`, `INPUT`), counts or none, comments, any case. A message ends with a dot, with the text, or where
 * the next one begins. Throws SmlError.
 */
export const parseSml = (text: string, options: SmlOptions = {}): SmlMessage[] =>
  atOnce(smlSteps(text, options))

/** The same in steps of a few milliseconds, none longer with the text. */
export function* smlSteps(text: string, options: SmlOptions = {}): Generator<void, SmlMessage[]> {
  const tokens = new Tokens(text)
  const messages: SmlMessage[] = []
  const { maxMessages = Number.POSITIVE_INFINITY } = options
  while (tokens.peek().kind !== 'end') {
    if (messages.length >= maxMessages) tokens.fail(`no more than ${counted(maxMessages, 'message')}`)
    const header = parseHeader(tokens)
    const item = tokens.peek().kind === 'open' ? yield* itemSteps(tokens, options) : undefined
    messages.push({ ...header, item })
    if (!tokens.taken('dot') && !atNextMessage(tokens)) tokens.fail('a dot at the end of the message')
  }
  return messages
}

/** The one item of a text; a dot may follow it. Throws SmlError. */
export function parseItem(text: string, options: SmlOptions = {}): Item {
  const tokens = new Tokens(text)
  const item = atOnce(itemSteps(tokens, options))
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
