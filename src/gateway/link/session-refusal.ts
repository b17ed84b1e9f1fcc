import type { ConnectionState, LastError } from '../../contract/equipment.js'
import { Problem } from '../../contract/errors.js'
import type { Host } from '../../gem/host/host.js'

/** A hint for equipment that does not reply to S1F13. */
export const NO_GEM = 'if it has no GEM, set its `communication` to `none`'

interface SessionStatus {
  readonly connectionState: ConnectionState
  readonly lastError: LastError | null
  readonly host: Pick<Host, 'communicationState'>
  /** The equipment's record as it is now. */
  readonly current: () => { readonly id: string; readonly name: string }
}

/** Throws the problem that prevents sending a primary; `wanted`: the session keeps trying to connect. */
export function refuseUnlessReady(
  session: SessionStatus,
  { stream, function: fn }: { readonly stream: number; readonly function: number },
  wanted: boolean,
): void {
  const { connectionState, lastError } = session
  const { communicationState } = session.host
  const { id, name } = session.current()
  if (connectionState !== 'SELECTED') {
    const error = lastError ? ` Last error: ${lastError.detail}.` : ''
    const detail = `${name} is ${connectionState}, not SELECTED.${error} ${wanted ? 'The gateway keeps trying.' : 'Connect it first.'}`
    const next = { operation: 'connectEquipment', parameters: { id } } as const
    throw new Problem('equipment_not_connected', detail, wanted ? {} : { next: [next] })
  }
  if (communicationState === 'COMMUNICATING' || (stream === 1 && fn === 13)) return
  throw new Problem(
    'equipment_not_communicating',
    `${name} is SELECTED, but S1F13 is not through (${communicationState}): ${lastError?.detail ?? NO_GEM}. Only S1F13 may be sent.`,
  )
}
