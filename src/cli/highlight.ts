import { Ansis } from 'ansis'

const GOOD = new Set(['SELECTED', 'COMMUNICATING', 'ONLINE_LOCAL', 'ONLINE_REMOTE', 'accepted', 'replied'])
const WAITING = new Set([
  'CONNECTING',
  'LISTENING',
  'NOT_SELECTED',
  'WAIT_CRA',
  'WAIT_DELAY',
  'ATTEMPT_ONLINE',
  'pending',
])
const BAD = new Set(['active', 'refused', 'timed_out', 'aborted', 'rejected', 'error', 'lost'])

/** ansis knows `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb`, but takes a pipe in CI for something that shows colour. */
const colourless = process.stdout.isTTY !== true && process.env['FORCE_COLOR'] === undefined
export const paint = colourless ? new Ansis(0) : new Ansis()

/** A word that tells a state, in its colour; any other text as it is. */
export function highlight(text: string): string {
  if (GOOD.has(text)) return paint.green(text)
  if (WAITING.has(text)) return paint.yellow(text)
  return BAD.has(text) ? paint.red(text) : text
}
