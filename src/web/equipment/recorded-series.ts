import { signal } from '@preact/signals'
import { type RecordedValue, variableEndpoints } from '../../contract/topics/variables.js'
import type { GatewayCalls } from '../gateway/call.js'

/** Values over time of one variable, oldest first. */
export interface Series {
  readonly name: string
  readonly unit: string
  /** Seconds since 1970. */
  readonly times: number[]
  readonly values: number[]
}

/** Values of a variable that are drawn; of more the oldest are left out. */
const MAX_POINTS = 20_000

/** The number that a recorded value is; undefined for text and lists. */
export function numberOf({ value, text }: Pick<RecordedValue, 'value' | 'text'>): number | undefined {
  const [[format, held] = []] = Object.entries(value ?? {})
  if (format === undefined || !/^(U|I|F)\d$/.test(format)) return undefined
  if (Array.isArray(held) && held.length !== 1) return undefined
  const number = Number(Array.isArray(held) ? held[0] : text)
  return Number.isFinite(number) ? number : undefined
}

/** Numbers by name of the variable. `recorded`: newest first, as the history has them. */
export function seriesOf(recorded: readonly RecordedValue[]): ReadonlyMap<string, Series> {
  const series = new Map<string, Series>()
  for (const one of recorded) {
    const number = numberOf(one)
    if (number === undefined) continue
    const name = one.name || (one.id ?? '')
    const known: Series = series.get(name) ?? { name, unit: one.unit ?? '', times: [], values: [] }
    series.set(name, known)
    if (known.times.length >= MAX_POINTS) continue
    // The clock of the equipment may be wrong: the gateway's own time orders all of them.
    known.times.push(Date.parse(one.at) / 1000)
    known.values.push(number)
  }
  for (const { times, values } of series.values()) {
    times.reverse()
    values.reverse()
  }
  return series
}

/** Least, greatest and last value, in words of the unit. */
export function summaryOf({ values }: Series): {
  readonly least: number
  readonly greatest: number
  readonly last: number
} {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    least = Math.min(least, value)
    greatest = Math.max(greatest, value)
  }
  return { least, greatest, last: values.at(-1) ?? Number.NaN }
}

/** The place of the last time at or before `at`, both in seconds; undefined where there is none. */
export function heldAt(times: ArrayLike<number>, at: number): number | undefined {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low === 0 ? undefined : low - 1
}

const PAGE = 1000
/** Pages of one variable that are read at once. */
const MAX_PAGES = 20

/** A variable that charts can show. */
export interface Variable {
  /** VID, SVID, or the name where the id is not known. */
  readonly id: string
  readonly name: string
}

/** The numbers of one variable over the last hours: read once, and then what is new. */
export class RecordedVariable {
  readonly series = signal<Series | undefined>(undefined)
  /** There are older values in this time than were read. */
  readonly isCut = signal(false)
  readonly isLoaded = signal(false)
  #newest = 0
  /** Time of the newest value, number or not, in milliseconds since 1970. */
  #readTo = 0

  constructor(
    readonly equipmentId: string,
    readonly variable: Variable,
  ) {}

  /**
   * Reads the values since `from`, in milliseconds since 1970; after the first time those that are new. With `to` those
   * before it. Throws `Refused`.
   */
  async read(
    calls: GatewayCalls,
    { from, to }: { readonly from: number; readonly to?: number },
    signal: AbortSignal,
  ): Promise<void> {
    const known = this.isLoaded.peek() ? this.series.peek() : undefined
    const since = Math.max(from, this.isLoaded.peek() ? this.#readTo : 0)
    const until = to !== undefined && { to: new Date(to).toISOString() }
    const found: RecordedValue[] = []
    let cursor: string | null | undefined
    for (let pages = 0; pages < MAX_PAGES && cursor !== null; pages++) {
      const query = { id: [this.variable.id], from: new Date(since).toISOString(), limit: PAGE, ...until }
      const given = { params: { id: this.equipmentId }, query: { ...query, ...(cursor && { cursor }) } }
      const page = await calls.call(variableEndpoints.listVariableHistory, given, signal)
      found.push(...page.items)
      cursor = page.next_cursor
    }
    // The values of one message are together, and ids of messages rise.
    const fresh = found.filter(({ message_id }) => Number(message_id) > this.#newest)
    this.#newest = Math.max(this.#newest, Number(found[0]?.message_id ?? 0))
    this.#readTo = Math.max(this.#readTo, Date.parse(found[0]?.at ?? '') || 0)
    if (!known || cursor !== null) this.isCut.value = cursor !== null
    this.isLoaded.value = true
    const [added] = seriesOf(fresh).values()
    const first = known?.times.findIndex((time) => time * 1000 >= from) ?? -1
    if (!added && (!known || first === 0)) return
    // After a long interruption there is a gap: what is older is left out, and said to be.
    const kept = known && cursor === null && first >= 0 ? first : undefined
    this.series.value = {
      name: this.variable.name,
      unit: added?.unit || (known?.unit ?? ''),
      times: joined(kept === undefined ? [] : known?.times.slice(kept), added?.times),
      values: joined(kept === undefined ? [] : known?.values.slice(kept), added?.values),
    }
  }
}

const joined = (older: readonly number[] = [], newer: readonly number[] = []): number[] =>
  [...older, ...newer].slice(-MAX_POINTS)
