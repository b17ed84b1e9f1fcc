import type { JsonObject } from '../../kit/text/json.js'

/** A call as the audit records it. */
export interface AuditedCall {
  /** The name of its endpoint. */
  readonly action: string
  /** The equipment that it is about; null for none. */
  readonly equipment_id: string | null
  readonly user: string | null
  readonly api_key: { readonly id: string; readonly name: string } | null
  readonly address: string | null
  readonly request_id: string | null
  /** The trace context of the call, if it had a valid one. */
  readonly traceparent?: string
  readonly reason: string | null
  readonly details: JsonObject
}

/** How a call ended. */
export interface AuditedEnd {
  readonly status: number
  readonly code: string | null
  readonly message_id: string | null
  /** Of a call that added an equipment: its id. */
  readonly equipment_id?: string
}
