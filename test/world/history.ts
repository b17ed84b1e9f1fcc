import type { Alarm } from '../../src/contract/topics/alarms.js'
import type { Event } from '../../src/contract/topics/events.js'
import { Client, once, type Site } from './site.js'

/** Cursors that are tried again later, so many. */
const MAX_BOOKMARKS = 8
/** Pages of one walk through a list. */
const MAX_PAGES = 6

const REMOVED = 'What retention has removed is never listed again.'
const KEPT = 'A list has everything that retention keeps.'
const VALID = 'A cursor stays valid until retention passes it.'
const OUTLIVE = 'An open alarm and a key of today outlive the segment of their entries.'
const EXPIRED = 'cursor_expired: retention has deleted the entries at the cursor.'

/** A place in a list: the cursor, and the number of the entry with which it goes on. */
interface Bookmark {
  readonly list: List
  readonly cursor: string
  readonly begins: number
}

interface List {
  readonly path: string
  readonly order: 'asc' | 'desc'
  /** Whether all events of the readers are in it. */
  readonly isWhole: boolean
}

const LISTS: readonly List[] = (['asc', 'desc'] as const).flatMap((order) => [
  { path: '/events?', order, isWhole: true },
  { path: '/events?type=alarm&', order, isWhole: false },
  { path: '/messages?', order, isWhole: false },
])

interface Page {
  readonly ids: readonly number[]
  readonly next: Bookmark | undefined
}

/**
 * The history is an interval of numbers: it grows at its end, and retention takes from its beginning. Each response has
 * to be that of one state between the call and the response, whenever segments go, days begin, and processes end.
 */
export async function readHistory(site: Site): Promise<void> {
  const client = new Client(site, 'historian')
  const { chance } = client
  const bookmarks: Bookmark[] = []
  const ended: Ended = new Map()
  let { epoch } = site
  for (;;) {
    await client.rest(5000, 120_000)
    if (site.epoch !== epoch) {
      bookmarks.length = 0
      ended.clear()
    }
    epoch = site.epoch
    if (chance.is(0.2)) await readAlarms(client, ended)
    let place: Bookmark | undefined = chance.is(0.5)
      ? undefined
      : bookmarks.splice(chance.below(bookmarks.length), 1)[0]
    const list = place?.list ?? chance.pick(LISTS)
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const page = await readPage(client, list, place)
      if (!page) break
      const { next } = page
      if (!next) break
      if (chance.is(0.3)) bookmarks.push(next)
      if (bookmarks.length > MAX_BOOKMARKS) bookmarks.shift()
      place = next
      if (chance.is(0.2)) client.callAnother()
    }
  }
}

/** Reads the oldest events there are. */
export const readOldest = (client: Client): Promise<unknown> => readPage(client, LISTS[0] as List, undefined)

/** What is certainly removed before a call, and what is certainly kept after it; undefined where nobody knows. */
function lookAtHistory({
  site,
  machine,
}: Client): () => { readonly removed: number; readonly kept: number } | undefined {
  const { epoch } = site
  const { host, journal } = machine
  const removed = journal?.first
  return () => {
    const kept = site.firstEntry()
    if (removed === undefined || kept === undefined || machine.host !== host || site.epoch !== epoch)
      return undefined
    return { removed, kept }
  }
}

/** Reads one page, and compares it with what was and is kept. Undefined where there is none. */
async function readPage(client: Client, list: List, place: Bookmark | undefined): Promise<Page | undefined> {
  const { site, chance, machine } = client
  const { observer } = site
  const limit = 1 + chance.below(chance.pick([10, 400]))
  const from = place ? `&cursor=${place.cursor}` : ''
  const shownUntil = site.shownEverywhere
  const end = lookAtHistory(client)
  const response = await once(client, 'GET', `${list.path}order=${list.order}&limit=${limit}${from}`)
  const known = end()
  if (!response || !known || client.machine !== machine) return undefined
  const { status, body } = response
  const { removed, kept } = known
  if (![200, 400, 410].includes(status)) return undefined
  observer.count(`pages of the historian: ${status}`)
  const where = (): string =>
    `${status} at ${list.path}${list.order} from ${place?.begins}, of ${removed} to ${kept} at gateway ${machine.number}: ${JSON.stringify(body).slice(0, 200)}`
  if (place) {
    observer.require(status !== 410 || place.begins < kept, VALID, where)
    observer.require(status === 410 || place.begins >= removed, EXPIRED, where)
  }
  observer.require(status !== 400 && (place !== undefined || status === 200), VALID, where)
  if (status !== 200) return undefined
  const { items, next_cursor } = body as {
    readonly items: readonly Event[]
    readonly next_cursor: string | null
  }
  const ids = items.map(({ id }) => Number(id))
  observer.require(!ids.some((id) => id < removed), REMOVED, where)
  observer.require(
    !place || ids[0] === place.begins || (ids.length === 0 && place.begins < kept),
    VALID,
    where,
  )
  if (list.isWhole)
    requireWhole(client, list, ids, { shownUntil, kept, isFirst: !place, isLast: next_cursor === null })
  return {
    ids,
    next: next_cursor === null ? undefined : { list, cursor: next_cursor, begins: positionOf(next_cursor) },
  }
}

