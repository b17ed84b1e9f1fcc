import { PORT_ACTIONS } from '../../gem300/port-actions.js'
import { PROCESS_JOB_WORDS } from '../../gem300/process-job.js'
import { SLOT_WORDS } from '../../gem300/slot-map.js'
import {
  SUBSTRATE_LOCATION_WORDS,
  SUBSTRATE_PROCESSING_WORDS,
  SUBSTRATE_WORDS,
} from '../../gem300/substrate.js'
import { DEFAULT_VARIANTS, type Gem300View } from '../../gem300/variants.js'

/**
 * How a tool tells of transitions: an event for each; one event for each machine, with the state in a variable; events
 * that name their port and carry no data; or as the first, with all substrates of one transition in one event.
 */
export const EVENT_STYLES = ['transitions', 'generic', 'port_in_name', 'lists'] as const
export const JOB_CREATIONS = ['both', 'S16F11', 'S16F15'] as const
/** Whether jobs start as the host says, or always wait for START and CJStart. */
export const STARTS = ['as_requested', 'manual'] as const
/** Whether a carrier that is done may be taken at once, or after CarrierRelease. */
export const RELEASES = ['auto', 'host'] as const
export const SUBSTRATE_NUMBERS = ['standard', 'one_based'] as const
export const SLOT_CODES = ['standard', 'present'] as const
export const PORT_TYPES = ['LoadPort', 'Port'] as const
/** The messages of jobs beside collection events. */
export const JOB_MESSAGES = ['none', 'S16F7', 'S16F9', 'both'] as const

/** A GEM 300 tool of a model: what differs between tools, and its times in milliseconds. */
export interface ToolSettings {
  readonly events: (typeof EVENT_STYLES)[number]
  /** OBJSPEC that S14F9 has to have. */
  readonly objspec: string
  readonly jobCreation: (typeof JOB_CREATIONS)[number]
  readonly start: (typeof STARTS)[number]
  readonly release: (typeof RELEASES)[number]
  readonly substrateNumbers: (typeof SUBSTRATE_NUMBERS)[number]
  readonly slotCodes: (typeof SLOT_CODES)[number]
  readonly portType: (typeof PORT_TYPES)[number]
  readonly jobMessages: (typeof JOB_MESSAGES)[number]
  /** Process jobs that it holds at a time. */
  readonly queue: number
  /** From the carrier on the port to its ID, and from the ID to the slot map. */
  readonly loadTime: number
  readonly setUpTime: number
  /** Of one substrate from one place to the next. */
  readonly moveTime: number
  /** Of one substrate in a chamber. */
  readonly processTime: number
}

/** The bodies of this tool. */
export const viewOf = (settings: ToolSettings): Gem300View => ({
  variants: {
    ...DEFAULT_VARIANTS,
    processJob: PROCESS_JOB_WORDS.standard,
    portActions: PORT_ACTIONS.standard,
    substrate: SUBSTRATE_WORDS[settings.substrateNumbers],
    substrateProcessing: SUBSTRATE_PROCESSING_WORDS[settings.substrateNumbers],
    substrateLocation: SUBSTRATE_LOCATION_WORDS[settings.substrateNumbers],
    slots: SLOT_WORDS[settings.slotCodes],
    portType: settings.portType,
    createSpecifier: settings.objspec,
  },
})
