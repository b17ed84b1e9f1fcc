import type { CarrierAttributeName } from '../variants.js'

/** A name that equipment gives, or the number. */
export type Reference = string | number

/** Variables by what they hold: `id`, a state or a detail of `KINDS`. */
export type MappedVariables = Readonly<Record<string, Reference>>

/** What tells of a state: an event, or status variables that are asked for. */
export interface MappedSource {
  /** `carrier.slot_map_status`, or the kind alone: then the transition, or the variables, say which. */
  readonly state: string
  /** The state that follows, or NO_STATE; left out, the variable says it. */
  readonly to?: string
  /** The number of the transition, which says the state that follows. */
  readonly transition?: number
  /** The port that the name speaks of. */
  readonly port?: number
  /** The object that the name speaks of. */
  readonly object?: string
  /** In place of those of the kind; status variables are these alone. */
  readonly variables?: MappedVariables
}

/** What else happens to carriers and substrates, and is no state of the standards. */
export const OCCURRENCES = [
  'carrier_placed',
  'carrier_taken',
  'carrier_id_read',
  'carrier_id_not_read',
  'carrier_clamped',
  'carrier_unclamped',
  'carrier_docked',
  'carrier_opened',
  'carrier_closed',
  'carrier_moved',
  'carrier_nearly_complete',
  'location_occupied',
  'location_unoccupied',
] as const
export type Occurrence = (typeof OCCURRENCES)[number]

export interface MappedEvent extends Omit<MappedSource, 'state'> {
  /** Name or CEID. */
  readonly event: Reference
  readonly state?: string
  /** What it says that is no state. */
  readonly occurrence?: Occurrence
}

/** Words by number, or the name of a table that is known. */
export type MappedWords = string | Readonly<Record<string, string>>

/** PORTACTION, and its parameters by name. */
export interface MappedPortAction {
  readonly action: string
  readonly parameters?: Readonly<Record<string, string | number>>
}

/** What differs from what most tools take: see `Gem300Variants`. */
export interface MappedSettings {
  readonly job?: MappedWords
  readonly substrate?: MappedWords
  readonly substrate_processing?: MappedWords
  readonly slots?: MappedWords
  readonly slot_format?: 'U1' | 'U2'
  readonly port_actions?: string | Readonly<Record<string, MappedPortAction>>
  readonly port_type?: string
  readonly create_specifier?: string
  readonly job_creation?: 'S16F15' | 'S16F11'
  readonly attributes_with_id?: readonly CarrierAttributeName[]
  readonly attributes_with_slot_map?: readonly CarrierAttributeName[]
  /** States whose attributes are not asked for, such as `carrier.id_status`: they are wrong on this equipment. */
  readonly ignored_attributes?: readonly string[]
}

/** How equipment tells of its GEM 300 objects, as a site writes it. */
export interface Mapping {
  readonly settings?: MappedSettings
  /** By kind of object. */
  readonly variables?: Readonly<Record<string, MappedVariables>>
  readonly events?: readonly MappedEvent[]
  /** What is asked for with S1F3 after a connect. */
  readonly status?: readonly MappedSource[]
}

/** What is wrong with a mapping. */
export interface MappingFault {
  /** JSON Pointer. */
  readonly pointer: string
  readonly detail: string
}
