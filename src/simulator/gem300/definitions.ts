import type { TypedValue } from '../../gem/typed-value.js'
import type { ModelFile } from '../file/schema.js'
import type { Move } from './machine.js'
import { MACHINE_ROWS, OCCURRENCES, type ReportName, wordedEvent } from './machine-rows.js'
import type { Notice, Occurrence } from './notice.js'
import type { ToolSettings } from './tool-settings.js'

/** Of every tool of this kind. */
export const PORT_NUMBERS = [1, 2] as const

/** The numbers that the definitions of the tool begin with, in a model file that has others of its own. */
const FIRST = { variable: 50_001, report: 5001, event: 60_001 } as const

const text: TypedValue = { A: '' }
const code: TypedValue = { U1: [0] }
const list: TypedValue = { L: [] }

/** The data variables of the tool's events. */
export const DATA_VARIABLES = {
  PortID: code,
  CarrierID: text,
  PortTransferState: code,
  AccessMode: code,
  PortReservationState: code,
  PortAssociationState: code,
  LocationID: text,
  CarrierIDStatus: code,
  SlotMapStatus: code,
  CarrierAccessingStatus: code,
  SlotMap: list,
  Reason: code,
  PRJobID: text,
  PRJobState: code,
  RecID: text,
  CtrlJobID: text,
  CtrlJobState: code,
  SubstID: text,
  SubstLotID: text,
  SubstState: code,
  SubstProcState: code,
  SubstSubstLocID: text,
  SubstSource: text,
  SubstDestination: text,
  SubstLocID: text,
  SubstLocState: code,
  SubstIDList: list,
  SubstStateList: list,
  SubstProcStateList: list,
  SubstLocIDList: list,
  EqpName: text,
  EPTState: code,
  PreviousEPTState: code,
  TaskName: text,
  TaskType: code,
  PreviousTaskName: text,
  PreviousTaskType: code,
  BlockedReason: code,
  BlockedReasonText: text,
} as const satisfies Readonly<Record<string, TypedValue>>
export type DataVariable = keyof typeof DATA_VARIABLES

/** In the style `lists` these stand for those of one substrate. */
export const LISTED: readonly (readonly [list: DataVariable, one: DataVariable])[] = [
  ['SubstIDList', 'SubstID'],
  ['SubstStateList', 'SubstState'],
  ['SubstProcStateList', 'SubstProcState'],
  ['SubstLocIDList', 'SubstSubstLocID'],
]

/** A port's status variables, after `LP1/`. */
export const PORT_VARIABLES = {
  PortTransferState: code,
  AccessMode: code,
  PortReservationState: code,
  PortAssociationState: code,
  CarrierID: text,
  CarrierIDStatus: code,
  SlotMapStatus: code,
  CarrierAccessingStatus: code,
  SlotMap: list,
} as const satisfies Partial<Record<DataVariable, TypedValue>>

/** Status variables of the whole tool. */
const TOOL_VARIABLES = {
  PortTransferStateList: list,
  QueuedCJobs: list,
  QueueAvailableSpace: code,
} as const satisfies Readonly<Record<string, TypedValue>>

/** The same of its modules, one after the other. */
const MODULE_VARIABLES = {
  EPTNameList: list,
  EPTStateList: list,
  EPTTaskNameList: list,
} as const satisfies Readonly<Record<string, TypedValue>>

const REPORTS: Readonly<Record<ReportName, readonly DataVariable[]>> = {
  port: [
    'PortID',
    'CarrierID',
    'PortTransferState',
    'AccessMode',
    'PortReservationState',
    'PortAssociationState',
  ],
  carrier: [
    'CarrierID',
    'PortID',
    'LocationID',
    'CarrierIDStatus',
    'SlotMapStatus',
    'CarrierAccessingStatus',
  ],
  slot_map: ['SlotMap', 'Reason'],
  process_job: ['PRJobID', 'PRJobState', 'RecID'],
  control_job: ['CtrlJobID', 'CtrlJobState'],
  substrate: [
    'SubstID',
    'SubstLotID',
    'SubstState',
    'SubstProcState',
    'SubstSubstLocID',
    'SubstSource',
    'SubstDestination',
  ],
  location: ['SubstLocID', 'SubstLocState', 'SubstID'],
  performance: [
    'EqpName',
    'EPTState',
    'PreviousEPTState',
    'TaskName',
    'TaskType',
    'PreviousTaskName',
    'PreviousTaskType',
    'BlockedReason',
    'BlockedReasonText',
  ],
}

