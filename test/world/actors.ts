import type { Equipment } from '../../src/contract/equipment.js'
import type { Alarm, AlarmSummary } from '../../src/contract/topics/alarms.js'
import type { Event } from '../../src/contract/topics/events.js'
import type { Message } from '../../src/contract/topics/messages.js'
import type { Sink } from '../../src/contract/topics/sinks/sink.js'
import { NUMBERS_LEFT_OUT } from '../../src/store/gap.js'
import { applyReports, checkReports, restartTools } from './applied-reports.js'
import { readAudit } from './audited.js'
import { endTokens } from './ended-tokens.js'
import { endStreams, exchangeTokens } from './further-tokens.js'
import { NoResponse } from './gateway-process.js'
import { readHistory } from './history.js'
import { expireKeys, holdLock, shelveAlarms } from './keepers.js'
import { giveReplies } from './leased-replies.js'
import { eventsIn, followAlarms, followRestricted, followSome } from './narrow-streams.js'
import { useOldRevisions } from './old-revisions.js'
import type { RecordChange } from './postgres/server.js'
import type { Reader } from './reader.js'
import { actRestricted, moveTools } from './restricted.js'
import { callTogether } from './rounds.js'
import { addSink, replaceSinks, retryDead, sinkOf } from './sinks.js'
import { CALLERS, Client, credentialsOf, once, RESTRICTED, type Response, type Site } from './site.js'
import { ALARMS, LASTING_ALARM, TICK_REPORT, type Tool } from './tool.js'

/** Milliseconds after which no primary waits for its reply, whatever its T3; longer than a database is away. */
const PENDING_MS = 4 * 60_000

/** Milliseconds after which a command is not repeated any more: keys are kept for a day. */
const REPEATED_MS = 20 * 60 * 60_000
/** So many are remembered, of which the oldest outlive the history. */
const MAX_REPEATED = 5
const OLDEST_REPEATED = 2
/** How many of the commands are, 0 to 1. */
const REMEMBERED = 0.1
/** Milliseconds within which every stream is shown what one of them was. */
const OTHER_STREAM_MS = 10_000
/** How many are sent twice at once, 0 to 1. */
const TOGETHER = 0.2

/** All who are at work at a site. */
export const actorsOf = (site: Site): readonly Promise<void>[] => [
  followStream(site, site.streamed),
  readPages(site, site.paged),
  readHistory(site),
  acknowledgeAlarms(site, ['ada', 'bob', 'eve']),
  renameTools(site),
  changeSinks(site),
  replaceSinks(site),
  retryDead(site),
  moveTools(site),
  followAlarms(site),
  followSome(site),
  site.lots.run(),
  exchangeTokens(site),
  endStreams(site),
  useOldRevisions(site),
  readAudit(site),
  holdLock(site),
  shelveAlarms(site),
  expireKeys(site),
  watchPending(site),
  giveReplies(site),
  applyReports(site),
  restartTools(site),
  callTogether(
    site,
    // Each at its own machine: who gives wrong passwords is refused there for a while.
    CALLERS.map((name, at) => new Client(site, name, credentialsOf(name), `10.2.1.${1 + at}`)),
  ),
  ...(site.machines.length > 1 ? [findAtOthers(site), readBack(site), endTokens(site)] : peopleOf(site)),
  ...site.targets.map((target) => target.change(() => site.calm)),
  ...['mes-1', 'mes-2'].map((name) => sendCommands(site, name)),
]

/** At several gateways a record that was changed at one is shown a moment later at another: their models do not say so. */
const peopleOf = (site: Site): readonly Promise<void>[] => [
  replaceTools(site),
  followRestricted(site),
  actRestricted(site, new Client(site, RESTRICTED, credentialsOf(RESTRICTED))),
]

