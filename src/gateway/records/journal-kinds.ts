import type { Kind } from '../../store/entry.js'

/** The kinds of journal entries. The types are the API's event types; the names say what happened. */
export const MESSAGE_SENT = { type: 'message', name: 'message_sent' } as const satisfies Kind
export const MESSAGE_RECEIVED = { type: 'message', name: 'message_received' } as const satisfies Kind
export const MESSAGE_ENDED = { type: 'message', name: 'message_ended' } as const satisfies Kind
export const ALARM_SET = { type: 'alarm', name: 'alarm_set' } as const satisfies Kind
export const ALARM_CLEARED = { type: 'alarm', name: 'alarm_cleared' } as const satisfies Kind
export const ALARM_ACKNOWLEDGED = { type: 'alarm', name: 'alarm_acknowledged' } as const satisfies Kind
export const ALARM_SHELVED = { type: 'alarm', name: 'alarm_shelved' } as const satisfies Kind
export const ALARM_UNSHELVED = { type: 'alarm', name: 'alarm_unshelved' } as const satisfies Kind
/** The state of the event reports that the gateway applies has changed. */
export const REPORTS = { type: 'state', name: 'reports' } as const satisfies Kind
/** A state of an object of GEM 300 equipment has changed. */
export const PORT_STATE = { type: 'state', name: 'port_state' } as const satisfies Kind
export const CARRIER_STATE = { type: 'state', name: 'carrier_state' } as const satisfies Kind
export const JOB_STATE = { type: 'state', name: 'job_state' } as const satisfies Kind
export const CONTROL_JOB_STATE = { type: 'state', name: 'control_job_state' } as const satisfies Kind
export const SUBSTRATE_STATE = { type: 'state', name: 'substrate_state' } as const satisfies Kind
export const PERFORMANCE_STATE = { type: 'state', name: 'performance_state' } as const satisfies Kind
/** Messages passed through a tap and are not recorded. */
export const TAP_GAP = { type: 'connection', name: 'tap_gap' } as const satisfies Kind
/** A local administrator has logged in with a password where users sign on with company accounts; of no equipment. */
export const BREAK_GLASS_LOGIN = { type: 'gateway', name: 'break_glass_login' } as const satisfies Kind
/** Somebody has said by hand which reports the host of tapped equipment has defined. */
export const REPORTS_OBSERVED = { type: 'knowledge', name: 'reports_observed' } as const satisfies Kind
/** Equipment is about to get another name or other labels, or to be deleted. */
export const IDENTITY = {
  type: 'equipment',
  name: 'identity',
  topic: 'identity',
} as const satisfies Kind & { readonly topic: string }
/** A process has taken equipment or duties. */
export const KEYS_TAKEN = { type: 'ownership' } as const satisfies Kind
/** Who made the call that sent a message: in the message's batch. */
export const CALLED = { type: 'audit' } as const satisfies Kind

export const MESSAGES: readonly Kind[] = [MESSAGE_SENT, MESSAGE_RECEIVED]
