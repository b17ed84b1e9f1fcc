import type { ItemView } from '../catalogue/view.js'
import type { CodeWords } from './code-words.js'
import { PORT_ACTIONS, type PortActions } from './port-actions.js'
import { PROCESS_JOB_WORDS, type ProcessJobState } from './process-job.js'
import { SLOT_WORDS, type SlotState } from './slot-map.js'
import {
  SUBSTRATE_LOCATION_WORDS,
  SUBSTRATE_PROCESSING_WORDS,
  SUBSTRATE_WORDS,
  type SubstrateLocationState,
  type SubstrateProcessingState,
  type SubstrateState,
} from './substrate.js'

/** The attributes of a carrier that a host may give with ProceedWithCarrier. */
export type CarrierAttributeName = 'Capacity' | 'SubstrateCount' | 'ContentMap' | 'SlotMap' | 'Usage'

/** What differs between tools. The formats of items (`MF`, `PTN`, `DATAID`) are the equipment's own, as for all messages. */
export interface Gem300Variants {
  readonly processJob: CodeWords<ProcessJobState>
  readonly substrate: CodeWords<SubstrateState>
  readonly substrateProcessing: CodeWords<SubstrateProcessingState>
  readonly substrateLocation: CodeWords<SubstrateLocationState>
  readonly slots: CodeWords<SlotState>
  /** The format of a slot in SlotMap. */
  readonly slotFormat: 'U1' | 'U2'
  readonly portActions: PortActions
  /** OBJTYPE of a load port. */
  readonly portType: string
  /** OBJSPEC of S14F9: the object that owns the new one. */
  readonly createSpecifier: string
  /** The message that creates a process job. */
  readonly jobCreation: 'S16F15' | 'S16F11'
}

/** What most of the known tools take. S16F15: three of five hosts send nothing else. OBJSPEC `Equipment`: four of six. */
export const DEFAULT_VARIANTS: Gem300Variants = {
  processJob: PROCESS_JOB_WORDS.standard,
  substrate: SUBSTRATE_WORDS.standard,
  substrateProcessing: SUBSTRATE_PROCESSING_WORDS.standard,
  substrateLocation: SUBSTRATE_LOCATION_WORDS.standard,
  slots: SLOT_WORDS.standard,
  slotFormat: 'U1',
  portActions: PORT_ACTIONS.standard,
  portType: 'LoadPort',
  createSpecifier: 'Equipment',
  jobCreation: 'S16F15',
}

/** How one equipment's bodies are built and read. */
export interface Gem300View extends ItemView {
  readonly variants: Gem300Variants
}
