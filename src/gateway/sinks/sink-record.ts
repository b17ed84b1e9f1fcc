import type { EventType } from '../../contract/topics/events.js'
import type { SinkFormat } from '../../contract/topics/sinks/sink-message.js'
import type { SinkKindName, SinkTargets } from '../../contract/topics/sinks/targets.js'
import type { Collection } from '../../store/collection.js'

/** An entry, or several that retention removed, that the target did not accept. */
export interface DeadRecord {
  /** The entry; of a gap the last one. */
  readonly seq: number
  /** Of a gap, its first entry. */
  readonly from?: number
  readonly reason: string
  readonly at: string
  readonly retrying: boolean
}

/** A sink as it is stored, with its position in the journal. */
export interface SinkRecord extends SinkTargets {
  readonly id: string
  readonly name: string
  readonly kind: SinkKindName
  readonly equipment: readonly string[] | null
  readonly label_selector: string | null
  readonly types: readonly EventType[] | null
  readonly names: readonly string[] | null
  /** SECS messages and streams; left out by versions that did not know them. */
  readonly messages?: readonly string[] | null
  readonly format: SinkFormat
  readonly secret: string | null
  /** Its secret as it is stored, where the signing key that sealed it is gone. */
  readonly unopened?: string
  /** The query of its webhook's URL as it is stored, likewise. */
  readonly unopened_query?: string
  readonly paused: boolean
  /** All entries up to this one are delivered, dead letters, or not for this sink. */
  readonly position: number
  readonly dead: readonly DeadRecord[]
  readonly created_at: string
  readonly updated_at: string
}

export const MAX_DEAD = 1000

/** The first entry that a sink has not finished, paused or not, as it is stored: there it continues after a crash. */
export const firstNeeded = async (sinks: Pick<Collection<SinkRecord>, 'all'>): Promise<number> =>
  Math.min(...(await sinks.all()).map(({ position }) => position + 1))