/** Follows the event stream, and resumes it after the last event. */
export async function followStream(site: Site, reader: Reader): Promise<void> {
  const client = new Client(site, reader.name)
  for (;;) {
    const { epoch } = reader
    const take = eventsIn(
      (event) => reader.take(event),
      () => site.observer.count('streams that ended with a problem'),
    )
    try {
      const status = await client.follow(`/events/stream?after=${reader.last}`, (piece) => {
        if (reader.epoch === epoch) take(piece)
      })
      if (status === 410) reader.skip(await beforeFirst(client))
      else site.observer.count(`streams that ended with ${status}`)
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
    }
    await client.sleep(client.chance.between(100, 2000))
  }
}

/** The number before that of the oldest event. */
async function beforeFirst(client: Client): Promise<number> {
  const { body } = await client.insist('GET', '/events?order=asc&limit=1')
  const [first] = (body as { readonly items: readonly Event[] }).items
  return first ? Number(first.id) - 1 : 0
}

/** Reads the events page by page, oldest first, and goes on where it ended. */
export async function readPages(site: Site, reader: Reader): Promise<void> {
  const client = new Client(site, reader.name)
  let cursor: string | undefined
  let { epoch } = reader
  for (;;) {
    if (reader.epoch !== epoch) cursor = undefined
    epoch = reader.epoch
    const after = cursor === undefined ? '' : `&cursor=${cursor}`
    const { status, body } = await client.insist(
      'GET',
      `/events?order=asc&limit=${1 + client.chance.below(500)}${after}`,
    )
    if (reader.epoch !== epoch) continue
    if (status === 410) {
      cursor = undefined
      reader.skip(0)
      continue
    }
    site.observer.require(status === 200, 'A cursor stays valid until retention passes it.', () =>
      JSON.stringify(body),
    )
    const page = body as { readonly items: readonly Event[]; readonly next_cursor: string | null }
    const [first] = page.items
    // Without a cursor nobody says what retention has removed meanwhile.
    if (cursor === undefined && first && Number(first.id) > reader.last && reader.last > 0)
      reader.skip(Number(first.id) - 1)
    // The last page is read again as long as it is the last: it may have become longer.
    for (const event of page.items) if (Number(event.id) > reader.last) reader.take(event)
    if (page.next_cursor !== null) cursor = page.next_cursor
    else await client.rest(20_000, 300_000)
  }
}

/** Several people at once acknowledge each alarm that is open; one kind of them only when it has outlived the history. */
export async function acknowledgeAlarms(site: Site, names: readonly string[]): Promise<void> {
  const people = names.map((name) => new Client(site, name))
  const [first] = people as [Client]
  const acknowledge = async (client: Client, id: string): Promise<void> => {
    await client.sleep(client.chance.between(0, 1))
    const comment = `${client.host.name} ${client.chance.below(1e6)}`
    const { epoch } = site
    const { status, body } = await client.insist('POST', `/alarms/${id}/acknowledge`, { comment })
    if (status === 200 && site.epoch === epoch) site.observer.acknowledged(id, (body as Alarm).comment)
  }
  for (;;) {
    await first.rest(20_000, 300_000)
    const { status, body } = await first.insist('GET', '/alarms?acknowledged=false&limit=100')
    site.observer.require(status === 200, 'A list can be read.', () => `${status} ${JSON.stringify(body)}`)
    const kept = site.firstEntry() ?? 0
    for (const { id, alid } of (body as { readonly items: readonly Alarm[] }).items) {
      if (alid === LASTING_ALARM && Number(id) >= kept) continue
      await Promise.all(people.map((client) => acknowledge(client, id)))
    }
  }
}

/** A command that has had its response. */
interface Sent {
  readonly tool: Tool
  readonly id: string
  readonly job: string
  readonly response: Response
  readonly at: number
  readonly epoch: number
}

