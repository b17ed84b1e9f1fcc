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
  const steps = [...emptied(wanted, applied, DATAID), ...filled(wanted, DATAID)]
  return steps.flatMap((step) => {
    const isLarge = step.purpose === 'define' || step.purpose === 'link'
    const size = wanted.inquire && isLarge ? sizeOf(step) : 0
    if (size <= BLOCK_BYTES) return [step]
    const data = { DATAID, DATALENGTH: size }
    return [{ message: 'S2F39', purpose: 'inquire', count: step.count, data } as const, step]
  })
}

/** The steps that delete or disable what the setup replaces. */
function emptied(wanted: ReportSetup, applied: ReportSetup, DATAID: number): readonly PlannedStep[] {
  if (wanted.others === 'delete') {
    return [
      { message: 'S2F37', purpose: 'disable', count: 0, data: { CEED: false, CEID: [] } },
      { message: 'S2F33', purpose: 'delete', count: 0, data: { DATAID, REPORTS: [] } },
    ]
  }
  const events = [...new Set([...applied.events, ...wanted.events].map(({ id }) => id))]
  const unlinked = events.map((id) => ({ CEID: givenId(id), RPTID: [] }))
  const deleted = applied.reports.map(({ id }) => ({ RPTID: givenId(id), VID: [] }))
  return some([
    {
      message: 'S2F37',
      purpose: 'disable',
      count: events.length,
      data: { CEED: false, CEID: events.map(givenId) },
    },
    { message: 'S2F35', purpose: 'unlink', count: events.length, data: { DATAID, EVENTS: unlinked } },
    { message: 'S2F33', purpose: 'delete', count: deleted.length, data: { DATAID, REPORTS: deleted } },
  ])
}

function filled({ reports, events }: ReportSetup, DATAID: number): readonly PlannedStep[] {
  const defined = reports.map(({ id, variables }) => ({ RPTID: givenId(id), VID: variables.map(givenId) }))
  const linked = events
    .filter((event) => event.reports.length > 0)
    .map((event) => ({ CEID: givenId(event.id), RPTID: event.reports.map(givenId) }))
  const enabled = events.filter((event) => event.enabled).map(({ id }) => givenId(id))
  return some([
    { message: 'S2F33', purpose: 'define', count: defined.length, data: { DATAID, REPORTS: defined } },
    { message: 'S2F35', purpose: 'link', count: linked.length, data: { DATAID, EVENTS: linked } },
    { message: 'S2F37', purpose: 'enable', count: enabled.length, data: { CEED: true, CEID: enabled } },
  ])
}

const some = (steps: readonly PlannedStep[]): readonly PlannedStep[] => steps.filter(({ count }) => count > 0)
