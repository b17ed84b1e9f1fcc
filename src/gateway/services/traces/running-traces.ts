import type { Clock } from '../../../kit/clock.js'
import type { JsonObject } from '../../../kit/text/json.js'
import type { Entry } from '../../../store/entry.js'
import type { View } from '../../../store/view.js'
import { BoundedMap, MemoryBudget } from '../../bounded-map.js'
import { MESSAGE_RECEIVED, MESSAGE_SENT } from '../../records/journal-kinds.js'
import type { Reading } from '../../records/reading.js'
import { messageOf } from '../../records/recorded-message.js'
import { type AskedTrace, askedTrace, isAccepted, sampleIn } from './trace-messages.js'

/** A trace that the equipment has accepted. */
export interface RunningTrace extends AskedTrace {
  /** ISO 8601. */
  readonly started_at: string
  /** The number of the last sample that came. */
  readonly received: number
}

type Kept = Omit<RunningTrace, 'received'>

/** Most traces of one equipment; above it the oldest are removed. */
const MAX_TRACES = 1000
/** Most bytes for the traces of one equipment. */
const MAX_BYTES = 4 * 1024 * 1024
/** A trace counts as over this many milliseconds after its expected end. */
const REPLY_TIMEOUT_MS = 60_000

/** The traces of one equipment. */
class Traced {
  readonly #allowance = new MemoryBudget(MAX_BYTES)
  /** By TRID. */
  readonly traces = new BoundedMap<Kept>(MAX_TRACES, this.#allowance)
  /** S2F23 without a reply, by sequence number. */
  readonly asked = new BoundedMap<AskedTrace>(MAX_TRACES, this.#allowance)
  /** By TRID. */
  readonly received = new Map<string, number>()

  /** Takes the place of one with the same TRID. */
  start(trace: AskedTrace, started_at: string, received = 0): void {
    this.end(trace.trid)
    if (trace.samples === 0) return
    if (put(this.traces, trace.trid, { ...trace, started_at })) this.received.set(trace.trid, received)
    for (const trid of [...this.received.keys()]) {
      if (!this.traces.entries.has(trid)) this.received.delete(trid)
    }
  }

  /** Also drops earlier requests for the same TRID: they get no reply any more. */
  accept(primary: string, trace: AskedTrace, at: string): void {
    for (const [seq, { trid }] of [...this.asked]) {
      if (trid === trace.trid && Number(seq) <= Number(primary)) this.asked.delete(seq)
    }
    this.start(trace, at)
  }

  end(trid: string): void {
    this.traces.delete(trid)
    this.received.delete(trid)
  }
}

/** Removes the oldest to make room; false where the value does not fit even then. */
function put<Value>(map: BoundedMap<Value>, key: string, value: Value): boolean {
  while (!map.set(key, value)) {
    const [oldest] = map.entries.keys()
    if (oldest === undefined) return false
    map.delete(oldest)
  }
  return true
}

/** The traces that equipment was asked for (S2F23) and whose last sample (S6F1) has not come: a view of the journal. */
export class RunningTraces implements View {
  readonly name = 'running-traces'
  readonly version = 1
  readonly kinds = [MESSAGE_SENT, MESSAGE_RECEIVED]
  readonly topics: ReadonlySet<string> = new Set(['S2F23', 'S2F24', 'S6F1'])
  readonly #equipment = new Map<string, Traced>()
  /** Equipment and TRID of traces that are being started here, and whose S2F23 has no reply yet. */
  readonly #starting = new Set<string>()

  constructor(
    private readonly clock: Clock,
    private readonly readingOf: (equipmentId: string) => Reading,
  ) {}

  /** In the order in which they were started. Leaves out traces that should have ended long ago. */
  of(equipmentId: string): readonly RunningTrace[] {
    const traced = this.#equipment.get(equipmentId)
    const traces = [...(traced?.traces.entries.values() ?? [])].filter((trace) => !this.#isLongOver(trace))
    return traces.map((trace) => ({ ...trace, received: traced?.received.get(trace.trid) ?? 0 }))
  }

  /** Reserves a TRID, by default the lowest free number, until `endStart` is called. */
  begin(
    equipmentId: string,
    given?: string | number,
  ): { readonly trid: string; readonly endStart: () => void } {
    const taken = new Set(this.of(equipmentId).map(({ trid }) => trid))
    let free = 1
    while (taken.has(String(free)) || this.#starting.has(`${equipmentId} ${free}`)) free += 1
    const trid = String(given ?? free)
    const start = `${equipmentId} ${trid}`
    this.#starting.add(start)
    return { trid, endStart: () => this.#starting.delete(start) }
  }

  /** Removes the traces of deleted equipment. */
  forget(isGone: (equipmentId: string) => boolean): void {
    for (const id of [...this.#equipment.keys()]) if (isGone(id)) this.#equipment.delete(id)
  }

  load(line: JsonObject): void {
    const traced = this.#tracedOf(String(line['equipment_id']))
    const trace = line['trace'] as unknown as Kept
    if (line['asked'] !== undefined) put(traced.asked, String(line['asked']), trace)
    else traced.start(trace, trace.started_at, Number(line['received']))
  }

  apply(entry: Entry): void {
    switch (entry.topic) {
      case 'S2F23':
        if (entry.name === MESSAGE_SENT.name) this.#asked(entry)
        return
      case 'S2F24':
        if (entry.name === MESSAGE_RECEIVED.name) this.#replied(entry)
        return
      case 'S6F1':
        if (entry.name === MESSAGE_RECEIVED.name) this.#sampled(entry)
    }
  }

  lines(): JsonObject[] {
    return [...this.#equipment].flatMap(([equipment_id, { traces, asked, received }]) => [
      ...[...traces].map(([trid, trace]) => line({ equipment_id, trace, received: received.get(trid) ?? 0 })),
      ...[...asked].map(([seq, trace]) => line({ equipment_id, trace, asked: seq })),
    ])
  }

  /** No entries: the snapshot holds everything. */
  *pinned(): Generator<number> {}

  #asked(entry: Entry): void {
    const trace = askedTrace(messageOf(entry), this.readingOf(entry.key))
    if (trace) put(this.#tracedOf(entry.key).asked, String(entry.seq), trace)
  }

  #replied(entry: Entry): void {
    const traced = this.#equipment.get(entry.key)
    const reply = messageOf(entry)
    const primary = String(reply.replyTo)
    const trace = traced?.asked.entries.get(primary)
    if (!traced || !trace) return
    if (isAccepted(reply, this.readingOf(entry.key))) traced.accept(primary, trace, entry.at)
    else traced.asked.delete(primary)
  }

  #sampled(entry: Entry): void {
    const traced = this.#equipment.get(entry.key)
    if (!traced || traced.traces.entries.size + traced.asked.entries.size === 0) return
    const sample = sampleIn(messageOf(entry), this.readingOf(entry.key))
    if (!sample) return
    this.#startWithoutReply(traced, sample.trid, entry.at)
    const trace = traced.traces.entries.get(sample.trid)
    if (!trace) return
    if (sample.number >= trace.samples) traced.end(sample.trid)
    else traced.received.set(sample.trid, sample.number)
  }

  /** A sample shows that a trace was accepted although its reply was lost. */
  #startWithoutReply(traced: Traced, trid: string, at: string): void {
    if (traced.traces.entries.has(trid)) return
    const [seq, trace] = [...traced.asked].findLast(([, asked]) => asked.trid === trid) ?? []
    if (seq === undefined || trace === undefined) return
    traced.accept(seq, trace, at)
  }

  #tracedOf(equipmentId: string): Traced {
    const traced = this.#equipment.get(equipmentId) ?? new Traced()
    this.#equipment.set(equipmentId, traced)
    return traced
  }

  #isLongOver({ started_at, samples, period_seconds }: Kept): boolean {
    const duration = samples * period_seconds * 1000
    return this.clock.date().getTime() > Date.parse(started_at) + 2 * duration + REPLY_TIMEOUT_MS
  }
}

const line = (data: object): JsonObject => data as JsonObject
