import type { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { Event } from '../../contract/topics/events.js'
import { type Clock, delay } from '../../kit/clock.js'
import { eventSummary } from '../events/event-output.js'
import type { Progress } from '../output/progress.js'

const LOOK_INTERVAL_MS = 250

/** Prints each connection and state change of one equipment during a wait. None is missed. */
export class EquipmentChanges {
  readonly #stopped = new AbortController()
  #lastShown = 0
  #running: Promise<void> | undefined

  constructor(
    readonly client: GatewayClient,
    readonly equipment: Pick<Equipment, 'id' | 'name'>,
    readonly progress: Progress,
    readonly clock: Clock,
  ) {}

  async start(): Promise<void> {
    this.#lastShown = Number((await this.#newest(1))[0]?.id ?? 0)
    this.#running = this.#follow()
  }

  /** Prints the changes until now, then stops. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running?.catch(() => {}) // the answer of the call itself reports the fault
  }

  async #follow(): Promise<void> {
    for (;;) {
      await delay(this.clock, LOOK_INTERVAL_MS, this.#stopped.signal)
      const last = this.#stopped.signal.aborted
      const events = (await this.#newest(100)).filter(({ id }) => Number(id) > this.#lastShown)
      for (const event of events.reverse()) {
        this.#lastShown = Number(event.id)
        this.progress.line(`${this.equipment.name}: ${event.name}  ${eventSummary(event)}`.trimEnd())
      }
      if (last) return
    }
  }

  async #newest(limit: number): Promise<Event[]> {
    const query = { equipment_id: this.equipment.id, type: ['connection' as const, 'state' as const], limit }
    return (await this.client.call(endpoints.listEvents, { query })).items
  }
}
