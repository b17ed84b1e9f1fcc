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
export const USUAL_TYPES: readonly EventType[] = ['connection', 'state', 'alarm']

export const isEventType = (text: string): text is EventType => EVENT_TYPES.some((known) => known === text)

/**
 * Events, the newest first: a page of the past, and each event that comes after. What arrives while the page is read is
 * kept aside and added, so that nothing is missing and nothing is there twice.
 */
export class EventList {
  readonly events = signal<readonly Event[]>([])
  readonly hasOlder = signal(false)
  readonly isLoading = signal(true)
  #events: Event[] = []
  #arrived: Event[] | undefined = []
  #cursor: string | null = null
  #changed = false

  constructor(
    readonly filter: EventFilter,
    readonly site: Pick<Site, 'get'>,
  ) {}

  /** Reads the newest events. Throws `Refused`. */
  async load(calls: GatewayCalls, signal: AbortSignal): Promise<void> {
    this.isLoading.value = true
    this.#arrived ??= []
    const page = await this.#read(calls, undefined, signal)
    const newest = Number(page.items[0]?.id ?? 0)
    const later = this.#arrived.filter(({ id }) => Number(id) > newest).reverse()
    this.#events = [...later, ...page.items]
    this.#arrived = undefined
    this.isLoading.value = false
    this.#changed = true
    this.flush()
  }

  /** Reads the events before the oldest in the list, and stops dropping those that it reads. */
  async loadOlder(calls: GatewayCalls, signal: AbortSignal): Promise<void> {
    if (this.#cursor === null) return
    const page = await this.#read(calls, this.#cursor, signal)
    const oldest = Number(this.#events.at(-1)?.id ?? Number.POSITIVE_INFINITY)
    this.#events.push(...page.items.filter(({ id }) => Number(id) < oldest))
    this.#changed = true
    this.flush()
  }

  /** Takes an event of the stream. */
  take(event: Event): void {
    if (this.filter.to !== undefined || !this.matches(event)) return
    if (this.#arrived) {
      this.#arrived.push(event)
      return
    }
    this.#events.unshift(event)
    if (this.#events.length > MAX_EVENTS) {
      this.#events.length = MAX_EVENTS
      // What was dropped cannot be read by the cursor, which continues after it.
      this.#cursor = null
      this.hasOlder.value = false
    }
    this.#changed = true
  }

  matches({ type, equipment_id }: Event): boolean {
    const { types, equipmentId, selector } = this.filter
    if (!types.includes(type)) return false
    if (equipmentId !== undefined && equipment_id !== equipmentId) return false
    const tool = selector && this.site.get(equipment_id)
    return !selector || (tool !== undefined && matchesSelector(selector, tool.record.labels))
  }

  /** Renders what has come. */
  flush(): void {
    if (!this.#changed) return
    this.#changed = false
    this.events.value = [...this.#events]
  }

  async #read(calls: GatewayCalls, cursor: string | undefined, signal: AbortSignal) {
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
