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

/** Finds out by itself whether colour is wanted: `NO_COLOR`, `FORCE_COLOR`, `TERM=dumb`, a pipe. */
export const paint = new Ansis()

/** A word that tells a state, in its colour; any other text as it is. */
export function highlight(text: string): string {
  if (GOOD.has(text)) return paint.green(text)
  if (WAITING.has(text)) return paint.yellow(text)
  return BAD.has(text) ? paint.red(text) : text
}
