import type { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import { Problem } from '../../contract/errors.js'
import type { EquipmentAlarm } from '../../contract/topics/alarms.js'
import type { CollectionEvent } from '../../contract/topics/collection-events.js'
import type { TypedItem } from '../../contract/topics/messages.js'
import type { Constant, Variable } from '../../contract/topics/variables.js'
import type { NamedValue } from '../../contract/values.js'
import { reportedLimits, type SurveyedLimits } from './surveyed-limits.js'
import { appliedReports, reportedReports, type SurveyedReports } from './surveyed-reports.js'

/** A part of GEM for which an equipment did not answer. */
export interface Lack {
  /** The messages that ask for it. */
  readonly messages: string
  /** In words. */
  readonly part: string
  readonly why: string
}

export interface SurveyedProgram {
  readonly ppid: string
  /** PPBODY; undefined where it was not fetched, or not available. */
  readonly body: TypedItem | undefined
}

/** The answers of an equipment about itself. A part without an answer is empty, and in `lacks`. */
export interface Survey {
  readonly name: string
  readonly mdln: string
  readonly softrev: string
  readonly variables: readonly Variable[]
  readonly dataVariables: readonly Variable[]
  readonly values: readonly NamedValue[]
  readonly constants: readonly Constant[]
  readonly constantValues: readonly NamedValue[]
  readonly events: readonly CollectionEvent[]
  readonly reports: SurveyedReports
  /** By VID. */
  readonly limits: ReadonlyMap<string, SurveyedLimits>
  readonly alarms: readonly EquipmentAlarm[]
  readonly programs: readonly SurveyedProgram[]
  readonly lacks: readonly Lack[]
}

export interface SurveyOptions {
  /** Whether the bodies of process programs are fetched. */
  readonly programs: boolean
  /** Called before each question. */
  readonly asking: (what: string) => void
}

/** True for a problem with this message only: the next may be answered. */
const isAboutMessage = (error: unknown): error is Problem =>
  error instanceof Problem &&
  (error.kind === 'equipment' || error.kind === 'timeout') &&
  error.code !== 'connection_lost'

/** Questions that are asked one after the other; those without an answer are noted in `lacks`. */
function questions(asking: SurveyOptions['asking'], lacks: Lack[]) {
  async function asked<T>(messages: string, part: string, ask: () => Promise<T>, otherwise: T): Promise<T> {
    asking(`${part} (${messages})`)
    try {
      return await ask()
    } catch (error) {
      if (!isAboutMessage(error)) throw error
      lacks.push({ messages, part, why: error.message })
      return otherwise
    }
  }
  const listed = <T>(messages: string, part: string, ask: () => Promise<{ readonly items: readonly T[] }>) =>
    asked(messages, part, async () => (await ask()).items, [])
  return { asked, listed }
}

/** Asks an equipment everything that GEM can report, one message at a time. Changes nothing there. */
export async function survey(
  client: GatewayClient,
  equipment: Equipment,
  { programs, asking }: SurveyOptions,
): Promise<Survey> {
  const lacks: Lack[] = []
  const { id } = equipment
  const params = { id }
  const call = { params, query: {} }
  const { asked, listed } = questions(asking, lacks)
  const { mdln, softrev } =
    equipment.model ?? (await asked('S1F1', 'names', () => namesOf(client, equipment), NO_NAMES))
  const variables = await listed('S1F11', 'status variables', () =>
    client.call(endpoints.listVariables, call),
  )
  const values = await listed('S1F3', 'values of status variables', () =>
    client.call(endpoints.readVariables, call),
  )
  const dataVariables = await listed('S1F21', 'data variables', () =>
    client.call(endpoints.listVariables, { params, query: { kind: 'data' } }),
  )
  const listedEvents = await listed('S1F23', 'collection events', () =>
    client.call(endpoints.listCollectionEvents, call),
  )
  const constants = await listed('S2F29', 'constants', () => client.call(endpoints.listConstants, call))
  const constantValues = await listed('S2F13', 'values of constants', () =>
    client.call(endpoints.readConstants, call),
  )
  const alarms = await listed('S5F5', 'alarms', () => client.call(endpoints.listEquipmentAlarms, call))
  const idOf = (all: readonly { readonly id: string; readonly name: string }[]) => (reference: string) =>
    (all.find(({ id }) => id === reference) ?? all.find(({ name }) => name === reference))?.id ?? reference
  const applied = await appliedReports(client, id, {
    variable: idOf([...variables, ...dataVariables, ...constants]),
    event: idOf(listedEvents),
  })
  // Equipment that does not list its events has at least those in the applied reports.
  const listsEvents = lacks.every(({ messages }) => messages !== 'S1F23')
  const events = listsEvents ? listedEvents : applied.events
  const reported = await asked(
    'S6F17',
    'reports of collection events',
    () => reportedReports(client, id, events),
    undefined,
  )
  const reports = reported && (listsEvents || reported.links.size > 0) ? reported : applied
  const limits = await asked('S2F47', 'limits of variables', () => reportedLimits(client, id), NO_LIMITS)
  const ppids = await listed('S7F19', 'process programs', () => client.call(endpoints.listRecipes, call))
  const bodyOf = (ppid: string) =>
    asked('S7F5', `process program ${ppid}`, () => readBody(client, equipment, ppid), undefined)
  const stored: SurveyedProgram[] = []
  for (const { ppid } of ppids) stored.push({ ppid, body: programs ? await bodyOf(ppid) : undefined })
  return {
    name: equipment.name,
    mdln,
    softrev,
    variables,
    dataVariables,
    values,
    constants,
    constantValues,
    events,
    reports,
    limits,
    alarms,
    programs: stored,
    lacks,
  }
}

const NO_NAMES = { mdln: '', softrev: '' }
const NO_LIMITS: ReadonlyMap<string, SurveyedLimits> = new Map()

/** MDLN and SOFTREV of S1F2. */
async function namesOf(client: GatewayClient, { id }: Equipment): Promise<typeof NO_NAMES> {
  const body = { stream: 1, function: 1 }
  const { reply } = await client.call(endpoints.sendMessage, { params: { id }, query: {}, body })
  const { MDLN = '', SOFTREV = '' } = reply?.data ?? {}
  return { mdln: String(MDLN), softrev: String(SOFTREV) }
}

/** PPBODY of S7F6; undefined for a program that is not there. */
async function readBody(
  client: GatewayClient,
  { id }: Equipment,
  ppid: string,
): Promise<TypedItem | undefined> {
  const body = { stream: 7, function: 5, data: { PPID: ppid } }
  const { reply } = await client.call(endpoints.sendMessage, { params: { id }, query: {}, body })
  const items = reply?.body?.['L']
  return Array.isArray(items) ? (items[1] as TypedItem | undefined) : undefined
}