const isMove = (what: Move | Occurrence): what is Move => typeof what === 'object'
const isSubstrate = (what: Move | Occurrence): boolean =>
  isMove(what) && MACHINE_ROWS[what.machine].subject === 'SSM'

/** Whether all that have this in common are told by one event. */
export const isListed = ({ events }: ToolSettings, { what }: Notice): boolean =>
  events === 'lists' && isSubstrate(what)

/** The name of the collection event; undefined where the tool has none. */
export function eventOf({ events }: ToolSettings, { what, port }: Notice): string | undefined {
  if (!isMove(what)) {
    const { event, words } = OCCURRENCES[what]
    return events === 'port_in_name' ? `LP${port} ${words}` : event
  }
  const { event, change, subject } = MACHINE_ROWS[what.machine]
  if (events === 'generic') return change
  if (events !== 'port_in_name') return event(what.number) || undefined
  if (subject === 'LP' && port === undefined) return undefined
  return wordedEvent(what.machine, what.from, what.to, port ?? 0)
}

/** Everything of which the tool may tell, without the values. */
function* everyNotice(): Generator<Notice> {
  const machines = Object.keys(MACHINE_ROWS) as Move['machine'][]
  for (const machine of machines) {
    const { transitions, subject } = MACHINE_ROWS[machine]
    for (const { number, from: froms, to } of transitions) {
      for (const from of froms) {
        for (const port of subject === 'LP' ? PORT_NUMBERS : [undefined]) {
          yield { what: { machine, number, from, to }, subject: '', port, values: {} }
        }
      }
    }
  }
  for (const what of Object.keys(OCCURRENCES) as Occurrence[]) {
    for (const port of PORT_NUMBERS) yield { what, subject: '', port, values: {} }
  }
}

function reportsOf(settings: ToolSettings, notice: Notice): readonly string[] {
  const { what } = notice
  if (settings.events === 'port_in_name' && notice.port !== undefined) return []
  const reports = isMove(what) ? MACHINE_ROWS[what.machine].reports : [OCCURRENCES[what].report]
  return reports.map((name) => String(FIRST.report + Object.keys(REPORTS).indexOf(name)))
}

type Members = Pick<Required<ModelFile>, 'variables' | 'reports' | 'events'>

function variablesOf({ events }: ToolSettings): Members['variables'] {
  const status = PORT_NUMBERS.flatMap((port) =>
    Object.entries<TypedValue>(PORT_VARIABLES).map(([name, value]) => ({
      name: `LP${port}/${name}`,
      value,
      kind: 'status' as const,
    })),
  )
  const asStatus = (all: Readonly<Record<string, TypedValue>>) =>
    Object.entries(all).map(([name, value]) => ({ name, value, kind: 'status' as const }))
  const listed = new Set<string>(LISTED.map(([name]) => name))
  const data = Object.entries<TypedValue>(DATA_VARIABLES)
    .filter(([name]) => events === 'lists' || !listed.has(name))
    .map(([name, value]) => ({ name, value, kind: 'data' as const }))
  return [...status, ...asStatus(TOOL_VARIABLES), ...data, ...asStatus(MODULE_VARIABLES)].map(
    (entry, at) => ({ id: FIRST.variable + at, ...entry }),
  )
}

/** The variables, reports and events of a tool with these settings, as a model file has them. */
export function toolDefinitions(settings: ToolSettings): Members {
  const events = new Map<string, readonly string[]>()
  for (const notice of everyNotice()) {
    const name = eventOf(settings, notice)
    if (name !== undefined && !events.has(name)) events.set(name, reportsOf(settings, notice))
  }
  return {
    variables: variablesOf(settings),
    reports: Object.entries(REPORTS).map(([name, variables], at) => ({
      id: FIRST.report + at,
      variables:
        settings.events === 'lists' && name === 'substrate' ? LISTED.map(([one]) => one) : [...variables],
    })),
    events: [...events].map(([name, reports], at) => ({
      id: FIRST.event + at,
      name,
      reports: [...reports],
    })),
  }
}
