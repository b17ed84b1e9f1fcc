import { Problem } from '../../../contract/errors.js'
import { textsIn } from '../../../gem/content.js'
import type { EquipmentKnowledge } from '../../knowledge/equipment-knowledge.js'
import type { Asking, AskOptions } from '../asking.js'
import { givenId } from '../given-id.js'
import { isUnknownMessage } from '../unknown-message.js'
import { plainId, sameIds } from './kept-reports.js'
import type { SetEvent, SetReport } from './report-setup.js'
import { isTimeout } from './reports-check.js'

/** A report that the equipment has with other variables than those that are known. */
export interface OtherReport extends SetReport {
  /** What it has. None at all: it does not have the report. */
  readonly found: readonly string[]
  /** The entry with which the equipment came back: since then the variables may have been these. */
  readonly since: number
}

/** What equipment has in place of what was defined. */
export interface OtherDefinitions {
  readonly reports: readonly OtherReport[]
  /** Events that are disabled although they were enabled, or the other way round. */
  readonly events: readonly SetEvent[]
}

/** A short timeout, in seconds: equipment that does not support a question may not reply to it. */
const OPTIONS: AskOptions = { timeout: 10 }

/** The status variable with the CEIDs of all enabled events (SEMI E30), as equipment calls it; case does not matter. */
const ENABLED_NAMES = ['EventsEnabled', 'EventEnabled'] as const

/**
 * Asks for the variables of reports by S6F21. Each variable in S6F22 has its VID (SEMI E5), so a report with other
 * variables is found out though it has as many. S6F17 would show the same for an event; but several events have the same
 * report, its reply is large, and it looks like an event to those who read values. What is linked to an event is in
 * its S6F11.
 */
export async function* otherReports(
  asker: Pick<Asking, 'ask'>,
  equipmentId: string,
  reports: readonly SetReport[],
  known: () => EquipmentKnowledge,
): AsyncGenerator<OtherReport, void> {
  for (const report of reports) {
    // The recorded reply ends the doubt.
    const since = known().doubtedSince(plainId(report.id))
    if (since === null) continue
    if (known().isRefused('S6F21')) return
    const found = await variablesOf(asker, equipmentId, report.id)
    if (!found) return
    if (!sameIds(found, report.variables)) yield { ...report, found, since }
  }
}

/** The variables that a report has; none where it does not exist. Undefined where replies do not show them. */
export async function variablesOf(
  asker: Pick<Asking, 'ask'>,
  equipmentId: string,
  report: string,
): Promise<readonly string[] | undefined> {
  const RPTID = givenId(report)
  const annotated = await supported(asker, equipmentId, async () => {
    const { content } = await asker.ask(equipmentId, 'S6F21', { RPTID }, OPTIONS)
    return content.VALUES.map(({ VID }) => String(VID))
  })
  if (annotated === undefined || annotated.length > 0) return annotated
  // A report that does not exist has no values (SEMI E5), neither in S6F22 nor in S6F20.
  const values = await supported(asker, equipmentId, async () => {
    const { content } = await asker.ask(equipmentId, 'S6F19', { RPTID }, OPTIONS)
    return content.V.length
  })
  return values === 0 ? annotated : undefined
}

/** Events whose state differs from EventsEnabled. Empty where the equipment does not have it, or does not reply. */
export async function otherEvents(
  asker: Pick<Asking, 'ask'>,
  equipmentId: string,
  events: readonly SetEvent[],
  known: EquipmentKnowledge,
): Promise<readonly SetEvent[]> {
  const svid = ENABLED_NAMES.map((name) => known.idOf('variables', name)).find((id) => id !== undefined)
  if (svid === undefined || known.variables.get(svid)?.kind !== 'status' || events.length === 0) return []
  const enabled = await supported(asker, equipmentId, async () => {
    const { content } = await asker.ask(equipmentId, 'S1F3', { SVID: [givenId(svid)] }, OPTIONS)
    return new Set(textsIn(content.SV[0]).map(plainId))
  })
  return enabled ? events.filter(({ id, enabled: is }) => enabled.has(plainId(id)) !== is) : []
}

/**
 * The reply to a question; undefined where the equipment does not support it, as far as it says. Whether an abort or
 * a timeout means that is known once it has replied to S1F1 (`UnsupportedMessages`); where it is offline, the question
 * is repeated. Throws the problem where it does not reply to S1F1, either.
 */
async function supported<Reply>(
  asker: Pick<Asking, 'ask'>,
  equipmentId: string,
  question: () => Promise<Reply>,
): Promise<Reply | undefined> {
  for (;;) {
    try {
      return await question()
    } catch (error) {
      if (!isUnknownMessage(error) && !isTimeout(error)) throw error
    }
    try {
      await asker.ask(equipmentId, 'S1F1', {}, OPTIONS)
      return undefined
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'transaction_aborted') throw error
    }
  }
}
