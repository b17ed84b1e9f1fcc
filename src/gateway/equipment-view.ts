import type { Equipment } from '../contract/equipment.js'
import type { EquipmentRecord } from './equipment-record.js'
import type { Session } from './session.js'

/** An equipment as the API shows it: what it was given, and what its session knows. */
export function viewEquipment({
  record,
  session,
}: {
  readonly record: EquipmentRecord
  readonly session: Session
}): Equipment {
  const { communicationState, controlState, model } = session.host
  return {
    id: record.id,
    name: record.name,
    ip_address: record.ip_address,
    port: record.port,
    mode: record.mode,
    device_id: record.device_id,
    session_id: record.session_id,
    gateway_role: record.mode === 'passive' ? 'active' : 'passive',
    enabled: record.enabled,
    connection_state: session.connectionState,
    communication_state: communicationState,
    control_state: controlState,
    connected_since: session.connectedSince,
    retry_at: session.retryAt,
    last_error: session.lastError,
    model: model && { mdln: model.mdln, softrev: model.softrev },
    timers: record.timers,
    linktest_mode: record.linktest_mode,
    gem_startup: record.gem_startup,
    item_formats: record.item_formats,
    text_encoding: record.text_encoding,
    revision: record.revision,
    created_at: record.created_at,
    updated_at: record.updated_at,
  }
}
