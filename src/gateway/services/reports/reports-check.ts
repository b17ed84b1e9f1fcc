import { Problem } from '../../../contract/errors.js'
import type { Asking, AskOptions } from '../asking.js'
import { givenId } from '../given-id.js'
import { isUnknownMessage } from '../unknown-message.js'
import type { ReportSetup, SetEvent } from './report-setup.js'

/** The part of a setup that an equipment has, as far as GEM allows a host to find out. */
export interface ReportsFound {
  /** The RPTIDs that it has, or may have, with any variables. */
  readonly reports: readonly string[]
  /** Every report holds as many values as it should, and every event that should be reported sends its reports. */
  readonly asSet: boolean
  /** `reports` where it does not know S6F15. */
  readonly shown: Exclude<Shown, 'nothing'>
}

/** The most that an equipment's replies show of what it has: reports with their links, reports alone, or nothing. */
export type Shown = 'links' | 'reports' | 'nothing'

/**
 * Asks for the reports of the events (S6F15), which also shows the links, and for reports without an event
 * (S6F19). Equipment that does not know S6F15, or whose replies to it show nothing, is asked by S6F19 alone, and
 * the other way round. One that is not defined has no values (SEMI E5). Throws the problem where it replies to neither.
 */
export async function findReports(
  asking: Pick<Asking, 'ask'>,
  equipmentId: string,
  { reports, events }: ReportSetup,
  shown: Exclude<Shown, 'nothing'>,
): Promise<ReportsFound> {
  const lengths = new Map<string, number>()
  const linked = shown === 'links' ? await linksAsSet(asking, equipmentId, events, lengths) : undefined
  for (const { id } of reports) {
    if (lengths.has(id)) continue
    try {
      const { content } = await asking.ask(equipmentId, 'S6F19', { RPTID: givenId(id) }, OPTIONS)
      lengths.set(id, content.V.length)
    } catch (error) {
      // The events' reports suffice; reports without an event need not be asked for.
      const isShown = linked === false || (linked === true && lengths.size > 0)
      if (!isShown || !hasNoReply(error)) throw error
      break
    }
  }
  return {
    reports: reports.flatMap(({ id }) => (lengths.get(id) === 0 ? [] : [id])),
    shown: linked === undefined ? 'reports' : 'links',
    asSet:
      linked !== false &&
      reports.every(({ id, variables }) => (lengths.get(id) ?? variables.length) === variables.length),
  }
}

/** Some equipment returns no reports for a disabled event. */
const isShown = ({ enabled, reports }: SetEvent): boolean => enabled && reports.length > 0

/**
 * What is asked for in place of the whole: the first and the last event that are reported, with their reports, and one
 * report that none of them has. Equipment that has lost its reports has lost all of them (SEMI E30 has it keep them
 * together), or those that it would have stored last.
 */
export function sampleOf(setup: ReportSetup): ReportSetup {
  const shown = setup.events.filter(isShown)
  const events = shown.filter((_, at) => at === 0 || at === shown.length - 1)
  const linkedBy = (all: typeof events) => new Set(all.flatMap(({ reports }) => reports))
  const [linked, sampled] = [linkedBy(shown), linkedBy(events)]
  const alone = setup.reports.find(({ id }) => !linked.has(id))
  return { ...setup, events, reports: setup.reports.filter((one) => sampled.has(one.id) || one === alone) }
}

/** Whether a setup has no more to ask for than its sample. */
export const isWhole = (setup: ReportSetup, sample: ReportSetup): boolean =>
  sample.reports.length === setup.reports.length &&
  sample.events.length === setup.events.filter(isShown).length

/** A short timeout, in seconds: equipment that supports neither question may reply to neither. */
const OPTIONS: AskOptions = { timeout: 10 }

/** The equipment does not support the message, or does not reply to it. */
const hasNoReply = (error: unknown): boolean => isUnknownMessage(error) || isTimeout(error)

export const isTimeout = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'reply_timeout'

/**
 * What the equipment's replies show right after it has accepted the setup: a question whose reply does not match the
 * setup even now would not match at any connection. Throws as `findReports`.
 */
export async function shownBy(
  asking: Pick<Asking, 'ask'>,
  equipmentId: string,
  setup: ReportSetup,
): Promise<Shown> {
  for (const shown of ['links', 'reports'] as const) {
    const found = await findReports(asking, equipmentId, setup, shown)
    if (found.asSet) return found.shown
  }
  return 'nothing'
}

/** Notes how many values each report has. Undefined where the equipment does not know S6F15 and no link is known to be gone. */
async function linksAsSet(
  asking: Pick<Asking, 'ask'>,
  equipmentId: string,
  events: ReportSetup['events'],
  lengths: Map<string, number>,
): Promise<boolean | undefined> {
  let asSet = true
  for (const event of events.filter(isShown)) {
    try {
      const { content } = await asking.ask(equipmentId, 'S6F15', { CEID: givenId(event.id) }, OPTIONS)
      const sent = new Map(content.REPORTS.map(({ RPTID, V }) => [String(RPTID), V.length]))
      for (const [id, length] of sent) lengths.set(id, length)
      if (sent.size !== event.reports.length || !event.reports.every((id) => sent.has(id))) asSet = false
    } catch (error) {
      if (hasNoReply(error)) return asSet ? undefined : false
      throw error
    }
  }
  return asSet
}
