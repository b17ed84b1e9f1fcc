import type { Equipment } from '../../../contract/equipment.js'
import type { Event } from '../../../contract/topics/events.js'
import type { SinkChange } from '../../../contract/topics/sinks/sink.js'
import type { FlatEvent, SinkFormat } from '../../../contract/topics/sinks/sink-message.js'
import type { Clock } from '../../../kit/clock.js'
import type { Identity } from '../../equipment/equipment-identities.js'
import type { SinkRecord } from '../sink-record.js'

/** A message as every kind of sink sends it. */
export interface OutMessage {
  /** Of the CloudEvent; the same when the message is sent again. */
  readonly id: string
  /** The CloudEvent, structured: JSON. */
  readonly text: string
  /** Its type, such as `secsctl.alarm_set`. */
  readonly type: string
  /** The event that it carries, in the format of the sink; absent where it is about the sink itself: a gap, a test. */
  readonly event?: Event | FlatEvent
  /** In place of an event: equipment has changed its name or labels, or was deleted. Nothing is sent about that. */
  readonly change?: { readonly equipmentId: string; readonly before: Identity }
}

/** Why messages were not accepted. `isPermanent`: the same messages would be rejected again. */
export interface Rejection {
  readonly isPermanent: boolean
  readonly detail: string
  /** Milliseconds after which the target asked to be tried again. */
  readonly retryAfter?: number
}

/** An open target. One call of `send` at a time. */
export interface Producer {
  /** Messages in one call, at most. */
  readonly maxMessages: number
  /** True: it gets changes of names and labels, too. */
  readonly followsIdentities?: boolean
  /**
   * Resolves once the target has all of them, in their order, or with a rejection: then all are sent again, the one
   * that is rejected alone. Rejects for a failure to reach it.
   */
  send(messages: readonly OutMessage[], signal: AbortSignal): Promise<Rejection | undefined>
  close(): Promise<void>
}

/** What sinks work with. */
export interface SinkWorld {
  readonly clock: Clock
  /** True: targets may be on loopback, link-local and cloud metadata addresses. */
  readonly localTargets: boolean
  /** The folder of sinks of the kind `file`. */
  readonly folder: string
  /** Equipment of this sink as it is now; undefined for other equipment, and where it is not registered. */
  readonly equipment: (id: string) => Equipment | undefined
  /** Ids of the equipment that is of this sink now. */
  readonly selected: () => readonly string[]
  /** Name and labels of equipment when an entry was recorded; undefined where they are not known. */
  readonly identityAt: (id: string, seq: number) => Identity | undefined
}

/** Opens the target of a sink. Throws where the record has no target of this kind. */
export type OpenTarget = (record: SinkRecord, world: SinkWorld) => Producer

/** One kind of sink: all that the gateway knows of it. What refuses throws `invalid_request`. */
export interface SinkKind<Target> {
  readonly open: OpenTarget
  /** The only format that its sinks have; left out where they may have any. */
  readonly format?: SinkFormat
  /** Refuses a target that is given. `others`: all other sinks. */
  refuseTarget(target: Target, world: Pick<SinkWorld, 'localTargets'>, others: readonly SinkRecord[]): void
  /** Refuses other members of a change that sinks with this target cannot have. */
  refuseMembers?(change: SinkChange, target: Target, format: SinkFormat): void
  refuseSecret(secret: string, target: Target): void
  /** Where a secret goes, and how it is protected on its way. */
  destinations(target: Target): readonly string[]
}
