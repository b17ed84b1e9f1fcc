import { followEvents } from '../../client/events.js'
import type { Event, EventType } from '../../contract/topics/events.js'
import { type Clock, delay } from '../../kit/clock.js'
import type { EquipmentCommand } from '../equipment/equipment-command.js'

/** Milliseconds until a stream of the gateway is open. */
const OPEN_WITHIN = 3_000
/** From one ring that is heard to the next at least, in milliseconds: many events come at once. */
const LEAST_BETWEEN = 50

/** The events of the gateway that ring. */
export interface DoorbellSound {
  readonly type: EventType[]
  readonly message?: string
}

/**
 * Rings when equipment has told anything. It says that something changed, and not what: that is looked at. So no event is
 * missed that matters, whatever equipment calls its events, and one that is lost costs no more than an interval.
 */
export class Doorbell {
  #rung = new AbortController()
  #heardAt = Number.NEGATIVE_INFINITY
  readonly #over = new AbortController()
  readonly #following: Promise<void>
  readonly #open: Promise<void>

  constructor(
    private readonly on: EquipmentCommand,
    equipmentId: string,
    private readonly clock: Clock,
    /** What rings: reports of the equipment, or the changes of states that the gateway has made of them. */
    private readonly heard: DoorbellSound,
    private readonly take: (event: Event) => void,
  ) {
    let opened: () => void = () => {}
    this.#open = new Promise((resolve) => {
      opened = resolve
    })
    this.#following = this.#follow(equipmentId, opened).finally(opened)
  }

  /** Resolves once nothing is missed any more, or the gateway gives no events. */
  async open(): Promise<void> {
    await Promise.race([this.#open, delay(this.clock, OPEN_WITHIN, this.#over.signal)])
  }

  /** Resolves when it has rung since the last call, after so many milliseconds, or with `signal`. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const end = this.clock.now() + ms
    await delay(this.clock, Math.min(ms, this.#heardAt + LEAST_BETWEEN - this.clock.now()), signal)
    await delay(this.clock, end - this.clock.now(), AbortSignal.any([this.#rung.signal, signal]))
    this.#rung = new AbortController()
    this.#heardAt = this.clock.now()
  }

  async close(): Promise<void> {
    this.#over.abort()
    await this.#following
  }

  async #follow(equipmentId: string, opened: () => void): Promise<void> {
    const query = { equipment_id: [equipmentId], ...this.heard }
    try {
      const { options } = await this.on.client()
      const following = {
        ...options,
        clock: this.clock,
        ...this.on.persistence('The states are asked for in intervals. '),
        onOpen: opened,
      }
      for await (const event of followEvents(following, query, this.#over.signal)) {
        this.take(event)
        this.#rung.abort()
      }
    } catch {
      // Without events the equipment is asked in intervals, and a fault of the gateway is met there.
    }
  }
}
