import { signal } from '@preact/signals'
import { matchesSelector, type Selector } from '../../contract/selector.js'
import { EVENT_TYPES, type Event, type EventType, eventEndpoints } from '../../contract/topics/events.js'
import type { GatewayCalls } from '../gateway/call.js'
import type { Site } from '../gateway/site.js'

/** Events that are kept; of more the oldest are dropped, and can be read again. */
export const MAX_EVENTS = 1000
const PAGE = 100

/** What the list shows, as its address says it. */
export interface EventFilter {
  readonly types: readonly EventType[]
  readonly equipmentId: string | undefined
  /** A label selector, as text and as it is read. */
  readonly labels: string | undefined
  readonly selector: Selector | undefined
  /** Only events before this time: the list is not live. */
  readonly to?: string | undefined
}

/** Without messages, which come in their hundreds. */
export const USUAL_TYPES: readonly EventType[] = ['connection', 'state', 'alarm', 'gateway']

export const isEventType = (text: string): text is EventType => EVENT_TYPES.some((known) => known === text)

/**
 * Events, the newest first: a page of the past, and each event that comes after. What arrives while the page is read is
 * kept aside and added, so that nothing is missing and nothing is there twice.
 */
export class EventList {
  readonly events = signal<readonly Event[]>([])
  readonly hasOlder = signal(false)
  readonly isLoading = signal(true)
  /** The list stands still, and counts what comes. */
  readonly isHeld = signal(false)
  /** Events that came while the list stood still. */
  readonly fresh = signal(0)
  #events: Event[] = []
  /** Events of the stream that are not in the list yet, oldest first. */
  #arrived: Event[] = []
  /** Of those before them, so many were dropped. */
  #dropped = 0
  #cursor: string | null = null

  constructor(
    readonly filter: EventFilter,
    readonly site: Pick<Site, 'get'>,
  ) {}

  /** Reads the newest events. Throws `Refused`. */
  async load(calls: GatewayCalls, signal: AbortSignal): Promise<void> {
    this.isLoading.value = true
    const page = await this.#read(calls, undefined, signal)
    const newest = Number(page.items[0]?.id ?? 0)
    this.#arrived = this.#arrived.filter(({ id }) => Number(id) > newest)
    this.#events = page.items
    this.isLoading.value = false
    this.events.value = page.items
    this.flush()
  }

  /** Reads the events before the oldest in the list, and stops dropping those that it reads. */
  async loadOlder(calls: GatewayCalls): Promise<void> {
    if (this.#cursor === null) return
    const page = await this.#read(calls, this.#cursor)
    const oldest = Number(this.#events.at(-1)?.id ?? Number.POSITIVE_INFINITY)
    this.#events = [...this.#events, ...page.items.filter(({ id }) => Number(id) < oldest)]
    this.events.value = this.#events
    this.flush()
  }

  /** Takes an event of the stream. */
  take(event: Event): void {
    if (this.filter.to !== undefined || !this.matches(event)) return
    this.#arrived.push(event)
    if (this.#arrived.length < 2 * MAX_EVENTS) return
    this.#arrived = this.#arrived.slice(-MAX_EVENTS)
    this.#dropped += MAX_EVENTS
  }

  /** Stands still, or goes on with what came meanwhile. */
  hold(isHeld: boolean): void {
    this.isHeld.value = isHeld
    this.flush()
  }

  matches({ type, equipment_id }: Event): boolean {
    const { types, equipmentId, selector } = this.filter
    if (!types.includes(type)) return false
    if (equipmentId !== undefined && equipment_id !== equipmentId) return false
    const tool = selector && this.site.get(equipment_id)
    return !selector || (tool !== undefined && matchesSelector(selector, tool.record.labels))
  }

  /** Renders what has come; of a list that stands still, only how much. */
  flush(): void {
    if (this.isLoading.peek()) return
    this.fresh.value = this.isHeld.peek() ? this.#arrived.length + this.#dropped : 0
    if (this.isHeld.peek() || this.#arrived.length === 0) return
    // Where some were dropped, what was in the list does not continue what has come.
    const known = this.#dropped > 0 ? [] : this.#events
    const all = [...this.#arrived.reverse(), ...known]
    if (all.length > MAX_EVENTS || this.#dropped > 0) {
      all.length = Math.min(all.length, MAX_EVENTS)
      // What was dropped cannot be read by the cursor, which continues after it.
      this.#cursor = null
      this.hasOlder.value = false
    }
    this.#arrived = []
    this.#dropped = 0
    this.#events = all
    this.events.value = all
  }

  async #read(calls: GatewayCalls, cursor: string | undefined, signal?: AbortSignal) {
    const { types, equipmentId, labels, to } = this.filter
    const query = {
      type: [...types],
      limit: PAGE,
      ...(equipmentId !== undefined && { equipment_id: equipmentId }),
      ...(labels !== undefined && { label_selector: labels }),
      ...(to !== undefined && { to }),
      ...(cursor !== undefined && { cursor }),
    }
    const page = await calls.call(eventEndpoints.listEvents, { query }, signal)
    this.#cursor = page.next_cursor
    this.hasOlder.value = page.next_cursor !== null
    return page
  }
}
