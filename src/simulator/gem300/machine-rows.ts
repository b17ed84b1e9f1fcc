import {
  CARRIER_ACCESSING_TRANSITIONS,
  CARRIER_ID_TRANSITIONS,
  SLOT_MAP_TRANSITIONS,
} from '../../gem300/carrier.js'
import { CONTROL_JOB_TRANSITIONS } from '../../gem300/control-job.js'
import { EPT_TRANSITIONS } from '../../gem300/performance.js'
import {
  ACCESS_MODE_TRANSITIONS,
  ASSOCIATION_TRANSITIONS,
  PORT_TRANSFER_TRANSITIONS,
  RESERVATION_TRANSITIONS,
} from '../../gem300/port.js'
import { PROCESS_JOB_TRANSITIONS } from '../../gem300/process-job.js'
import {
  SUBSTRATE_LOCATION_TRANSITIONS,
  SUBSTRATE_PROCESSING_TRANSITIONS,
  SUBSTRATE_TRANSITIONS,
} from '../../gem300/substrate.js'
import type { Transition } from '../../gem300/transition.js'
import type { MachineName } from './machine.js'
import type { Occurrence } from './notice.js'

/** The reports that are linked to a machine's events from the beginning. */
export type ReportName =
  | 'port'
  | 'carrier'
  | 'slot_map'
  | 'process_job'
  | 'control_job'
  | 'substrate'
  | 'location'
  | 'performance'

/** How the events of a machine are named, and what they report. */
interface MachineRow {
  readonly transitions: readonly Transition<string, string>[]
  /** The event of one transition; left out, the tool tells nothing of this one. */
  readonly event: (number: number) => string
  /** The event of any transition. */
  readonly change: string
  /** In the style that names the port: what stands for the port's or the job's name, and the state in words. */
  readonly subject: 'LP' | 'PJ' | 'CJ' | 'SSM' | 'SUBSTLOC' | 'EPT'
  readonly wording?: (words: string) => string
  readonly reports: readonly ReportName[]
}

const numbered =
  (prefix: string) =>
  (number: number): string =>
    `${prefix}${String(number).padStart(2, '0')}`

const named =
  (names: Readonly<Record<number, string>>) =>
  (number: number): string =>
    names[number] ?? ''

const CARRIER = {
  event: numbered('CarrierSMTrans'),
  subject: 'LP',
  reports: ['carrier'],
} as const satisfies Partial<MachineRow>

export const MACHINE_ROWS: Readonly<Record<MachineName, MachineRow>> = {
  port_transfer: {
    transitions: PORT_TRANSFER_TRANSITIONS,
    event: numbered('PortTransferSMTrans'),
    change: 'PortTransferStateChange',
    subject: 'LP',
    reports: ['port'],
  },
  access_mode: {
    transitions: ACCESS_MODE_TRANSITIONS,
    event: named({ 2: 'AccessSMGoAuto', 3: 'AccessSMGoManual' }),
    change: 'AccessModeChange',
    subject: 'LP',
    wording: (words) => `ACCESS ${words}`,
    reports: ['port'],
  },
  reservation: {
    transitions: RESERVATION_TRANSITIONS,
    event: named({ 2: 'ReservationSMGoReserved', 3: 'ReservationSMGoNotReserved' }),
    change: 'PortReservationStateChange',
    subject: 'LP',
    reports: ['port'],
  },
  association: {
    transitions: ASSOCIATION_TRANSITIONS,
    event: named({ 2: 'AssocSMGoAssoc', 3: 'AssocSMGoNotAssoc', 4: 'AssocSMGoAssocAgain' }),
    change: 'PortAssociationStateChange',
    subject: 'LP',
    reports: ['port'],
  },
  carrier_id: { ...CARRIER, transitions: CARRIER_ID_TRANSITIONS, change: 'CarrierIDStatusChange' },
  slot_map: {
    ...CARRIER,
    transitions: SLOT_MAP_TRANSITIONS,
    change: 'CarrierSlotMapStatusChange',
    wording: (words) => (words.startsWith('SLOT_MAP') ? words : `SLOT_MAP ${words}`),
    reports: ['carrier', 'slot_map'],
  },
  carrier_accessing: {
    ...CARRIER,
    transitions: CARRIER_ACCESSING_TRANSITIONS,
    change: 'CarrierAccessingStatusChange',
  },
  process_job: {
    transitions: PROCESS_JOB_TRANSITIONS,
    event: numbered('PRJobSMTrans'),
    change: 'PRJobStateChange',
    subject: 'PJ',
    reports: ['process_job'],
  },
  control_job: {
    transitions: CONTROL_JOB_TRANSITIONS,
    event: numbered('CtrlJobSMTrans'),
    change: 'CtrlJobStateChange',
    subject: 'CJ',
    reports: ['control_job'],
  },
  substrate: {
    transitions: SUBSTRATE_TRANSITIONS,
    event: numbered('SubstSMTrans'),
    change: 'SubstStateChange',
    subject: 'SSM',
    reports: ['substrate'],
  },
  substrate_processing: {
    transitions: SUBSTRATE_PROCESSING_TRANSITIONS,
    event: numbered('SubstSMTrans'),
    change: 'SubstProcStateChange',
    subject: 'SSM',
    reports: ['substrate'],
  },
  substrate_location: {
    transitions: SUBSTRATE_LOCATION_TRANSITIONS,
    event: numbered('SubstLocSMTrans'),
    change: 'SubstLocStateChange',
    subject: 'SUBSTLOC',
    reports: ['location'],
  },
  performance: {
    transitions: EPT_TRANSITIONS,
    event: () => 'EPTStateChange',
    change: 'EPTStateChange',
    subject: 'EPT',
    reports: ['performance'],
  },
}

/** The events beside those of the machines: the usual name, the one with the port, the report. */
export const OCCURRENCES: Readonly<
  Record<Occurrence, { readonly event: string; readonly words: string; readonly report: ReportName }>
> = {
  carrier_placed: { event: 'MaterialReceived', words: 'CARRIER ARRIVED', report: 'port' },
  carrier_taken: { event: 'MaterialRemoved', words: 'CARRIER REMOVED', report: 'port' },
  id_read: { event: 'CarrierIDRead', words: 'CARRIER ID READ', report: 'carrier' },
  id_not_read: { event: 'CarrierIDReadFail', words: 'CARRIER ID READ FAIL', report: 'port' },
}

/** Such as `LP1 SLOTMAP NOT READ TO WAITING FOR HOST`. */
export function wordedEvent(machine: MachineName, from: string, to: string, port: number): string {
  const { subject, wording = (words) => words } = MACHINE_ROWS[machine]
  const name = subject === 'LP' ? `LP${port}` : subject
  const words = `${wording(from)}_TO_${to}`.replace('VERIFICATION', 'VER').replaceAll('SLOT_MAP', 'SLOTMAP')
  return `${name} ${words.replaceAll('_', ' ')}`
}
