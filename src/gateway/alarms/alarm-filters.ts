import { severityOf } from '../../contract/alarm-severity.js'
import type { AlarmQuery } from '../../contract/topics/alarms.js'
import type { Entry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import type { Keys } from '../records/journal-page.js'
import { timeOf } from '../records/time-range.js'
import { isActive, type Occurrence } from './alarm-occurrences.js'
import type { AlarmData } from './alarm-view.js'

/** Entries that are read at once to compare ALID and text, which are not in memory. */
const READ_AT_ONCE = 256
/** The most occurrences that are compared so for one page. */
const MAX_COMPARED = 5000

/** Compares what is in memory. `keys`: the equipment; undefined for all. */
export function filterOf(
  query: AlarmQuery,
  keys: Keys | undefined,
  isShelved: (occurrence: Occurrence) => boolean,
): (occurrence: Occurrence) => boolean {
  const from = timeOf(query.from)
  const to = timeOf(query.to)
  const since = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from)
  const until = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to)
  const { active, acknowledged, shelved } = query
  const categories = query.category && new Set(query.category)
  const severities = query.severity && new Set(query.severity)
  const ids = typeof keys === 'string' ? new Set([keys]) : keys
  return (one) =>
    (ids === undefined || ids.has(one.equipmentId)) &&
    (active === undefined || isActive(one) === active) &&
    (acknowledged === undefined || (one.acknowledged !== 0) === acknowledged) &&
    (categories === undefined || categories.has(one.category)) &&
    (severities === undefined || severities.has(severityOf(one.category))) &&
    (shelved === undefined || isShelved(one) === shelved) &&
    one.setAt >= since &&
    one.setAt < until
}

type Matches = (data: AlarmData) => boolean

/** Compares what only the journal has; undefined where the query does not ask for it. */
export function dataFilterOf({ alid, text }: AlarmQuery): Matches | undefined {
  if (alid === undefined && text === undefined) return undefined
  const isWanted = alid?.map(alidFilter)
  const parts = text?.toLowerCase().split('*')
  return (data) =>
    (isWanted === undefined || isWanted.some((matches) => matches(data.alid))) &&
    (parts === undefined || hasInOrder(data.text.toLowerCase(), parts))
}

/** `4000-4010` is a range of numbers, and also the ALID of that text. */
function alidFilter(given: string): (alid: string) => boolean {
  const [, first, last] = /^(\d{1,20})-(\d{1,20})$/.exec(given) ?? []
  if (first === undefined || last === undefined) return (alid) => alid === given
  const least = BigInt(first)
  const most = BigInt(last)
  return (alid) =>
    alid === given || (/^\d{1,20}$/.test(alid) && BigInt(alid) >= least && BigInt(alid) <= most)
}

function hasInOrder(text: string, parts: readonly string[]): boolean {
  let at = 0
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return true
}

interface Matching {
  readonly found: readonly Occurrence[]
  /** The first that was not compared, where there were too many. */
  readonly next: Occurrence | undefined
}

/** Those of `wanted` whose entry matches, in their order: `limit` + 1 or more, unless too many have to be compared. */
export async function matching(
  journal: Journal,
  wanted: readonly Occurrence[],
  matches: Matches,
  limit: number,
): Promise<Matching> {
  const found: Occurrence[] = []
  for (let at = 0; at < wanted.length; at += READ_AT_ONCE) {
    if (found.length > limit || at >= MAX_COMPARED) return { found, next: wanted[at] }
    const group = wanted.slice(at, at + READ_AT_ONCE)
    const entries = await Promise.all(group.map(({ textEntry }) => journal.get(textEntry)))
    found.push(...group.filter((_, place) => isMatch(entries[place], matches)))
  }
  return { found, next: undefined }
}

const isMatch = (set: Entry | undefined, matches: Matches): boolean =>
  set !== undefined && matches(set.data as unknown as AlarmData)
