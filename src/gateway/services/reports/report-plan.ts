import type { Given } from '../../../catalogue/known-message.js'
import type { ReportStep } from '../../../contract/topics/reports.js'
import { givenId } from '../given-id.js'
import { NO_REPORTS, type ReportSetup } from './report-setup.js'

type Message = 'S2F33' | 'S2F35' | 'S2F37' | 'S2F39'

/** One primary of a plan. */
export type PlannedStep = {
  readonly [Name in Message]: {
    readonly message: Name
    readonly purpose: ReportStep['purpose']
    /** Reports or events in it; 0 stands for all. */
    readonly count: number
    readonly data: Given<Name, 'host'>
  }
}[Message]

/** Bytes of one SECS-I block: a longer message may need an inquiry first (SEMI E5). */
const BLOCK_BYTES = 244

interface PlanOptions {
  /** DATAID: links an inquiry to its message. */
  readonly dataId: number
  /** Bytes of a step's body. */
  readonly sizeOf: (step: PlannedStep) => number
}

/**
 * The primaries that change an equipment from the `applied` setup to the `wanted` one, in an order that works on real
 * equipment. An empty list would mean all, so a step without elements is left out.
 */
export function planOf(
  wanted: ReportSetup,
  applied: ReportSetup = NO_REPORTS,
  { dataId, sizeOf }: PlanOptions,
): readonly PlannedStep[] {
  const DATAID = dataId
  const steps = wanted.others === 'delete' ? replaced(wanted, DATAID) : added(wanted, applied, DATAID)
  return steps.flatMap((step) => {
    const isLarge = step.purpose === 'define' || step.purpose === 'link'
    const size = wanted.inquire && isLarge ? sizeOf(step) : 0
    if (size <= BLOCK_BYTES) return [step]
    const data = { DATAID, DATALENGTH: size }
    return [{ message: 'S2F39', purpose: 'inquire', count: step.count, data } as const, step]
  })
}

/** The steps that put the setup in the place of everything. */
const replaced = (wanted: ReportSetup, DATAID: number): readonly PlannedStep[] => [
  { message: 'S2F37', purpose: 'disable', count: 0, data: { CEED: false, CEID: [] } },
  { message: 'S2F33', purpose: 'delete', count: 0, data: { DATAID, REPORTS: [] } },
  ...some([defined(wanted, DATAID), linked(wanted, DATAID), enabled(wanted)]),
]

/**
 * The steps that put the setup in the place of the one that the gateway applied. Events that others have set up are
 * released last, when the equipment has accepted the reports: what they were linked to cannot be restored.
 */
function added(wanted: ReportSetup, applied: ReportSetup, DATAID: number): readonly PlannedStep[] {
  const deleted = applied.reports.map(({ id }) => ({ RPTID: givenId(id), VID: [] }))
  return some([
    ...released(applied.events, DATAID),
    { message: 'S2F33', purpose: 'delete', count: deleted.length, data: { DATAID, REPORTS: deleted } },
    defined(wanted, DATAID),
    ...released(ofOthers(wanted, applied), DATAID),
    linked(wanted, DATAID),
    enabled(wanted),
  ])
}

/** Events of the setup that the gateway has not applied before. */
export const ofOthers = (wanted: ReportSetup, applied: ReportSetup): ReportSetup['events'] =>
  wanted.events.filter(({ id }) => applied.events.every((event) => event.id !== id))

/** The steps after which events are disabled and have no reports. */
function released(events: ReportSetup['events'], DATAID: number): readonly PlannedStep[] {
  const CEID = events.map(({ id }) => givenId(id))
  const unlinked = CEID.map((id) => ({ CEID: id, RPTID: [] }))
  return [
    { message: 'S2F37', purpose: 'disable', count: CEID.length, data: { CEED: false, CEID } },
    { message: 'S2F35', purpose: 'unlink', count: CEID.length, data: { DATAID, EVENTS: unlinked } },
  ]
}

function defined({ reports }: ReportSetup, DATAID: number): PlannedStep {
  const REPORTS = reports.map(({ id, variables }) => ({ RPTID: givenId(id), VID: variables.map(givenId) }))
  return { message: 'S2F33', purpose: 'define', count: REPORTS.length, data: { DATAID, REPORTS } }
}

function linked({ events }: ReportSetup, DATAID: number): PlannedStep {
  const EVENTS = events
    .filter((event) => event.reports.length > 0)
    .map((event) => ({ CEID: givenId(event.id), RPTID: event.reports.map(givenId) }))
  return { message: 'S2F35', purpose: 'link', count: EVENTS.length, data: { DATAID, EVENTS } }
}

function enabled({ events }: ReportSetup): PlannedStep {
  const CEID = events.filter((event) => event.enabled).map(({ id }) => givenId(id))
  return { message: 'S2F37', purpose: 'enable', count: CEID.length, data: { CEED: true, CEID } }
}

const some = (steps: readonly PlannedStep[]): readonly PlannedStep[] => steps.filter(({ count }) => count > 0)
