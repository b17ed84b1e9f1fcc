import type { Equipment } from '../../contract/equipment.js'
import { settingsOf } from '../../contract/topics/equipment/equipment-settings.js'
import { REPORTS_MISSING, REPORTS_REFUSED } from '../../contract/topics/reports.js'
import type { JsonObject } from '../../kit/text/json.js'
import { writtenOnce } from '../../kit/text/json-parts.js'
import type { EquipmentSession } from '../link/session.js'
import { millisecondsOf } from '../link/session-settings.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import type { EquipmentHealth } from './equipment-health.js'
import type { LockState } from './lock-state.js'

/** What is known of the event reports that were applied. */
export interface SeenReports {
  readonly state: string
  readonly last_error: { readonly detail: string } | null
  readonly neverApplied?: true
}

interface Seen {
  readonly record: EquipmentRecord
  readonly session: EquipmentSession
  readonly health: EquipmentHealth
  readonly lock: LockState
  readonly node: string | null
  /** Left out where none were applied, or nothing is known of them. */
  readonly reports?: SeenReports | undefined
  /** The last view of it. */
  shown?: Shown
}

/** A view, and what it was made of. */
export interface Shown {
  readonly view: Equipment
  readonly record: EquipmentRecord
  readonly state: State
}

/**
 * An equipment as the API shows it: its record, and the state of its session. While neither changes this returns the
 * same object, whose JSON is made once. `published`: the view of the process that has the session.
 */
export function viewEquipment(seen: Seen, published?: JsonObject): Equipment {
  const { record, shown } = seen
  const own = stateOf(seen)
  const state = published ? { ...own, ...stateIn(published) } : own
  if (shown?.record === record && isSame(shown.state, state)) return shown.view
  const view = writtenOnce(viewOf(record, state))
  seen.shown = { view, record, state }
  return view
}

/** The members that a session decides. */
const STATE = [
  'connection_state',
  'communication_state',
  'control_state',
  'health',
  'health_reason',
  'responsiveness',
  'connected_since',
  'retry_at',
  'last_error',
  'model',
  'tap_link',
] as const satisfies readonly (keyof Equipment)[]

/** What changes without a change of the record. */
type State = Pick<Equipment, (typeof STATE)[number] | 'lock' | 'node'>

const stateIn = (published: JsonObject): Partial<State> =>
  Object.fromEntries(STATE.flatMap((name) => (name in published ? [[name, published[name]]] : [])))

/** Members that are objects are the same object as long as nothing in them changes. */
function isSame(one: State, other: State): boolean {
  for (const name in one) {
    if (one[name as keyof State] !== other[name as keyof State]) return false
  }
  return true
}

/** Who dials the gateway, where equipment is shared with its own host. */
const callerOf = ({ mode, tap }: EquipmentRecord): string =>
  mode === 'passive' ? `its host ${tap?.host_address}` : 'the equipment'

const viewOf = (record: EquipmentRecord, state: State): Equipment => ({
  id: record.id,
  name: record.name,
  ip_address: record.ip_address,
  port: record.port,
  serial_port: record.serial_port,
  ...settingsOf(record),
  gateway_role: record.mode === 'passive' || record.serial_port !== null ? 'active' : 'passive',
  enabled: record.enabled,
  ...state,
  timers: record.timers,
  labels: record.labels,
  tap: record.tap,
  revision: record.revision,
  created_at: record.created_at,
  updated_at: record.updated_at,
})

const missingText = ({ last_error, neverApplied }: SeenReports): string =>
  `${neverApplied ? REPORTS_REFUSED : REPORTS_MISSING}: ${last_error?.detail ?? 'a check has shown it'}`

/** Has one shape, so that two are compared fast. */
function stateOf({ record, session, health, lock, node, reports }: Seen): State {
  const { host, connectionState, lastError, tapLink } = session
  const { withoutS1F13 } = host
  const verdict = health.verdict({
    enabled: record.enabled,
    ready: session.ready,
    connectionState,
    lastError,
    waitsFor: tapLink?.state === 'waiting' ? callerOf(record) : undefined,
    withoutS1F13,
    reportsMissing: reports?.state === 'missing' ? missingText(reports) : undefined,
    t3Ms: millisecondsOf(record.timers.t3),
    slowMs: millisecondsOf(record.timers.slow_reply),
  })
  return {
    connection_state: connectionState,
    communication_state: host.communicationState,
    control_state: host.controlState,
    health: verdict.health,
    health_reason: verdict.health_reason,
    responsiveness: health.responsiveness,
    connected_since: session.connectedSince,
    retry_at: session.retryAt,
    last_error: lastError,
    lock: lock.shown,
    node,
    model: host.model,
    tap_link: tapLink,
  }
}