/** Sends commands with keys, and repeats them with the same key while there is no response, and hours later. */
export async function sendCommands(site: Site, name: string): Promise<void> {
  const client = new Client(site, name)
  const twin = new Client(site, `${name} again`)
  let sent: Sent[] = []
  for (;;) {
    await client.rest(10_000, 60_000)
    const { epoch } = site
    sent = sent.filter(({ at, ...one }) => site.world.now - at < REPEATED_MS && one.epoch === epoch)
    if (sent.length > MAX_REPEATED) sent.splice(OLDEST_REPEATED, 1)
    if (sent.length > 0 && client.chance.is(0.2)) await repeatCommand(client, client.chance.pick(sent))
    const tool = client.chance.pick(site.tools)
    const id = site.ids.get(tool)
    if (id === undefined) continue
    const job = `job-${client.chance.below(2 ** 31)}`
    const responses = await Promise.all([
      command(client, id, job),
      // Another process of the same program.
      ...(client.chance.is(TOGETHER) ? [command(twin, id, job)] : []),
    ])
    const done = responses.filter(({ status }) => status === 200)
    const response = done[0] ?? (responses[0] as Response)
    site.observer.count(`commands ${response.status}`)
    if (site.epoch !== epoch) continue
    const times = tool.jobs.get(job) ?? 0
    requireOnce(site, job, times)
    for (const one of done) requireSame(site, job, one, response)
    if (response.status === 200) {
      site.observer.require(
        times === 1,
        'A command that succeeded was carried out.',
        () => `${job}: ${times}`,
      )
      if (client.chance.is(REMEMBERED)) sent.push({ tool, id, job, response, at: site.world.now, epoch })
    }
    tool.jobs.delete(job)
  }
}

const command = (client: Client, id: string, job: string): Promise<Response> => {
  const body = { command: 'START', parameters: { JOB: job } }
  return client.insist('POST', `/equipment/${id}/command`, body, { 'idempotency-key': job })
}

const requireOnce = ({ observer }: Site, job: string, times: number): void =>
  observer.require(
    times <= 1,
    'A call with an Idempotency-Key takes effect once.',
    () => `${job} came ${times} times`,
  )

/** A key is kept for a day, also where retention has removed its entries meanwhile. */
async function repeatCommand(client: Client, { tool, id, job, response, at, epoch }: Sent): Promise<void> {
  const { site } = client
  const { observer, world } = site
  if (site.ids.get(tool) !== id) return
  const again = await command(client, id, job)
  if (site.epoch !== epoch || site.ids.get(tool) !== id) return
  observer.count(`commands repeated later ${again.status}`)
  requireOnce(site, job, 1 + (tool.jobs.get(job) ?? 0))
  requireSame(site, `${job}, ${Math.round((world.now - at) / 1000)} s later`, again, response)
}

const requireSame = ({ observer }: Site, what: string, again: Response, first: Response): void =>
  observer.require(
    JSON.stringify(again) === JSON.stringify(first),
    'A call that is repeated with the same key gets the first response.',
    () => `${what}: ${JSON.stringify(again)} and not ${JSON.stringify(first)}`,
  )

/** Gives tools names that sinks do not select, and their own names again. */
async function renameTools(site: Site): Promise<void> {
  const client = new Client(site, 'administrator')
  const { names } = site
  for (;;) {
    await client.rest(60_000, 900_000)
    const tool = client.chance.pick(site.tools)
    const id = site.ids.get(tool)
    const after = site.lastEntry()
    if (id === undefined || after === undefined) continue
    const holds = names.heldAt(id, after) !== true
    const end = names.begin(id, after)
    const { status } = await client.insist('PUT', `/equipment/${id}`, {
      name: holds ? tool.name : `spare-${tool.number}`,
    })
    // Meanwhile somebody may have locked it, or deleted it.
    const isExcused = status === 200 || status === 404 || status === 409
    site.observer.require(isExcused, 'Equipment can be renamed.', () => String(status))
    // An earlier attempt may have been made.
    end(site.lastEntry() ?? Number.POSITIVE_INFINITY, status === 200 ? holds : undefined)
  }
}

