import { Problem } from '../../../contract/errors.js'
import { DEFAULT_LIMIT } from '../../../contract/schema.js'
import type { HistoryQuery, RecordedValue, VariableHistory } from '../../../contract/topics/variables.js'
import { listed } from '../../../kit/text/listed.js'
import { namePattern } from '../../../kit/text/name-pattern.js'
import { nextTurn } from '../../../kit/turns.js'
import type { Entry } from '../../../store/entry.js'
import type { Journal } from '../../../store/journal.js'
import type { EquipmentKnowledge } from '../../knowledge/equipment-knowledge.js'
import { NOTHING_KNOWN } from '../../knowledge/known-equipment.js'
import { decodeEntryCursor, encodeCursor } from '../../records/cursor.js'
import { MESSAGE_RECEIVED } from '../../records/journal-kinds.js'
import { cursorExpired } from '../../records/journal-page.js'
import type { Reading } from '../../records/reading.js'
import { timeOf } from '../../records/time-range.js'
import { namedValue } from '../replied-values.js'
import { type CarriedValue, VALUE_TOPICS, valuesIn } from './message-values.js'
import { TraceDefinitions } from './trace-definitions.js'

/** The most identifiers of one name that an error lists. */
const MAX_LISTED = 10
/** Messages that one call examines: some hundred milliseconds of work, in steps. */
const MAX_EXAMINED = 5000
/** Messages that are read at once, and their bytes. */
const STEP = { limit: 100, bytes: 1024 * 1024 }

/** The values of variables in the messages of the journal. */
export class RecordedValues {
  constructor(
    private readonly journal: Journal,
    private readonly readingOf: (equipmentId: string) => Reading,
  ) {}

  /** Throws `name_not_found`, `invalid_message` for an ambiguous name, `invalid_cursor` and `cursor_expired`. */
  async list(equipmentId: string, query: HistoryQuery): Promise<VariableHistory> {
    const { journal } = this
    const reading = this.readingOf(equipmentId)
    const vids = query.id && idsOf(query.id, equipmentId, reading)
    const { limit = DEFAULT_LIMIT, order = 'desc', cursor } = query
    const filters = { list: 'variable_history', equipment_id: equipmentId, ...query }
    const begin = cursor === undefined ? undefined : decodeEntryCursor(cursor, filters, journal.last)
    const from = timeOf(query.from)
    const to = timeOf(query.to)
    const search = {
      kinds: [MESSAGE_RECEIVED],
      topics: VALUE_TOPICS,
      key: equipmentId,
      order,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...STEP,
    }
    const by = { journal, reading, traces: new TraceDefinitions(journal, equipmentId, reading) }
    const items: RecordedValue[] = []
    let unread = 0
    let examined = 0
    const page = (next?: Entry): VariableHistory => ({
      items,
      next_cursor: next ? encodeCursor(filters, String(next.seq)) : null,
      unread,
    })
    let start = begin === undefined ? {} : order === 'asc' ? { after: begin - 1 } : { before: begin + 1 }
    for (;;) {
      const { entries, first } = await journal.read({ ...search, ...start })
      if (begin !== undefined && begin < first) throw cursorExpired()
      for (const entry of entries) {
        const isEnough = items.length >= limit || examined >= MAX_EXAMINED
        if (isEnough) return page(entry)
        const { values, isWhole } = await valuesIn(entry, by)
        const wanted = values.filter(({ vid }) => vids?.has(vid) ?? true)
        if (items.length > 0 && items.length + wanted.length > limit) return page(entry)
        if (!isWhole) unread++
        const shown = wanted.map((value) => recordedValue(value, entry, reading))
        items.push(...(order === 'asc' ? shown : shown.reverse()))
        examined++
      }
      const last = entries.at(-1)
      if (!last) return page()
      start = order === 'asc' ? { after: last.seq } : { before: last.seq }
      await nextTurn()
    }
  }
}

function recordedValue(
  { vid, item, source, ceid, sampledAt = null }: CarriedValue,
  { at, seq }: Entry,
  reading: Reading,
): RecordedValue {
  const known = reading.knowledge ?? NOTHING_KNOWN
  const { name = null, unit = null } = known.named(vid) ?? {}
  return {
    at,
    sampled_at: sampledAt,
    ...namedValue({ id: vid, name, unit }, item, reading),
    source,
    event: ceid === undefined ? null : known.events.get(ceid)?.name || ceid,
    message_id: String(seq),
  }
}

/** The identifiers for identifiers or names of variables and constants: a report may have both. */
function idsOf(given: readonly string[], equipmentId: string, reading: Reading): ReadonlySet<string> {
  const known = reading.knowledge ?? NOTHING_KNOWN
  const ids = given.flatMap((one, at) => {
    if (/^[0-9]+$/.test(one) || known.named(one)) return [one]
    const named = known.idsOf('variables', one)
    const all = named.length > 0 ? named : known.idsOf('constants', one)
    const [id, another] = all
    if (id !== undefined && another === undefined) return [id]
    const matching = id === undefined && /[*?]/.test(one) ? idsMatching(one, known) : []
    if (matching.length > 0) return matching
    const isUnknown = id === undefined
    const name = reading.name ?? equipmentId
    const detail = isUnknown
      ? `the gateway knows no variable named ${one} of ${name}`
      : `${name} has several variables of the name ${one}: ${listed(all, MAX_LISTED)}`
    throw new Problem(isUnknown ? 'name_not_found' : 'invalid_message', `${detail}.`, {
      errors: [{ pointer: `id/${at}`, detail }],
      next: [{ operation: 'listVariables', parameters: { id: equipmentId } }],
    })
  })
  return new Set(ids)
}

/** The identifiers whose names a pattern with `*` and `?` matches. */
function idsMatching(text: string, { variables, constants }: EquipmentKnowledge): string[] {
  const pattern = namePattern(text)
  return [...variables, ...constants].flatMap(([id, { name }]) => (pattern.test(name) ? [id] : []))
}
