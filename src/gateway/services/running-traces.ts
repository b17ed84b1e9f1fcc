import type { Trace } from '../../contract/traces.js'
import type { Clock } from '../../kit/clock.js'
import { decodeBody } from '../../secs2/decode.js'
import type { Entry, Journal } from '../../store/journal.js'
import { MESSAGE_RECEIVED } from '../journal-kinds.js'
import { messageOf, topicOf } from '../message-entry.js'
import type { Reading } from '../message-view.js'

/** Traces of one equipment that are kept in mind; the oldest go first. */
const MOST_TRACES = 1000
/** What a trace may take longer than it should, in milliseconds, before it is taken for over. */
const PATIENCE = 60_000

const TRACE_DATA = topicOf(6, 1)

/** The traces that were started here and whose last sample has not come. */
export class RunningTraces {
  readonly #traces = new Map<string, Map<string, Trace>>()

  constructor(
    journal: Journal,
    private readonly clock: Clock,
    private readonly readingOf: (equipmentId: string) => Reading,
  ) {
    journal.appended.on((entry) => {
      if (entry.topic === TRACE_DATA && entry.name === MESSAGE_RECEIVED.name) this.#sampled(entry)
    })
  }

  /** In the order in which they were started. */
  of(equipmentId: string): readonly Trace[] {
    const traces = this.#traces.get(equipmentId)
    for (const trace of traces?.values() ?? []) if (this.#isLongOver(trace)) traces?.delete(trace.trid)
    return [...(traces?.values() ?? [])]
  }

  get(equipmentId: string, trid: string): Trace | undefined {
    return this.of(equipmentId).find((trace) => trace.trid === trid)
  }

  /** The least number that no trace has. */
  freeId(equipmentId: string): string {
    const taken = new Set(this.of(equipmentId).map(({ trid }) => trid))
    let free = 1
    while (taken.has(String(free))) free += 1
    return String(free)
  }

  /** Takes the place of one with the same TRID. */
  add(equipmentId: string, trace: Trace): void {
    const traces = this.#traces.get(equipmentId) ?? new Map<string, Trace>()
    this.#traces.set(equipmentId, traces)
    traces.delete(trace.trid)
    traces.set(trace.trid, trace)
    if (traces.size <= MOST_TRACES) return
    for (const oldest of traces.keys()) {
      traces.delete(oldest)
      return
    }
  }

  remove(equipmentId: string, trid: string): void {
    this.#traces.get(equipmentId)?.delete(trid)
  }

  forget(isGone: (equipmentId: string) => boolean): void {
    for (const id of [...this.#traces.keys()]) if (isGone(id)) this.#traces.delete(id)
  }

  #sampled(entry: Entry): void {
    const traces = this.#traces.get(entry.key)
    if (!traces || traces.size === 0) return
    const sample = sampleIn(entry, this.readingOf(entry.key))
    const trace = sample && traces.get(sample.trid)
    if (!trace) return
    if (sample.number >= trace.samples) traces.delete(trace.trid)
    else traces.set(trace.trid, { ...trace, received: sample.number })
  }

  #isLongOver({ started_at, samples, period_seconds }: Trace): boolean {
    const duration = samples * period_seconds * 1000
    return this.clock.date().getTime() > Date.parse(started_at) + 2 * duration + PATIENCE
  }
}

/** Which trace an S6F1 is of, and the number of its last sample; undefined where that cannot be read. */
function sampleIn(
  entry: Entry,
  reading: Reading,
): { readonly trid: string; readonly number: number } | undefined {
  try {
    const item = decodeBody(Buffer.from(messageOf(entry).body, 'base64'))
    const content = reading.catalogue.read('S6F1', item, { ...reading, sender: 'equipment' })
    return content ? { trid: String(content.TRID), number: Number(content.SMPLN) } : undefined
  } catch {
    return undefined // no SECS-II: recorded as that
  }
}