/** Deletes the record of a tool now and then, and registers it again under its own name. */
async function replaceTools(site: Site): Promise<void> {
  const client = new Client(site, 'replacer')
  for (;;) {
    await client.rest(10 * 60_000, 40 * 60_000)
    if (site.calm) continue
    const tool = client.chance.pick(site.tools)
    const id = site.ids.get(tool)
    if (id === undefined) continue
    const path = `/equipment/${id}`
    // From now on it is not known whether the restricted caller sees this record.
    site.areas.add(id, { after: site.world.now, until: Number.POSITIVE_INFINITY, holds: false })
    // One that is refused is not repeated: then the tool stays connected.
    if (client.chance.is(0.5)) await once(client, 'DELETE', path)
    else {
      const { status } = await client.insist('DELETE', path)
      site.observer.require([204, 404, 409].includes(status), 'Equipment can be deleted.', () => `${status}`)
    }
    await client.sleep(client.chance.between(0, 5000))
    await site.registerTool(client, tool)
  }
}

/** What a store does not take any more, until it is called with undefined. */
export type Refuse = (what: 'everything' | RecordChange | undefined) => void

/** Changes that the store refuses, after which no process starts again that would not know of them: all goes on as before. */
export async function changeRefused(site: Site, refuse: Refuse): Promise<void> {
  const client = new Client(site, 'late')
  for (const target of site.targets) {
    const sink = await sinkOf(client, target)
    const kind = client.chance.pick(['changed', 'removed'] as const)
    refuse({ collection: 'sinks', kind })
    const path = `/sinks/${sink?.id}`
    if (kind === 'changed') await once(client, 'PUT', path, { types: ['alarm'] })
    else if ((await once(client, 'DELETE', path))?.status !== 503) target.removed()
    refuse(undefined)
  }
  const tool = client.chance.pick(site.tools)
  refuse('everything')
  const deleted = await once(client, 'DELETE', `/equipment/${site.ids.get(tool)}?force=true`)
  refuse(undefined)
  for (const target of site.targets) await addSink(client, target)
  if (deleted?.status !== 503) await site.registerTool(client, tool)
}

/** Changes a sink to what it is, or pauses and resumes it: where the store refuses, it goes on as before. */
async function changeSinks(site: Site): Promise<void> {
  const client = new Client(site, 'integrator')
  for (;;) {
    await client.rest(60_000, 600_000)
    const { body } = await client.insist('GET', '/sinks')
    const isHeld = (name: string): boolean => site.targets.some((one) => one.held && one.name === name)
    const { items: all } = body as { readonly items: readonly Pick<Sink, 'id' | 'name'>[] }
    const items = all.filter(({ name }) => !isHeld(name))
    // A change would start again what should have gone on.
    if (items.length === 0 || site.calm) continue
    const path = `/sinks/${client.chance.pick(items).id}`
    if (client.chance.is(0.7)) await once(client, 'PUT', path, { types: ['alarm'] })
    else {
      await once(client, 'POST', `${path}/pause`)
      await client.insist('POST', `${path}/resume`)
    }
  }
}

/** Registers equipment at one gateway, and looks at another one whether it knows. */
async function findAtOthers(site: Site): Promise<void> {
  const client = new Client(site, 'finder')
  for (let number = 0; ; number++) {
    await client.rest(5000, 60_000)
    const { epoch } = site
    // Others are told of the second one a moment later than of the first.
    const made = []
    for (const which of [0, 1]) {
      const port = 1000 + ((2 * number + which) % 60_000)
      const record = { name: `found-${port}`, ip_address: '10.9.0.2', port }
      made.push(await client.insist('POST', '/equipment', record))
    }
    const paths = made.flatMap(({ status, body }) =>
      status === 201 ? [`/equipment/${(body as { readonly id: string }).id}`] : [],
    )
    const path = paths.at(-1)
    if (path === undefined) continue
    client.callAnother()
    const found = await once(client, 'GET', path)
    site.observer.require(
      site.epoch !== epoch || found?.status !== 404,
      'What one gateway has confirmed is found at every other one.',
      () => `GET ${path} at gateway ${client.machine.number}: 404`,
    )
    for (const one of paths) await client.insist('DELETE', one)
  }
}

