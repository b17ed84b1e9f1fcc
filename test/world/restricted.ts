import type { Equipment } from '../../src/contract/equipment.js'
import type { Event } from '../../src/contract/topics/events.js'
import { Client, type Response, type Site } from './site.js'

const SENTENCE = 'A restricted caller never sees or changes anything outside.'
export const AREA = 'a'

/** Tools are moved between two areas, as an administrator moves them; when each was in the first one is noted. */
export async function moveTools(site: Site): Promise<void> {
  const client = new Client(site, 'mover')
  for (;;) {
    await client.rest(60_000, 600_000)
    const tool = client.chance.pick(site.tools)
    const id = site.ids.get(tool)
    if (id === undefined) continue
    const holds = client.chance.is(0.5)
    const endMove = site.areas.begin(id, site.world.now)
    const endAtEvents = site.areasAtEvents.begin(id, site.lastEntry() ?? 0)
    const labels = { area: holds ? AREA : 'b' }
    const { status } = await (client.chance.is(0.5)
      ? client.insist('PUT', `/equipment/${id}`, { labels })
      : applyLabels(client, id, labels))
    const known = status === 200 ? holds : undefined
    endMove(site.world.now, known)
    endAtEvents(site.lastEntry() ?? Number.POSITIVE_INFINITY, known)
  }
}

/** The same by a list of equipment, which knows it by its name of now. */
async function applyLabels(client: Client, id: string, labels: object): Promise<Response> {
  const read = await client.insist('GET', `/equipment/${id}`)
  if (read.status !== 200) return read
  const { name } = read.body as Equipment
  return client.insist('POST', '/equipment/apply', { equipment: [{ name, labels }] })
}

/** What a caller who is restricted to one area is shown, and what its changes come to. */
export async function actRestricted(site: Site, client: Client): Promise<void> {
  const actions = [seesList, seesRecord, seesHistory, changes, leavesArea, isRefused]
  for (;;) {
    await client.rest(5000, 60_000)
    const { epoch } = site
    const began = site.world.now
    const check = await client.chance.pick(actions)(site, client)
    if (site.epoch === epoch) check(began, site.world.now)
  }
}

/** Compares a response with where the tools were between the call and it. */
type Check = (began: number, ended: number) => void

async function seesList(site: Site, client: Client): Promise<Check> {
  const { body } = await client.insist('GET', '/equipment?limit=1000')
  const shown = new Set((body as { readonly items: readonly Equipment[] }).items.map(({ id }) => id))
  return (began, ended) => {
    for (const id of site.ids.values()) requireRight(site, id, shown.has(id), [began, ended], 'the list')
  }
}

async function seesRecord(site: Site, client: Client): Promise<Check> {
  const id = anyTool(site, client)
  const { status } = await client.insist('GET', `/equipment/${id}`)
  return (began, ended) => requireRight(site, id, status === 200, [began, ended], `GET: ${status}`)
}

async function changes(site: Site, client: Client): Promise<Check> {
  const id = anyTool(site, client)
  const call = client.chance.pick<() => Promise<Response>>([
    () => client.insist('PUT', `/equipment/${id}`, { labels: { note: `n${client.chance.below(1000)}` } }),
    () => client.insist('POST', `/equipment/${id}/connect`),
    () => client.insist('PUT', `/equipment/${id}/lock`, { for_seconds: 1, reason: 'a check' }),
    () =>
      client.insist('POST', `/equipment/${id}/command`, { command: 'START', parameters: { JOB: 'none' } }),
  ])
  const { status } = await call()
  return (began, ended) => requireRight(site, id, status !== 404, [began, ended], `a change: ${status}`)
}

async function leavesArea(site: Site, client: Client): Promise<Check> {
  const id = anyTool(site, client)
  const { status } = await client.insist('PUT', `/equipment/${id}`, { labels: { area: 'b' } })
  return () =>
    site.observer.require([403, 404, 409].includes(status), SENTENCE, () => `${id} was moved: ${status}`)
}

async function isRefused(site: Site, client: Client): Promise<Check> {
  const path = client.chance.pick(['/users', '/keys', '/sinks', '/journal/export'])
  const { status } = await client.insist('GET', path)
  return () => site.observer.require(status === 403, SENTENCE, () => `GET ${path}: ${status}`)
}

/** Of a tool that was outside then and is outside now nothing is shown. */
async function seesHistory(site: Site, client: Client): Promise<Check> {
  const { body } = await client.insist('GET', '/events?limit=200')
  const { items } = body as { readonly items: readonly Event[] }
  return (began, ended) => {
    for (const { id, equipment_id } of items) {
      const wasOutside = site.areasAtEvents.heldAt(equipment_id, Number(id)) === false
      const isOutside = !site.areas.mayHold(equipment_id, began, ended)
      site.observer.require(
        !wasOutside || !isOutside,
        SENTENCE,
        () => `event ${id} of ${equipment_id} was shown`,
      )
    }
    site.observer.count('events checked for a restricted caller', items.length)
  }
}

const anyTool = (site: Site, { chance }: Client): string => site.ids.get(chance.pick(site.tools)) ?? 'none'

function requireRight(
  site: Site,
  id: string,
  isSeen: boolean,
  [from, to]: readonly [number, number],
  what: string,
): void {
  const { areas, observer } = site
  observer.count('checks for a restricted caller')
  observer.require(!isSeen || areas.mayHold(id, from, to), SENTENCE, () => `${id}: ${what}`)
  observer.require(
    isSeen || !areas.mustHold(id, from, to),
    'A restricted caller sees and reaches what its labels select.',
    () => `${id}: ${what}`,
  )
}