/** The number in a cursor. */
const positionOf = (cursor: string): number =>
  Number(Buffer.from(cursor, 'base64url').toString().split('.').at(-1))

/** The page has all that the stream has shown of its stretch. */
function requireWhole(
  { site }: Client,
  { order }: List,
  ids: readonly number[],
  {
    shownUntil,
    kept,
    isFirst,
    isLast,
  }: { shownUntil: number; kept: number; isFirst: boolean; isLast: boolean },
): void {
  const { observer, streamed } = site
  const known = streamed.recent
  const [first, last] = order === 'asc' ? [ids[0], ids.at(-1)] : [ids.at(-1), ids[0]]
  // Where the list begins or ends, all that is kept has to be there, and all after the first that is listed.
  const [isFromStart, isToEnd] = order === 'asc' ? [isFirst, isLast] : [isLast, isFirst]
  const from = Math.max(
    known[0]?.id ?? Number.POSITIVE_INFINITY,
    isFromStart ? Math.min(kept, first ?? kept) : (first ?? Number.POSITIVE_INFINITY),
  )
  const to = Math.min(shownUntil, isToEnd ? Number.POSITIVE_INFINITY : (last ?? 0))
  const isMeant = (id: number): boolean => id >= from && id <= to
  const listed = new Set(ids)
  const missing = known.filter(({ id }) => isMeant(id) && !listed.has(id)).map(({ id }) => id)
  observer.count('events of pages that were compared', ids.filter(isMeant).length)
  observer.require(missing.length === 0, KEPT, () => `${missing.join()} of ${from} to ${to} are not listed`)
}

/** Of alarms that are over and older than the history: where the history began when one was listed. */
type Ended = Map<string, number>

/**
 * Alarms outlive the history as long as they are active or not acknowledged. One that is over then stays until the
 * history begins later than it did.
 */
async function readAlarms(client: Client, ended: Ended): Promise<void> {
  const end = lookAtHistory(client)
  const { machine, site } = client
  const { openAlarms } = site.streamed
  const { shownEverywhere } = site
  const open = openAlarms.among().filter((id) => id <= shownEverywhere)
  const response = await once(client, 'GET', '/alarms?limit=1000')
  const known = end()
  if (response?.status !== 200 || !known || client.machine !== machine) return
  const { items, next_cursor } = response.body as {
    readonly items: readonly Alarm[]
    readonly next_cursor: string | null
  }
  const old = items.filter(({ id }) => Number(id) < known.removed)
  site.observer.count('alarms that have outlived their history', old.length)
  const over = old.filter(({ active, acknowledged }) => !active && acknowledged)
  const before = new Map(ended)
  ended.clear()
  for (const { id } of over) ended.set(id, before.get(id) ?? known.kept)
  const late = over.filter(({ id }) => (before.get(id) ?? known.removed) < known.removed)
  site.observer.require(
    late.length === 0,
    REMOVED,
    () => `alarms ${late.map(({ id }) => id).join()} of before ${known.removed}`,
  )
  if (next_cursor === null) await requireOpen(client, open, items)
}

/** Those of the alarms that were open before the list and after it are in it, each with what its entries say. */
async function requireOpen(
  client: Client,
  before: readonly number[],
  items: readonly Alarm[],
): Promise<void> {
  const { site } = client
  const { streamed, observer, epoch } = site
  const last = site.lastEntry()
  for (let wait = 0; wait < 60 && streamed.last < (last ?? 0); wait++) await client.sleep(1000)
  if (last === undefined || streamed.last < last || site.epoch !== epoch) return
  const listed = new Set(items.map(({ id }) => Number(id)))
  const missing = streamed.openAlarms.among(before).filter((id) => !listed.has(id))
  observer.require(missing.length === 0, OUTLIVE, () => `alarms ${missing.join()} are open and not listed`)
  const anonymous = items.filter((one) => one.active && one.acknowledged && !one.acknowledged_by)
  observer.require(
    anonymous.length === 0,
    OUTLIVE,
    () => `nobody knows who has acknowledged alarms ${anonymous.map(({ id }) => id).join()}`,
  )
}