/** Changes a record at one gateway, and reads it there at once, whichever gateway has made the change. */
async function readBack(site: Site): Promise<void> {
  const client = new Client(site, 'clerk')
  /** What the gateway that has confirmed a change shows then; undefined where it is not known that it has. */
  const readAfter = async (changed: Promise<Response | undefined>, status: number, path: string) => {
    const { epoch } = site
    const { machine } = client
    const isDone = (await changed)?.status === status
    if (!isDone || client.machine !== machine || !site.isOfNow) return undefined
    const read = await once(client, 'GET', path)
    const isShown = read?.status === 200 && client.machine === machine && site.epoch === epoch
    site.observer.count('changes that were read at once', Number(isShown))
    return isShown ? (read.body as { readonly items: readonly Equipment[] }).items : undefined
  }
  for (let number = 0; ; number++) {
    await client.rest(5000, 60_000)
    const name = `clerk-${number}`
    const list = '/equipment?limit=1000'
    const made = await client.insist('POST', '/equipment', {
      name,
      ip_address: '10.9.0.3',
      port: 1000 + (number % 60_000),
    })
    if (made.status !== 201) continue
    const path = `/equipment/${(made.body as Equipment).id}`
    // Most of what one gateway has made is that one's: another one forwards changes of it.
    if (client.chance.is(0.7)) client.callAnother()
    const require = (isSo: boolean, what: string): void =>
      site.observer.require(isSo, READ_BACK, () => `${what} ${path} at gateway ${client.machine.number}`)
    for (const run of ['1', '2', '3']) {
      const items = await readAfter(once(client, 'PUT', path, { labels: { run } }), 200, list)
      const { labels } = items?.find((one) => one.name === name) ?? {}
      require(items === undefined || labels?.['run'] === run, `label ${run}`)
    }
    const items = await readAfter(once(client, 'DELETE', path), 204, list)
    require(!items?.some((one) => one.name === name), 'deletion')
    await client.insist('DELETE', path)
  }
}

const READ_BACK = 'What a call has changed is shown by the next call at the same gateway.'

/** Looks all the time at messages that wait for a reply. */
async function watchPending(site: Site): Promise<void> {
  const client = new Client(site, 'watcher')
  let since = new Map<string, number>()
  let { epoch } = site
  const replied = new Set<string>()
  for (;;) {
    await client.rest(10_000, 60_000)
    const path = '/messages?outcome=pending&direction=sent&limit=1000'
    const { body } = await client.insist('GET', path)
    if (site.epoch !== epoch) for (const ids of [since, replied]) ids.clear()
    epoch = site.epoch
    await checkOutcomes(client, replied)
    const { items } = body as { readonly items: readonly Message[] }
    since = new Map(items.map(({ id }) => [id, since.get(id) ?? site.world.now]))
    for (const [id, seen] of since)
      site.observer.require(
        site.world.now - seen < PENDING_MS,
        'Every message that is sent has an outcome.',
        () => `${id} waits since ${seen}`,
      )
  }
}

/** A message that was replied to stays so. `replied`: those that were shown so. */
async function checkOutcomes(client: Client, replied: Set<string>): Promise<void> {
  const { site } = client
  const { observer, epoch } = site
  const { body } = await client.insist('GET', '/messages?direction=sent&stream=2&function=41&limit=50')
  const ended = (body as { readonly items: readonly Message[] }).items.filter(
    ({ outcome }) => outcome !== 'pending',
  )
  if (site.epoch !== epoch) return
  observer.count('outcomes that were compared', ended.length)
  const other = ended.filter(({ id, outcome }) => replied.has(id) && outcome !== 'replied')
  observer.require(other.length === 0, 'The outcome of a message is on disk before it is shown.', () =>
    other.map(({ id, outcome }) => `${id} was replied to and is ${outcome}`).join(),
  )
  for (const { id, outcome } of ended) if (outcome === 'replied') replied.add(id)
}

