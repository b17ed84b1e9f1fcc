import type { Equipment } from '../../contract/equipment.js'
import { settingsOf } from '../../contract/topics/equipment/equipment-settings.js'
import type { JsonObject } from '../../kit/text/json.js'
import { writtenOnce } from '../../kit/text/json-parts.js'
import type { EquipmentSession } from '../link/session.js'
import { millisecondsOf } from '../link/session-settings.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import type { EquipmentHealth } from './equipment-health.js'
import type { LockState } from './lock-state.js'

interface Seen {
  readonly record: EquipmentRecord
  readonly session: EquipmentSession
  readonly health: EquipmentHealth
  readonly lock: LockState
  readonly node: string | null
  /** The last view of it. */
  shown?: Equipment
}

/**
 * An equipment as the API shows it: its record, and the state of its session. While neither changes this returns the
 * same object, whose JSON is made once. `published`: the view of the process that has the session.
 */
export function viewEquipment(seen: Seen, published?: JsonObject): Equipment {
  const own = viewOf(seen)
  const view = published ? { ...own, ...stateIn(published) } : own
  const last = seen.shown
  if (last && isSame(last, view)) return last
  seen.shown = writtenOnce(view)
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

const stateIn = (published: JsonObject): Partial<Equipment> =>
  Object.fromEntries(STATE.flatMap((name) => (name in published ? [[name, published[name]]] : [])))

/** Members that are objects are the same object as long as nothing in them changes. */
function isSame(one: Equipment, other: Equipment): boolean {
  for (const name in one) {
    if (one[name as keyof Equipment] !== other[name as keyof Equipment]) return false
  }
  return true
}

/** Who dials the gateway, where equipment is shared with its own host. */
const callerOf = ({ mode, tap }: EquipmentRecord): string =>
  mode === 'passive' ? `its host ${tap?.host_address}` : 'the equipment'

function viewOf({ record, session, health, lock, node }: Seen): Equipment {
  const { communicationState, controlState, model } = session.host
  return {
    id: record.id,
    name: record.name,
    ip_address: record.ip_address,
    port: record.port,
    serial_port: record.serial_port,
    ...settingsOf(record),
    gateway_role: record.mode === 'passive' || record.serial_port !== null ? 'active' : 'passive',
    enabled: record.enabled,
    connection_state: session.connectionState,
    communication_state: communicationState,
    control_state: controlState,
    ...health.verdict({
      enabled: record.enabled,
      ready: session.ready,
      connectionState: session.connectionState,
      lastError: session.lastError,
      waitsFor: session.tapLink?.state === 'waiting' ? callerOf(record) : undefined,
      withoutS1F13: session.host.withoutS1F13,
      t3Ms: millisecondsOf(record.timers.t3),
      slowMs: millisecondsOf(record.timers.slow_reply),
    }),
    responsiveness: health.responsiveness,
    connected_since: session.connectedSince,
    retry_at: session.retryAt,
    last_error: session.lastError,
    lock: lock.shown,
    node,
    model,
    tap_link: session.tapLink,
    timers: record.timers,
    labels: record.labels,
    tap: record.tap,
    revision: record.revision,
    created_at: record.created_at,
    updated_at: record.updated_at,
  }
}
