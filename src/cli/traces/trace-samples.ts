import type { Event } from '../../contract/topics/events.js'
import type { Message, TypedItem } from '../../contract/topics/messages.js'
import type { Trace } from '../../contract/topics/traces.js'
import type { NamedValue } from '../../contract/values.js'
import { timeBefore } from '../../gem/time.js'

/** One sample of a trace. */
export interface Sample {
  /** From 1. */
  readonly number: number
  /**
   * When it was taken, by the equipment's clock: ISO 8601, with an offset where STIME has one. Null where STIME
   * is no TIME.
   */
  readonly sampledAt: string | null
  /** When its message was received, UTC. */
  readonly receivedAt: string
  /** In the order of the trace's variables; of one that did not come the value is null and the text empty. */
  readonly values: readonly NamedValue[]
}

/** The samples in an S6F1 of this trace, oldest first; none in any other event. */
export function samplesIn(event: Event, { trid, variables, samples, period_seconds }: Trace): Sample[] {
  const { stream, function: fn, direction, data, body } = event.data as Partial<Message>
  if (event.name !== 'message_received' || direction !== 'received' || stream !== 6 || fn !== 1) return []
  const { TRID, SMPLN, STIME, SV } = data ?? {}
  if (String(TRID) !== trid || !Array.isArray(SV) || variables.length === 0) return []
  const items = itemsIn(itemsIn(body)[3])
  // SMPLN and STIME are of the last sample in the message (REPGSZ), the others a period apart before it.
  const count = Math.max(1, Math.ceil(SV.length / variables.length))
  const last = Number(SMPLN)
  return Array.from({ length: count }, (_, at) => ({
    number: last - count + 1 + at,
    sampledAt: timeBefore(String(STIME), (count - 1 - at) * period_seconds),
    receivedAt: event.at,
    values: variables.map((variable, place) => {
      const nth = at * variables.length + place
      return { ...variable, value: items[nth] ?? null, text: inWords(SV[nth]) }
    }),
  })).filter(({ number }) => number >= 1 && number <= samples)
}

/** What is missing between sample `last` and this one, such as `samples 3 to 13`; nothing where it is the next. */
export function gapBefore({ number }: Sample, last: number): string[] {
  if (number <= last + 1) return []
  return [number === last + 2 ? `sample ${last + 1}` : `samples ${last + 1} to ${number - 1}`]
}

/** Of a list as typed JSON. */
function itemsIn(list: TypedItem | null | undefined): readonly TypedItem[] {
  const items = list?.['L']
  return Array.isArray(items) ? (items as TypedItem[]) : []
}

const inWords = (value: unknown): string =>
  value === undefined ? '' : Array.isArray(value) ? `[${value.map(inWords).join(', ')}]` : String(value)