/** What another host has defined anew while a tool was out of reach has been found out. */
async function checkVariables(client: Client, tool: Tool, id: string): Promise<void> {
  // The host of a tapped tool asks it; on a noisy line it may once not have replied to S6F21.
  if (tool.ownHost || tool.master) return
  const { observer } = client.site
  const { body } = await client.insist('GET', `/equipment/${id}/reports/${TICK_REPORT}/values`)
  const { values } = body as { readonly values: readonly { readonly id: string | null }[] }
  const vids = values.map((value) => value.id)
  observer.count('reports whose variables were compared', vids.includes(null) ? 0 : 1)
  observer.require(
    vids.every((vid, at) => vid === null || vid === tool.reported[at]),
    'Values are recorded under the names of the variables that the equipment has sent.',
    () => `${tool.name} has ${tool.reported.join()}, and ${vids.join()} are known`,
  )
}

/** A spool that is not read would grow for ever. */
function checkSpool({ observer }: Site, { name, simulator }: Tool): void {
  const { spool } = simulator.equipment
  observer.count('spools that were compared', spool ? 1 : 0)
  observer.require(
    !spool || (spool.counts.actual === 0 && spool.states.spool === 'SPOOL_INACTIVE'),
    'The gateway has spooled messages sent by itself after every connect.',
    () => `${name}: ${JSON.stringify({ ...spool?.counts, ...spool?.states })}`,
  )
}

/** In a calm hour the gateway shows what the tools are. */
export async function checkCalm(site: Site, tools: readonly Tool[]): Promise<void> {
  const client = new Client(site, 'checker')
  const { observer } = site
  for (const tool of tools) {
    const id = site.ids.get(tool)
    if (id === undefined) continue
    const { body } = await client.insist('GET', `/equipment/${id}`)
    const { connection_state, communication_state } = body as Record<string, unknown>
    observer.require(
      connection_state === 'SELECTED' && communication_state === 'COMMUNICATING',
      'The gateway reconnects by itself.',
      () => `${tool.name} is ${connection_state}, ${communication_state}: ${JSON.stringify(body)}`,
    )
    const alarms = await client.insist('GET', `/alarms?equipment_id=${id}&active=true&limit=1000`)
    const { items } = alarms.body as { readonly items: readonly Alarm[] }
    const shown = items
      .map(({ alid }) => alid)
      .filter((alid) => tool.reportedAlarms.includes(alid))
      .sort()
    observer.require(
      shown.join() === tool.alarmsSet.join(),
      'The alarm board equals what the equipment has reported.',
      () => `${tool.name} has ${tool.alarmsSet.join() || 'none'}, and ${shown.join() || 'none'} is shown`,
    )
    const { passed, recorded, named } = tool.tapped ?? { passed: 0, recorded: 0, named: 0 }
    observer.count('messages of taps that were compared with the record', passed)
    observer.require(
      passed <= recorded + named,
      'Messages that cannot be recorded are counted.',
      () => `of ${passed} that passed to and from ${tool.name} ${recorded} are recorded and ${named} counted`,
    )
    tool.countTapped()
    await checkVariables(client, tool, id)
    await checkReports(client, tool, id)
    checkSpool(site, tool)
    observer.require(
      tool.acknowledged.length === 0,
      'A report that was acknowledged to equipment is recorded and shown.',
      () => `${tool.name}: ${tool.acknowledged.join()} was never shown`,
    )
  }
  for (const { name, expected } of site.targets) {
    observer.require(
      expected.length === 0,
      'Every event that matches a sink is delivered at least once, or named in a gap.',
      () => `${name} did not get ${expected.slice(0, 20).join()}`,
    )
  }
  const shown = site.streamed.last
  await client.sleep(OTHER_STREAM_MS)
  site.alarms.check(shown)
  await site.lots.check(client)
  await checkSummary(client, tools)
  await checkFilters(client)
  await checkRange(client)
  observer.count('calm checks')
}

