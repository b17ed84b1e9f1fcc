import { signal } from '@preact/signals'
import { type Message, messageEndpoints } from '../../../contract/topics/messages.js'
import type { GatewayCalls } from '../../gateway/call.js'
import { type MessageFilter, queryOf } from './message-filter.js'

const PAGE = 100
/** Pages that are read until one has a message: a page of a filter may be empty, and others follow. */
const MAX_PAGES = 10
/** Messages that are kept; then no older ones are read. */
const MAX_MESSAGES = 1000

/** Recorded messages of an equipment that a filter leaves, the newest first. */
export class MessageHistory {
  readonly messages = signal<readonly Message[]>([])
  readonly hasOlder = signal(false)
  #cursor: string | undefined

  constructor(
    readonly calls: Pick<GatewayCalls, 'call'>,
    readonly equipmentId: string,
    readonly filter: MessageFilter,
  ) {}

  /** Reads the newest messages at first, and then those before. Throws `Refused`. */
  async readOlder(signal: AbortSignal): Promise<void> {
    for (let page = 0; page < MAX_PAGES; page++) {
      const { items, next_cursor } = await this.#read(this.#cursor, signal)
      this.#cursor = next_cursor ?? undefined
      this.#take(items)
      this.hasOlder.value = next_cursor !== null && this.messages.peek().length < MAX_MESSAGES
      if (items.length > 0 || !this.hasOlder.peek()) return
    }
  }

  /** Reads the newest messages again: new ones have come, and transactions have ended. Throws `Refused`. */
  async readNewer(signal: AbortSignal): Promise<void> {
    const known = new Set(this.messages.peek().map(({ id }) => id))
    const found: Message[] = []
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const { items, next_cursor } = await this.#read(cursor, signal)
      found.push(...items)
      cursor = next_cursor ?? undefined
      if (cursor === undefined || known.size === 0 || items.some(({ id }) => known.has(id)))
        return this.#take(found)
    }
    // What was shown does not continue what has come: it can be searched again.
    this.messages.value = []
    this.#cursor = cursor
    this.#take(found)
    this.hasOlder.value = this.messages.peek().length < MAX_MESSAGES
  }

  async #read(cursor: string | undefined, signal: AbortSignal) {
    const query = {
      equipment_id: this.equipmentId,
      limit: PAGE,
      ...queryOf(this.filter),
      ...(cursor !== undefined && { cursor }),
    }
    return await this.calls.call(messageEndpoints.listMessages, { query }, signal)
  }

  #take(items: readonly Message[]): void {
    const known = new Map(this.messages.peek().map((message) => [message.id, message]))
    for (const message of items) known.set(message.id, message)
    this.messages.value = [...known.values()]
      .sort((one, other) => Number(other.id) - Number(one.id))
      .slice(0, MAX_MESSAGES)
  }
}
