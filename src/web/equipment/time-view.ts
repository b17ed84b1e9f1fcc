import { type Signal, useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Live } from '../gateway/live.js'
import { place, setQuery } from '../shell/router.js'
import { addressOf, lastHours, moved, pastAround, type Span, spanIn, within, zoomed } from './time-span.js'

/** The time that states and charts of one equipment show together. The address has it, so that a link shows the same. */
export class TimeView {
  /** The whole time of a view of the past; undefined while the whole time ends now. */
  readonly past: Span | undefined

  constructor(
    readonly live: Live,
    readonly hours: number,
    /** The part that is shown; undefined for the whole time. */
    readonly part: Span | undefined,
    /** When the equipment was added, in milliseconds since 1970. */
    readonly since: number,
    /** The time at the pointer, in milliseconds since 1970; undefined without a pointer. */
    readonly pointer: Signal<number | undefined>,
  ) {
    this.past = part && pastAround(part, hours, this.#now)
  }

  /** Another one is about other data: they are read again. */
  get key(): string {
    return `${this.hours} ${this.past?.from ?? ''} ${this.past?.to ?? ''}`
  }

  get whole(): Span {
    return this.past ?? lastHours(this.hours, this.#now, this.since)
  }

  get shown(): Span {
    return this.part ?? this.whole
  }

  /** The data that are needed: without an end while they go on. */
  get needed(): { readonly from: number; readonly to?: number } {
    const { from, to } = this.whole
    return this.past ? { from, to } : { from: Math.min(from, this.shown.from) }
  }

  readonly zoom = (isIn: boolean): void => this.show(zoomed(this.shown, isIn))
  readonly move = (direction: 1 | -1): void => this.show(moved(this.shown, direction))
  readonly reset = (): void => setQuery({ from: '', to: '' })

  /** Shows a part, as long as the whole time at most. It may begin before the last hours: then the view is of the past. */
  show(span: Span): void {
    const last = lastHours(this.hours, this.#now, this.since)
    const limits = { from: Math.min(this.since, last.from), to: last.to }
    const part = within(span, limits, last.to - last.from)
    if (part.from <= last.from && part.to >= last.to) this.reset()
    else setQuery(addressOf(part))
  }

  get #now(): number {
    return this.live.calls.date().getTime()
  }
}

/** The view that the address says. */
export function useTimeView(live: Live, hours: number, createdAt: string): TimeView {
  const pointer = useSignal<number | undefined>(undefined)
  const { query } = place.value
  return useMemo(
    () => new TimeView(live, hours, spanIn(query), Date.parse(createdAt), pointer),
    [live, hours, createdAt, query.get('from'), query.get('to')],
  )
}
