import { isDeepStrictEqual } from 'node:util'
import type { Equipment } from '../../src/contract/equipment.js'
import {
  type AppliedReports,
  REPORTS_MISSING,
  type ReportsResult,
} from '../../src/contract/topics/reports.js'
import type { Reports } from '../../src/gem/equipment/reports/reports.js'
import type { Chance } from './chance.js'
import { Client, once, type Site } from './site.js'
import { COUNT, NOTE, STEP, STEPS, type Tool } from './tool.js'

const AGAIN = 'The gateway applies the definition again where the equipment comes back without it.'

/** For so long a call that got no response may go on. */
const UNDER_WAY_MS = 3 * 60_000
const VARIABLES = [COUNT, NOTE, STEP]
const REPORTS = STEPS.map((_, at) => String(1001 + at))

/** What is wanted of a tool, in the words of the API. */
interface Definition {
  readonly reports: readonly { readonly id: string; readonly variables: readonly string[] }[]
  readonly events: readonly {
    readonly event: string
    readonly reports: readonly string[]
    readonly enabled: boolean
  }[]
  readonly others: 'keep'
}

/** Some of the steps, each with a report; others stay as they are. */
function anyDefinition(chance: Chance): Definition {
  const events = STEPS.filter(() => chance.is(0.6))
  const reports = events.map((_, at) => {
    const from = chance.below(VARIABLES.length)
    const turned = [...VARIABLES.slice(from), ...VARIABLES.slice(0, from)]
    return { id: REPORTS[at] as string, variables: turned.slice(0, 1 + chance.below(VARIABLES.length)) }
  })
  return {
    reports,
    events: events.map((event, at) => ({
      event,
      reports: [REPORTS[at] as string],
      enabled: chance.is(0.9),
    })),
    others: 'keep',
  }
}

/** What equipment has of its definitions no more when it is back. */
const LOSSES: readonly ((reports: Reports, chance: Chance) => void)[] = [
  // As after a start.
  (reports) => {
    reports.enable(STEPS, false)
    reports.define(REPORTS.map((id) => ({ id, variables: [] })))
  },
  (reports, chance) => {
    reports.link([{ event: chance.pick(STEPS), reports: [] }])
  },
  // One that is neither the first nor the last of those reported, which are asked for as a sample.
  (reports, chance) => {
    const between = STEPS.filter((event) => reports.isEnabled(event)).slice(1, -1)
    if (between.length > 0) reports.link([{ event: chance.pick(between), reports: [] }])
  },
  (reports, chance) => {
    reports.enable([chance.pick(STEPS)], false)
  },
  // Another host has defined one of them anew, with as many variables.
  (reports, chance) => {
    const defined = reports.definitions().filter(({ id }) => REPORTS.includes(id))
    if (defined.length === 0) return
    const { id, variables } = chance.pick(defined)
    const links = reports.links().filter((link) => link.reports.includes(id))
    reports.define([{ id, variables: [] }])
    const turned = variables.map(
      (one) => VARIABLES[(VARIABLES.indexOf(one) + 1) % VARIABLES.length] as string,
    )
    reports.define([{ id, variables: turned }])
    reports.link(links)
  },
]

/** Tools to which reports are applied: those of which the gateway is the host. */
const mayApply = ({ ownHost }: Tool): boolean => ownHost === undefined

/** An engineer has tools report steps, each time others, or none. */
export async function applyReports(site: Site): Promise<void> {
  const client = new Client(site, 'engineer')
  const { chance } = client
  const { applied, observer } = site
  const tools = site.tools.filter(mayApply)
  while (tools.length > 0) {
    await client.rest(60_000, 900_000)
    const id = site.ids.get(chance.pick(tools))
    if (id === undefined || site.calm) continue
    const { epoch } = site
    const path = `/equipment/${id}/reports`
    const definition = chance.is(0.1) ? null : anyDefinition(chance)
    const before = applied.get(id)
    applied.delete(id)
    const response = await (definition ? once(client, 'PUT', path, definition) : once(client, 'DELETE', path))
    observer.count(`reports applied: ${response?.status ?? 'no response'}`)
    if (!response || response.status >= 500) await client.sleep(UNDER_WAY_MS)
    if (site.epoch !== epoch) continue
    const { applied: isApplied, rolled_back } = (response?.body ?? {}) as Partial<ReportsResult>
    if (response?.status === 200 && isApplied) applied.set(id, definition)
    else if (before !== undefined && (response?.status === 409 || rolled_back)) applied.set(id, before)
  }
}

/** Tools are started again, and come back without some of their reports. */
export async function restartTools(site: Site): Promise<void> {
  const client = new Client(site, 'service')
  const { chance, machine } = client
  const { network } = machine
  const tools = site.tools.filter(mayApply)
  while (tools.length > 0) {
    await client.rest(60_000, 600_000)
    const { host, simulator } = chance.pick(tools)
    if (site.calm) continue
    network.unreachable.add(host.name)
    network.breakAll(host)
    await client.sleep(chance.between(1000, 60_000))
    chance.pick(LOSSES)(simulator.equipment.reports, chance)
    network.unreachable.delete(host.name)
    site.observer.count('tools that came back without reports')
  }
}

/** All steps happen once: the first report of an event shows what the equipment has. */
export function reportSteps({ tools }: Site): void {
  for (const tool of tools) for (const event of STEPS) tool.step(event)
}

/** In a calm hour a tool has what was applied, or the gateway says that it does not. */
export async function checkReports(client: Client, tool: Tool, id: string): Promise<void> {
  const { observer, applied } = client.site
  if (!mayApply(tool)) return
  const { body } = await client.insist('GET', `/equipment/${id}/reports`)
  const { definition, state, last_error } = body as AppliedReports
  const known = applied.get(id)
  const where = (): string => `${tool.name} is ${state}: ${JSON.stringify({ definition, last_error, known })}`
  observer.require(
    known === undefined || isDeepStrictEqual(definition, known),
    'The gateway stores the definition that was applied.',
    where,
  )
  if (!definition) return
  observer.count(`applied reports that were compared: ${state}`)
  const wanted = definition as Definition
  if (state === 'missing') {
    const { health, health_reason } = (await client.insist('GET', `/equipment/${id}`)).body as Equipment
    observer.require(
      health === 'degraded' && health_reason?.includes(REPORTS_MISSING) === true,
      'Then its health is `degraded` with the reason.',
      () => `${where()}, and ${health}: ${health_reason}`,
    )
  }
  const { reports } = tool.simulator.equipment
  const has: Definition = {
    reports: wanted.reports.map((one) => ({ id: one.id, variables: reports.variablesOf(one.id) ?? [] })),
    events: wanted.events.map((one) => ({
      event: one.event,
      // Those of a disabled event are not asked for, and no report shows them.
      reports: one.enabled ? (reports.reportsOf(one.event) ?? []).map(({ id }) => id) : one.reports,
      enabled: reports.isEnabled(one.event),
    })),
    others: 'keep',
  }
  observer.require(
    state === 'present' && isDeepStrictEqual(has, wanted),
    AGAIN,
    () => `${where()}, and has ${JSON.stringify(has)}`,
  )
}
