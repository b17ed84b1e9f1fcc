import { readLeaf } from '../../../catalogue/values/leaf.js'
import type { NamedValues } from '../../../catalogue/values/read.js'
import { textsIn } from '../../../gem/content.js'
import { timeBefore } from '../../../gem/time.js'
import { inTurns } from '../../../kit/turns.js'
import type { Item } from '../../../secs2/item.js'
import type { Entry } from '../../../store/entry.js'
import type { Journal } from '../../../store/journal.js'
import { NOTHING_KNOWN } from '../../knowledge/known-equipment.js'
import type { Reading } from '../../records/reading.js'
import { messageOf, type RecordedMessage } from '../../records/recorded-message.js'
import type { TraceDefinitions } from './trace-definitions.js'

/** A value in a message, and the variable that it is of. */
export interface CarriedValue {
  /** SVID or VID. */
  readonly vid: string
  readonly item: Item
  readonly source: 'report' | 'trace' | 'reading'
  /** Of a report: CEID. */
  readonly ceid?: string
  /** Of a sample: when it was taken, as the equipment says. */
  readonly sampledAt?: string | null
}

/** What the values of an equipment's messages are read by. */
export interface ReadBy {
  readonly journal: Pick<Journal, 'get'>
  readonly reading: Reading
  readonly traces: TraceDefinitions
}

/** Topics of the messages that carry values of variables. */
export const VALUE_TOPICS: ReadonlySet<string> = new Set(['S1F4', 'S6F1', 'S6F11', 'S6F13', 'S6F16', 'S6F18'])

/** Named data whose values are items. */
interface Items {
  readonly CEID?: Item
  readonly REPORTS?: readonly {
    readonly RPTID?: Item
    readonly V?: readonly Item[]
    readonly VALUES?: readonly { readonly VID?: Item; readonly V?: Item }[]
  }[]
  readonly TRID?: Item
  readonly STIME?: Item
  readonly SV?: readonly Item[]
}

export interface CarriedValues {
  /** Oldest first. */
  readonly values: readonly CarriedValue[]
  /** False where the message has further values, whose variables are not known. */
  readonly isWhole: boolean
  /** CEID of a report; absent in other messages, and where it cannot be read. */
  readonly ceid?: string
}

const UNREAD: CarriedValues = { values: [], isWhole: false }

/** The values in a message of the equipment. */
export async function valuesIn(entry: Entry, by: ReadBy): Promise<CarriedValues> {
  const message = messageOf(entry)
  const { item } = await inTurns(message.decodedInSteps())
  const { stream, function: fn } = message
  const view = { sender: 'equipment', ...by.reading } as const
  const data = by.reading.catalogue.readAny(stream, fn, item, view, asItem)
  if (!data) return UNREAD
  switch (message.topic) {
    case 'S1F4':
      return repliedValues(message, data, by)
    case 'S6F1':
      return sampledValues(entry.seq, data, by)
    default:
      return reportedValues(entry.seq, data, by)
  }
}

const asItem = (item: Item): Item => item

const textOf = (item: Item | undefined, { text }: Reading): string =>
  item === undefined ? '' : String(readLeaf(item, { text }))

function reportedValues(
  seq: number,
  { CEID, REPORTS = [] }: Items & NamedValues,
  { reading }: ReadBy,
): CarriedValues {
  const known = reading.knowledge ?? NOTHING_KNOWN
  const ceid = textOf(CEID, reading)
  const values: CarriedValue[] = []
  const carry = (vid: string, item: Item): void => void values.push({ vid, item, source: 'report', ceid })
  let isWhole = true
  for (const { RPTID, V = [], VALUES } of REPORTS) {
    if (VALUES) {
      for (const { VID, V: item } of VALUES) if (item) carry(textOf(VID, reading), item)
      continue
    }
    const vids = known.variablesOf(textOf(RPTID, reading), seq)
    if (vids?.length !== V.length) isWhole &&= V.length === 0
    else for (const [at, item] of V.entries()) carry(vids[at] as string, item)
  }
  return { values, isWhole, ...(ceid !== '' && { ceid }) }
}

async function repliedValues(
  { replyTo }: RecordedMessage,
  { SV = [] }: Items & NamedValues,
  { journal, reading }: ReadBy,
): Promise<CarriedValues> {
  const primary = replyTo === null ? undefined : await journal.get(replyTo)
  const asked = primary && messageOf(primary).content('S1F3', 'host', reading)
  const vids = asked ? textsIn(asked.SVID) : []
  if (vids.length !== SV.length) return UNREAD
  const values = SV.flatMap((item, at): CarriedValue[] =>
    isNothing(item) ? [] : [{ vid: vids[at] as string, item, source: 'reading' }],
  )
  return { values, isWhole: true }
}

async function sampledValues(
  seq: number,
  { TRID, STIME, SV = [] }: Items & NamedValues,
  { reading, traces }: ReadBy,
): Promise<CarriedValues> {
  const trace = await traces.at(textOf(TRID, reading), seq)
  const vids = trace?.variables ?? []
  if (!trace || SV.length % vids.length !== 0) return UNREAD
  // STIME is of the last sample in the message (REPGSZ), the others a period apart before it.
  const last = SV.length / vids.length - 1
  const time = textOf(STIME, reading)
  const values = SV.flatMap((item, at): CarriedValue[] => {
    const sampledAt = timeBefore(time, (last - Math.floor(at / vids.length)) * trace.period_seconds)
    const vid = vids[at % vids.length] as string
    return isNothing(item) ? [] : [{ vid, item, source: 'trace', sampledAt }]
  })
  return { values, isWhole: true }
}

/** E5 sends a list without items for a value that does not exist. */
const isNothing = (item: Item): boolean => item.format === 'L' && item.items.length === 0
