import {
  type Change,
  changeOf,
  lastBefore,
  type Restart,
  restartsIn,
  withOutage,
} from '../../contract/state-changes.js'
import { type Event, eventEndpoints } from '../../contract/topics/events.js'
import { CHANGE_NAMES } from '../equipment/state-segments.js'
import type { GatewayCalls } from '../gateway/call.js'
import type { Span } from './timeline.js'

const PAGE = 1000
/** Pages of changes that are read at once. */
const MAX_PAGES = 30
/** Restarts of the gateway, the last ones, whose beginning is looked for. */
const MAX_RESTARTS = 20
/** Equipment that connects again within this time does so because of the same restart. */
const SAME_RESTART_MS = 120_000
/** Equipment that one query may name. */
const MAX_IDS = 400
/** Changes of states by the id of the equipment, oldest first. */
export type ChangesById = ReadonlyMap<string, readonly Change[]>

export interface SiteChanges {
  readonly changes: ChangesById
  /** The time of which all changes were read: less than was asked for if there are too many. */
  readonly known: Span
}

export interface Reading {
  readonly calls: Pick<GatewayCalls, 'call'>
  /** The connection state of all equipment now, by id. */
  readonly connections: ReadonlyMap<string, string>
  /** Narrows all queries, such as to a label selector. */
  readonly scope: object
  readonly signal: AbortSignal
}

/** A restart of the gateway, as the equipment shows that it then connected again. */
interface SiteRestart {
  readonly at: number
  readonly restarts: ReadonlyMap<string, Restart>
}

/**
 * The changes of all equipment from `span.from` until now, with what is unknown because the gateway did not run. Changes
 * after the span tell the state in which equipment that did not change during it was. Throws `Refused`.
 */
export async function readSiteChanges(reading: Reading, span: Span, now: number): Promise<SiteChanges> {
  const isPast = span.to < now
  const order = isPast ? ('asc' as const) : ('desc' as const)
  const { events, isCut } = await readEvents(
    reading,
    { from: timeOf(span.from), order, name: CHANGE_NAMES },
    MAX_PAGES,
  )
  const edge = Date.parse(events.at(-1)?.at ?? '')
  const known = {
    from: isCut && !isPast ? edge : Number.NEGATIVE_INFINITY,
    to: isCut && isPast ? edge : Number.POSITIVE_INFINITY,
  }
  let changes = byEquipment(isPast ? events : events.reverse())
  changes = await withStateBefore(reading, changes, span.from)
  return { changes: await withOutages(reading, changes), known }
}

/** Takes a change that has come. True when it shows a restart of the gateway, after which all is read again. */
export function addChange(changes: Map<string, readonly Change[]>, id: string, change: Change): boolean {
  const before = changes.get(id) ?? []
  const isLate = change.at < (before.at(-1)?.at ?? 0)
  const after = [...before, change]
  if (isLate) after.sort((one, other) => one.at - other.at)
  changes.set(id, after)
  return restartsIn(after).length > restartsIn(before).length
}

const timeOf = (at: number): string => new Date(at).toISOString()

async function readEvents({ calls, scope, signal }: Reading, given: object, pages: number) {
  const events: Event[] = []
  let cursor: string | null | undefined
  for (let page = 0; page < pages && cursor !== null; page++) {
    const types = { type: ['connection' as const, 'state' as const], limit: PAGE }
    const query = { ...scope, ...types, ...given, ...(cursor && { cursor }) }
    const found = await calls.call(eventEndpoints.listEvents, { query }, signal)
    for (const event of found.items) events.push(event)
    cursor = found.next_cursor
  }
  return { events, isCut: Boolean(cursor) }
}

function byEquipment(events: readonly Event[]): Map<string, Change[]> {
  const found = new Map<string, Change[]>()
  for (const event of events) {
    const change = changeOf(event)
    if (!change) continue
    const known = found.get(event.equipment_id)
    if (known) known.push(change)
    else found.set(event.equipment_id, [change])
  }
  return found
}

/**
 * Equipment that was not connected before its first change was switched off, or the gateway did not run: the change
 * before that one tells which.
 */
async function withStateBefore(
  reading: Reading,
  changes: ChangesById,
  from: number,
): Promise<Map<string, Change[]>> {
  const ids = [...changes].flatMap(([id, list]) =>
    list.find(({ lane }) => lane === 'connection_state')?.from === 'NOT_CONNECTED' ? [id] : [],
  )
  const result = new Map([...changes].map(([id, list]) => [id, [...list]]))
  if (ids.length === 0) return result
  const query = { equipment_id: ids.slice(0, MAX_IDS), to: timeOf(from), type: ['connection' as const] }
  const { events } = await readEvents(reading, query, 1)
  for (const [id, before] of byEquipment(events)) {
    const [newest] = before
    if (newest) result.get(id)?.unshift(newest)
  }
  return result
}

function siteRestarts(changes: ChangesById): readonly SiteRestart[] {
  const all = [...changes].flatMap(([id, list]) => restartsIn(list).map((restart) => ({ id, restart })))
  all.sort((one, other) => one.restart.at - other.restart.at)
  const found: { at: number; restarts: Map<string, Restart> }[] = []
  for (const { id, restart } of all) {
    const last = found.at(-1)
    if (last && restart.at - last.at < SAME_RESTART_MS && !last.restarts.has(id))
      last.restarts.set(id, restart)
    else found.push({ at: restart.at, restarts: new Map([[id, restart]]) })
  }
  return found.slice(-MAX_RESTARTS)
}

/** Adds the time before each restart in which the gateway recorded nothing. */
async function withOutages(reading: Reading, changes: ChangesById): Promise<ChangesById> {
  const { calls, scope, signal, connections } = reading
  // Equipment that did not change is unknown as well while the gateway did not run.
  const result = new Map([...[...connections.keys()].map((id) => [id, NONE] as const), ...changes])
  for (const { at, restarts } of siteRestarts(changes)) {
    const query = {
      ...scope,
      equipment_id: [...restarts.keys()].slice(0, MAX_IDS),
      ...lastBeforeAll(result, restarts, at),
      to: timeOf(at),
      limit: 1,
    }
    const { items } = await calls.call(eventEndpoints.listEvents, { query }, signal)
    const since = Date.parse(items[0]?.at ?? '') || at
    for (const [id, list] of result) {
      const restart = restarts.get(id)
      const connection = connectionAt(list, since) ?? connections.get(id) ?? 'NOT_CONNECTED'
      if (restart) result.set(id, withOutage(list, since, restart))
      else if (connection !== 'SELECTED' && !changesWithin(list, since, at))
        result.set(id, withOutage(list, since, { at, connection }))
    }
  }
  return result
}

/** From when on the gateway has recorded something before a restart of it: nothing where that is not known. */
function lastBeforeAll(changes: ChangesById, restarts: SiteRestart['restarts'], at: number) {
  const times = [...restarts].flatMap(([id, restart]) => lastBefore(changes.get(id) ?? NONE, restart) ?? [])
  const before = times.filter((time) => time < at)
  return before.length === 0 ? {} : { from: timeOf(Math.max(...before)) }
}

const NONE: readonly Change[] = []

const connectionAt = (changes: readonly Change[], at: number): string | undefined =>
  changes.findLast((one) => one.lane === 'connection_state' && one.at <= at)?.to ??
  changes.find((one) => one.lane === 'connection_state')?.from

/** Equipment that changed while this gateway did not run is with another gateway of the site. */
const changesWithin = (changes: readonly Change[], since: number, until: number): boolean =>
  changes.some(({ at }) => at > since && at < until)
