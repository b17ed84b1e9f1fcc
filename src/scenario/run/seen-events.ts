import type { Event } from '../../contract/topics/events.js'
import { type Clock, withTimeout } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'

/** Events that are held: the steps since the last action looked at no more than these. */
const MAX_HELD = 10_000

/** What came from the gateway since the last action of a run. Each event satisfies one expectation. */
export class SeenEvents {
  #held: Event[] = []
  #after = 0
  #more = deferred<void>()
  #end: Error | undefined

  /** The id of the last event that came. */
  last = 0

  take(event: Event): void {
    this.last = Number(event.id)
    if (this.last <= this.#after) return
    this.#held.push(event)
    if (this.#held.length > MAX_HELD) this.#held.shift()
    this.#wake()
  }

  /** The stream ended, and nothing will come any more. */
  end(error: Error): void {
    this.#end = error
    this.#wake()
  }

  #wake(): void {
    this.#more.resolve()
    this.#more = deferred<void>()
  }

  /** Forgets what came up to this id: an action begins. */
  forget(after: number): void {
    this.#after = after
    this.#held = this.#held.filter(({ id }) => Number(id) > after)
  }

  /** The events that no expectation has taken, oldest first. */
  get held(): readonly Event[] {
    return this.#held
  }

  /** The first event that fits, which may come `within` so many milliseconds; undefined when none came. */
  async first(clock: Clock, within: number, fits: (event: Event) => boolean): Promise<Event | undefined> {
    const until = clock.now() + within
    for (;;) {
      const found = this.#held.find(fits)
      if (found) return found
      if (this.#end) throw this.#end
      const left = until - clock.now()
      if (left <= 0) return undefined
      await withTimeout(clock, left, this.#more.promise)
    }
  }

  /** An expectation has taken the event: no other one finds it. */
  remove(taken: Event): void {
    this.#held = this.#held.filter((event) => event !== taken)
  }

  /** Resolves when the event with this id, or a later one, came, or after `within` milliseconds. */
  async reach(clock: Clock, id: number, within: number): Promise<void> {
    const until = clock.now() + within
    while (this.last < id && clock.now() < until && !this.#end)
      await withTimeout(clock, until - clock.now(), this.#more.promise)
  }
}
