import type { Event } from '../../src/contract/topics/events.js'
import type { Chance } from './chance.js'
import { ALARM_EVENTS, type Filter, FilteredStream, REPORTS } from './filtered-stream.js'
import { NoResponse } from './gateway-process.js'
import { Client, credentialsOf, RESTRICTED, type Site } from './site.js'

/** Milliseconds that an event may be under way to who follows a stream, longer than a process is stopped. */
const UNDER_WAY_MS = 5 * 60_000

/** Reads the pieces of a stream's text. */
export function eventsIn(take: (event: Event) => void, problem = (): void => {}): (piece: string) => void {
  let text = ''
  return (piece) => {
    text += piece
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const record = text.slice(0, end)
      const data = record.indexOf('data: ')
      text = text.slice(end + 2)
      // The last record of a stream that cannot go on: the database is away.
      if (record.startsWith('event: problem\n')) problem()
      else if (data >= 0) take(JSON.parse(record.slice(data + 6)) as Event)
    }
  }
}

/** Kinds of events that people follow alone. */
const FILTERS: readonly ((site: Site, chance: Chance) => Filter)[] = [
  () => ALARM_EVENTS,
  () => REPORTS,
  () => ({ query: 'message=S5', isMeant: ({ message }) => message?.startsWith('S5F') === true }),
  () => ({
    query: 'type=state&type=connection',
    isMeant: ({ type }) => type === 'state' || type === 'connection',
  }),
  (site, chance) => {
    const id = chance.pick([...site.ids.values()])
    return { query: `equipment_id=${id}`, isMeant: ({ equipment_id }) => equipment_id === id }
  },
]
/** How often who connects again begins at an old event, 0 to 1. */
const BEGINS_EARLIER = 0.3
/** How often the same kind of events is followed. */
const CONNECTIONS = 10

/** Follows the events of type alarm, and resumes after the last one. */
export async function followAlarms(site: Site): Promise<void> {
  const client = new Client(site, 'alarm panel')
  for (;;) {
    await followOnce(client, site.alarms)
    await client.sleep(client.chance.between(100, 2000))
  }
}

/** Follows events of one kind for a while, and resumes after the last one or at an older one. */
export async function followSome(site: Site): Promise<void> {
  const client = new Client(site, 'board')
  const { chance } = client
  for (;;) {
    await client.rest(1000, 60_000)
    if (site.ids.size === 0) continue
    const stream = new FilteredStream(site, chance.pick(FILTERS)(site, chance))
    stream.begin()
    stream.goOnAtEnd()
    for (let connections = chance.below(CONNECTIONS); connections >= 0; connections--) {
      if (chance.is(BEGINS_EARLIER)) stream.startAfter(oldPlace(site, chance))
      await followOnce(client, stream, client.rest(1000, chance.pick([20_000, 300_000])))
      await client.rest(100, 20_000)
    }
  }
}

/** That of an event that was shown, or the first that is kept: retention may remove it now. */
function oldPlace(site: Site, chance: Chance): number {
  const { recent, last } = site.streamed
  const first = site.firstEntry()
  if (recent.length > 0 && chance.is(0.7)) return chance.pick(recent).id
  return first === undefined ? last : first - 1
}

/** Until the gateway ends it, or `leaves`. */
export async function followOnce(
  client: Client,
  stream: FilteredStream,
  leaves?: Promise<unknown>,
): Promise<void> {
  const { site } = client
  stream.begin()
  const { epoch } = site
  const { last, filter } = stream
  const removed = client.machine.journal?.first ?? 0
  let isOver = false
  const take = eventsIn((event) => {
    if (site.epoch === epoch && !isOver) stream.take(event)
  })
  const path = `/events/stream?${filter.query}&after=${last}`
  const status = await client.follow(path, take, leaves).catch(absent)
  isOver = true
  const first = site.firstEntry()
  site.observer.count(`streams of some events: ${status ?? 'no response'}`)
  site.observer.require(
    status !== 410 || site.epoch !== epoch || first === undefined || last < first - 1,
    'A stream begins after any event that is kept.',
    () => `${status} after ${last}, where ${first} is the first: ${filter.query}`,
  )
  site.observer.require(
    status !== 200 || site.epoch !== epoch || last >= removed - 1,
    'cursor_expired: retention has deleted the entries at the cursor.',
    () => `${status} after ${last}, where ${removed} was the first: ${filter.query}`,
  )
  if (status === 400 || status === 410) stream.goOnAtEnd()
  if (status === undefined) client.callAnother()
}

/** The reports of equipment from the oldest one on. */
export async function followOldest(client: Client): Promise<void> {
  const { site } = client
  const first = site.firstEntry()
  if (first === undefined) return
  const stream = new FilteredStream(site, REPORTS)
  stream.begin()
  stream.startAfter(first - 1)
  await followOnce(client, stream, client.sleep(30_000))
}

const absent = (error: unknown): undefined => {
  if (!(error instanceof NoResponse)) throw error
}

/** Follows what a caller who is restricted to one area is shown, for as long as a stream goes on. */
export async function followRestricted(site: Site): Promise<void> {
  const client = new Client(site, 'restricted follower', credentialsOf(RESTRICTED))
  const { world, areas, areasAtEvents, observer } = site
  for (;;) {
    const { epoch } = site
    const take = eventsIn(({ id, equipment_id }) => {
      observer.count('events of the stream of a restricted caller')
      const wasOutside = areasAtEvents.heldAt(equipment_id, Number(id)) === false
      const isOutside = !areas.mayHold(equipment_id, world.now - UNDER_WAY_MS, world.now)
      observer.require(
        site.epoch !== epoch || !wasOutside || !isOutside,
        'An open stream uses changed labels from the next event on.',
        () => `event ${id} of ${equipment_id} was shown to a restricted caller`,
      )
    })
    await client.follow('/events/stream', take).catch(absent)
    await client.sleep(client.chance.between(100, 2000))
  }
}
