import {
  CARRIER_ACCESSING_TRANSITIONS,
  CARRIER_ACCESSING_WORDS,
  CARRIER_ID_TRANSITIONS,
  CARRIER_ID_WORDS,
  SLOT_MAP_TRANSITIONS,
  SLOT_MAP_WORDS,
} from './carrier.js'
import type { CodeWords } from './code-words.js'
import { CONTROL_JOB_TRANSITIONS, CONTROL_JOB_WORDS } from './control-job.js'
import { portNumber } from './identifier.js'
import { EPT_TRANSITIONS, EPT_WORDS } from './performance.js'
import {
  ACCESS_MODE_TRANSITIONS,
  ACCESS_MODE_WORDS,
  ASSOCIATION_TRANSITIONS,
  ASSOCIATION_WORDS,
  PORT_TRANSFER_TRANSITIONS,
  PORT_TRANSFER_WORDS,
  RESERVATION_TRANSITIONS,
  RESERVATION_WORDS,
} from './port.js'
import { PROCESS_JOB_TRANSITIONS } from './process-job.js'
import {
  SUBSTRATE_ID_TRANSITIONS,
  SUBSTRATE_ID_WORDS,
  SUBSTRATE_PROCESSING_TRANSITIONS,
  SUBSTRATE_TRANSITIONS,
} from './substrate.js'
import type { Transition } from './transition.js'
import type { Gem300Variants } from './variants.js'

/** What a host follows the states of. A job is a process job. */
export const OBJECT_KINDS = ['port', 'carrier', 'job', 'control_job', 'substrate', 'performance'] as const
export type ObjectKind = (typeof OBJECT_KINDS)[number]

/** One of the state machines of an object, as its host sees it. */
export interface ObjectState {
  readonly transitions: readonly Transition<string, string>[]
  readonly words: (variants: Gem300Variants) => CodeWords<string>
  /** Its names as an attribute of the object (SEMI E39). */
  readonly attributes: readonly string[]
}

/** Of one kind. */
export interface KindOfObject {
  /** OBJTYPE; undefined where there are no such objects. */
  readonly type: ((variants: Gem300Variants) => string) | undefined
  /** By their names here. With the end of the first one the object ends. */
  readonly states: Readonly<Record<string, ObjectState>>
  /** What else is followed, and its names as an attribute. */
  readonly details: Readonly<Record<string, readonly string[]>>
  /** States of the first machine after which the end of the object is no surprise. */
  readonly over: readonly string[]
}

const fixed = (words: CodeWords<string>) => (): CodeWords<string> => words

export const KINDS: Readonly<Record<ObjectKind, KindOfObject>> = {
  port: {
    type: ({ portType }) => portType,
    states: {
      transfer: {
        transitions: PORT_TRANSFER_TRANSITIONS,
        words: fixed(PORT_TRANSFER_WORDS),
        attributes: ['PortTransferState'],
      },
      access_mode: {
        transitions: ACCESS_MODE_TRANSITIONS,
        words: fixed(ACCESS_MODE_WORDS),
        attributes: ['PortAccessMode', 'AccessMode'],
      },
      reservation: {
        transitions: RESERVATION_TRANSITIONS,
        words: fixed(RESERVATION_WORDS),
        attributes: ['PortReservationState', 'LoadPortReservationState'],
      },
      association: {
        transitions: ASSOCIATION_TRANSITIONS,
        words: fixed(ASSOCIATION_WORDS),
        attributes: ['PortAssociationState'],
      },
    },
    details: { carrier: ['CarrierID'] },
    over: [],
  },
  carrier: {
    type: () => 'Carrier',
    states: {
      accessing_status: {
        transitions: CARRIER_ACCESSING_TRANSITIONS,
        words: fixed(CARRIER_ACCESSING_WORDS),
        attributes: ['CarrierAccessingStatus'],
      },
      id_status: {
        transitions: CARRIER_ID_TRANSITIONS,
        words: fixed(CARRIER_ID_WORDS),
        attributes: ['CarrierIDStatus'],
      },
      slot_map_status: {
        transitions: SLOT_MAP_TRANSITIONS,
        words: fixed(SLOT_MAP_WORDS),
        attributes: ['SlotMapStatus'],
      },
    },
    details: { location: ['LocationID'], port: [], slot_map: ['SlotMap'], reason: [] },
    over: ['CARRIER_COMPLETE', 'CARRIER_STOPPED'],
  },
  job: {
    type: undefined,
    states: {
      state: {
        transitions: PROCESS_JOB_TRANSITIONS,
        words: ({ processJob }) => processJob,
        attributes: ['PRJobState'],
      },
    },
    details: { recipe: ['RecID'], error: [] },
    over: ['PROCESS_COMPLETE', 'STOPPED', 'ABORTED'],
  },
  control_job: {
    type: () => 'ControlJob',
    states: {
      state: {
        transitions: CONTROL_JOB_TRANSITIONS,
        words: fixed(CONTROL_JOB_WORDS),
        attributes: ['State'],
      },
    },
    details: {},
    over: ['COMPLETED'],
  },
  substrate: {
    type: () => 'Substrate',
    states: {
      state: {
        transitions: SUBSTRATE_TRANSITIONS,
        words: ({ substrate }) => substrate,
        attributes: ['SubstState'],
      },
      processing: {
        transitions: SUBSTRATE_PROCESSING_TRANSITIONS,
        words: ({ substrateProcessing }) => substrateProcessing,
        attributes: ['SubstProcState'],
      },
      id_status: {
        transitions: SUBSTRATE_ID_TRANSITIONS,
        words: fixed(SUBSTRATE_ID_WORDS),
        attributes: ['SubstIDStatus'],
      },
    },
    details: {
      location: ['SubstLocID'],
      lot: ['LotID'],
      source: ['SubstSource'],
      destination: ['SubstDestination'],
    },
    over: ['AT_DESTINATION'],
  },
  performance: {
    type: undefined,
    states: { state: { transitions: EPT_TRANSITIONS, words: fixed(EPT_WORDS), attributes: [] } },
    details: { task: [], task_type: [], blocked_reason: [], blocked_text: [] },
    over: [],
  },
}

/** The state with whose end an object ends. */
export const firstState = (kind: ObjectKind): string => Object.keys(KINDS[kind].states)[0] ?? ''

/** The ID of a port in any spelling: `1`, `LP1` and `Port 01` are one. */
export const portId = (text: string): string => String(portNumber(text) ?? text.trim())
