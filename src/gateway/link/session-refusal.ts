import { Problem } from '../../contract/errors.js'
import { shellWord } from '../../kit/shell-word.js'
import type { Session } from './session.js'

/** What equipment may be that does not answer S1F13. */
export const NO_GEM = 'if it has no GEM, set its `communication` to `none`'

/** Throws the problem that keeps a primary from being sent; `wanted` is whether the session goes on trying. */
export function refuseUnlessReady(
  session: Pick<Session, 'current' | 'connectionState' | 'lastError' | 'host'>,
  { stream, function: fn }: { readonly stream: number; readonly function: number },
  wanted: boolean,
): void {
  const { connectionState, lastError } = session
  const { communicationState } = session.host
  const { name } = session.current()
  if (connectionState !== 'SELECTED') {
    const error = lastError ? ` Last error: ${lastError.detail}.` : ''
    const next = wanted
      ? 'The gateway goes on trying.'
      : `Connect it first: secsctl equipment connect ${shellWord(name)}`
    throw new Problem(
      'equipment_not_connected',
      `${name} is ${connectionState}, not SELECTED.${error} ${next}`,
    )
  }
  if (communicationState === 'COMMUNICATING' || (stream === 1 && fn === 13)) return
  throw new Problem(
    'equipment_not_communicating',
    `${name} is SELECTED, but S1F13 is not through (${communicationState}): ${lastError?.detail ?? NO_GEM}. Only S1F13 may be sent.`,
  )
}
