import type { ReadValue } from '../../catalogue/structure/structure-data.js'
import type { NamedValues } from '../../catalogue/values/read.js'
import type { CollectionEvent, ReportedValue } from '../../contract/topics/messages.js'
import type { EquipmentKnowledge } from '../knowledge/equipment-knowledge.js'

/** Messages that carry the reports of a collection event: their values in order, or each with its VID. */
const PLAIN: ReadonlySet<string> = new Set(['S6F11', 'S6F16'])
const ANNOTATED: ReadonlySet<string> = new Set(['S6F13', 'S6F18'])

/** An array, or of a long body a list whose values are made when they are written. */
interface Listed<T> {
  readonly length: number
  map<Other>(make: (value: T, place: number) => Other): Listed<Other>
}

/** A message's named data as S6F11 and S6F13 have it. A site's catalogue may have other names. */
interface Reported {
  readonly CEID?: ReadValue
  readonly REPORTS?: Listed<{
    readonly RPTID?: ReadValue
    readonly V?: Listed<ReadValue>
    readonly VALUES?: Listed<{ readonly VID?: ReadValue; readonly V?: ReadValue }>
  }>
}

/**
 * The collection event in the named data of a message that came as entry `seq`, with the names that are known.
 * Nothing is guessed: values of a report whose definition was not known then, or does not fit, have none.
 */
export function collectionEventOf(
  topic: string,
  data: NamedValues | null,
  seq: number,
  known: EquipmentKnowledge,
): CollectionEvent | null {
  if (!data || !(PLAIN.has(topic) || ANNOTATED.has(topic))) return null
  const { CEID, REPORTS } = data as Reported
  if (CEID === undefined || typeof REPORTS !== 'object') return null
  const ceid = String(CEID)
  const named = (vid: string | null, value: ReadValue | undefined): ReportedValue => {
    const { name = null, unit = null } = (vid === null ? undefined : known.named(vid)) ?? {}
    return { vid, name: name || null, unit: unit || null, value }
  }
  const reports = REPORTS.map(({ RPTID, V = [], VALUES }) => {
    const rptid = String(RPTID)
    if (VALUES) return { rptid, values: VALUES.map(({ VID, V: value }) => named(String(VID), value)) }
    const vids = known.variablesOf(rptid, seq)
    if (vids?.length === V.length)
      return { rptid, values: V.map((value, at) => named(vids[at] ?? null, value)) }
    const detail = vids
      ? `report ${rptid} has ${V.length} values, and was defined with ${vids.length}`
      : `report ${rptid} is not known until the host defines it again`
    return { rptid, values: V.map((value) => named(null, value)), detail }
  })
  return { ceid, name: known.events.get(ceid)?.name || null, reports } as CollectionEvent
}
