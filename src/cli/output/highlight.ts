import { Ansis } from 'ansis'
import { visible } from '../../kit/text/visible-text.js'
import { showsColour } from '../process-environment.js'

const GOOD = /^(?:SELECTED|COMMUNICATING|ONLINE_(?:LOCAL|REMOTE)|accepted|replied|ok)$/
const WAITING =
  /^(?:CONNECTING|LISTENING|NOT_SELECTED|WAIT_(?:CRA|DELAY)|ATTEMPT_ONLINE|pending|degraded|warning)$/
const BAD =
  /^(?:active|refused|timed_out|aborted|rejected|error|lost|not_sent|not ok|failing|(?:personal|equipment) safety)$/

export const paint = showsColour ? new Ansis() : new Ansis(0)

/** What `paint` writes before and after a text. */
const PAINT = new RegExp(`(${String.fromCharCode(27)}\\[(?:[12]|22|3[1-6]|39)m)`)

/** Lines that `paint` was used on: its colours stay, and no other control but tabs and line breaks. */
export const visiblePainted = (text: string): string =>
  text
    .split(showsColour ? PAINT : /$^/)
    .map((part, at) => (at % 2 === 1 ? part : visible(part, '\n\t')))
    .join('')

/** The word of a state in its colour; any other text as it is. `shown` may be the word cut or padded. */
export function highlight(text: string, shown = text): string {
  if (GOOD.test(text)) return paint.green(shown)
  if (WAITING.test(text)) return paint.yellow(shown)
  return BAD.test(text) ? paint.red(shown) : shown
}