/** The counts of alarms are those of the alarms that are listed. */
async function checkSummary(client: Client, tools: readonly Tool[]): Promise<void> {
  const { observer, ids } = client.site
  const { body } = await client.insist('GET', '/alarms/summary')
  const { items } = body as AlarmSummary
  for (const tool of tools) {
    if (tool.reportedAlarms.length < ALARMS.length) continue
    const { active = 0 } = items.find(({ equipment_id }) => equipment_id === ids.get(tool)) ?? {}
    observer.require(
      active === tool.alarmsSet.length,
      'The counts of alarms are those of the alarm board.',
      () => `${tool.name} has ${tool.alarmsSet.join()}, and ${active} are counted`,
    )
  }
}

/** A list that is filtered has the events that the stream has shown. */
async function checkFilters(client: Client): Promise<void> {
  const { streamed, observer, ids } = client.site
  const known = streamed.recent
  for (const [name, value] of [
    ['type', 'alarm'],
    ['equipment_id', client.chance.pick([...ids.values()])],
  ] as const) {
    const last = client.site.shownEverywhere
    const { body } = await client.insist('GET', `/events?${name}=${value}&limit=300`)
    const listed = (body as { readonly items: readonly Event[] }).items.map(({ id }) => Number(id)).reverse()
    const first = Math.max(listed[0] ?? Number.POSITIVE_INFINITY, known[0]?.id ?? Number.POSITIVE_INFINITY)
    const isMeant = (id: number): boolean => id >= first && id <= last
    const shown = known.filter((event) => event[name] === value && isMeant(event.id)).map(({ id }) => id)
    observer.count('events of filtered lists', shown.length)
    observer.require(
      listed.filter(isMeant).join() === shown.join(),
      'A list that is filtered has what the stream has shown.',
      () => `${name}=${value}: ${listed.filter(isMeant).join()} and ${shown.join()}`,
    )
  }
}

/** A list of a range of time has the events of that range that the stream has shown, whatever clocks have shown. */
async function checkRange(client: Client): Promise<void> {
  const { streamed, observer } = client.site
  const known = streamed.recent
  if (known.length === 0) return
  const [from = '', to = ''] = [client.chance.pick(known).at, client.chance.pick(known).at].sort()
  const until = client.site.shownEverywhere
  const { body } = await client.insist('GET', `/events?order=asc&limit=1000&from=${from}&to=${to}`)
  const listed = (body as { readonly items: readonly Event[] }).items.map(({ id }) => Number(id))
  // Retention may have removed the rest meanwhile.
  const first = Math.max(known[0]?.id ?? 0, (await beforeFirst(client)) + 1)
  // A page that is full ends before others of the range.
  const last = Math.min(until, listed.length < 1000 ? until : (listed.at(-1) ?? 0))
  const isMeant = (id: number): boolean => id >= first && id <= last
  const shown = known.filter(({ id, at }) => at >= from && at < to && isMeant(id)).map(({ id }) => id)
  observer.count('events of ranges of time', shown.length)
  observer.require(
    listed.filter(isMeant).join() === shown.join(),
    'A list from one time to another has what the stream has shown of it.',
    () => `from ${from} to ${to}: ${listed.filter(isMeant).join()} and ${shown.join()}`,
  )
}

/** Every number of the journal has an entry, from the first that is kept to the last, but for those that restored backups leave out. */
export async function checkExport(site: Site): Promise<void> {
  const client = new Client(site, 'exporter')
  let text = ''
  let last = 0
  await client.follow('/journal/export', (piece) => {
    text += piece
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const { id, seq = id } = JSON.parse(line) as { readonly id?: string; readonly seq?: string }
      const number = Number(seq)
      site.observer.require(
        last === 0 || (number - last - 1) % NUMBERS_LEFT_OUT === 0,
        'The ids of the journal have no hole.',
        () => `${number} follows ${last}`,
      )
      last = number
    }
  })
  site.observer.count('entries exported', last)
}
