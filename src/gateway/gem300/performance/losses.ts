import {
  type Change,
  changeOf,
  lastBefore,
  restartsIn,
  UNKNOWN_STATE,
  withOutage,
} from '../../../contract/state-changes.js'
import { CONNECTION_CHANGES } from '../../../contract/topics/events.js'
import type { Entry, Kind } from '../../../store/entry.js'
import type { Journal } from '../../../store/journal.js'
import { TAP_GAP } from '../../records/journal-kinds.js'

/** Entries that are read at once, and for one question. */
const STEP = 200
const MOST = 20_000
/** Restarts of the gateway, the last ones, whose beginning is looked for. */
const MOST_RESTARTS = 50

/** Entries that may say that equipment cannot tell anything. */
const KINDS: readonly Kind[] = [
  ...CONNECTION_CHANGES.map((name) => ({ type: 'connection', name })),
  { type: 'state', name: 'communication_state' },
  { type: 'state', name: 'control_state' },
  TAP_GAP,
]

/** When what equipment has told became old, in milliseconds since 1970. */
export interface Losses {
  readonly times: readonly number[]
  /** The time of which all are known. */
  readonly since: number
}

type Told = Pick<Entry, 'type' | 'name' | 'at' | 'data'>

/** From this change on equipment cannot tell what happens: what it told before may not be so any more. */
function isLoss({ lane, to }: Pick<Change, 'lane' | 'to'>): boolean {
  if (lane === 'connection_state') return to !== 'SELECTED'
  if (lane === 'communication_state') return to !== 'COMMUNICATING'
  return to !== UNKNOWN_STATE && !to.startsWith('ONLINE')
}

/** Whether an entry says that what its equipment has told may not be so any more. */
export function isLossEntry(entry: Told): boolean {
  if (entry.name === TAP_GAP.name) return true
  const change = changeOf(entry)
  return change !== undefined && isLoss(change)
}

/** Whether an entry says that its equipment is not offline any more: `UNKNOWN` is online, local or remote, or silent. */
export function isOnlineAgain(entry: Told): boolean {
  const { lane, from = UNKNOWN_STATE, to = UNKNOWN_STATE } = changeOf(entry) ?? {}
  return lane === 'control_state' && isLoss({ lane, to: from }) && !isLoss({ lane, to })
}

const timeOf = (at: number): string => new Date(at).toISOString()

/** The losses of one equipment from the last one before `from` to `to`. */
export async function lossesOf(
  journal: Pick<Journal, 'query' | 'read'>,
  equipmentId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Losses> {
  const read: Entry[] = []
  let before: number | undefined
  /** The last time before `from` without a link, as far as that was read: what was lost before it does not matter. */
  let unlinkedAt: number | undefined
  let isWhole = false
  while (!isWhole && read.length < MOST) {
    const { entries } = await journal.read({
      kinds: KINDS,
      key: equipmentId,
      to: timeOf(to),
      order: 'desc',
      limit: STEP,
      ...(before !== undefined && { before }),
      // An entry of a clock that was behind says nothing of those before it.
      ...(unlinkedAt !== undefined && { from: timeOf(unlinkedAt) }),
    })
    read.push(...entries)
    before = entries.at(-1)?.seq
    for (const entry of entries)
      if (isUnlinkedBefore(entry, from)) unlinkedAt = Math.max(unlinkedAt ?? 0, Date.parse(entry.at))
    isWhole = entries.length < STEP
  }
  const oldest = Date.parse(read.at(-1)?.at ?? '')
  const changes = read.toReversed().flatMap((entry) => changeOf(entry) ?? [])
  const { known, since } = await withOutages(journal, equipmentId, changes)
  const gaps = read.filter(({ name }) => name === TAP_GAP.name)
  return {
    times: [
      ...known.filter(isLoss).map(({ at }) => at),
      ...gaps.flatMap(({ data }) => [Date.parse(String(data['since'])), Date.parse(String(data['until']))]),
    ].sort((one, other) => one - other),
    since: Math.max(since, isWhole ? Number.NEGATIVE_INFINITY : oldest),
  }
}

/** What is before it is lost, and the state of the connection before `from` is known with it. */
function isUnlinkedBefore(entry: Entry, from: number): boolean {
  const change = changeOf(entry)
  return change?.lane === 'connection_state' && change.at < from && isLoss(change)
}

/** Adds the time before each restart in which the gateway recorded nothing. */
async function withOutages(
  journal: Pick<Journal, 'query'>,
  equipmentId: string,
  changes: readonly Change[],
): Promise<{ readonly known: readonly Change[]; readonly since: number }> {
  const all = restartsIn(changes)
  const restarts = all.slice(-MOST_RESTARTS)
  let known = changes
  for (const restart of restarts) {
    const from = lastBefore(known, restart)
    const [sign] = await journal.query({
      key: equipmentId,
      ...(from !== undefined && { from: timeOf(from) }),
      to: timeOf(restart.at),
      order: 'desc',
      limit: 1,
    })
    known = withOutage(known, sign ? Date.parse(sign.at) : restart.at, restart)
  }
  const isCut = all.length > restarts.length
  return { known, since: isCut ? (restarts[0]?.at ?? 0) : Number.NEGATIVE_INFINITY }
}
