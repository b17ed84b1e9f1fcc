import type { Cancel, Clock } from '../kit/clock.js'
import type { Process, ProcessState } from './model.js'

/** Called when the processing state changes. */
export interface ProcessingWorld {
  readonly clock: Clock
  /** A state was entered. */
  entered(state: ProcessState): void
  /** A state has ended by itself, and the next one was entered. */
  ended(state: ProcessState): void
}

/** The processing state machine of a model. */
export class Processing {
  #state: ProcessState | undefined
  /** When the state was entered, in the clock's time; a resumed state counts without its pause. */
  #since = 0
  #cancelEnd: Cancel = () => {}
  /** A paused state, and how long it had lasted, in milliseconds. */
  #held: { readonly state: string; readonly lasted: number } | undefined

  constructor(
    private readonly process: Process,
    private readonly world: ProcessingWorld,
  ) {}

  /** The name of the state; undefined before the first. */
  get state(): string | undefined {
    return this.#state?.name
  }

  /** How long the state has lasted without its pauses, in milliseconds. */
  get lasted(): number {
    return this.world.clock.now() - this.#since
  }

  enter(name: string): void {
    const next = this.process.states.find((state) => state.name === name)
    if (!next) return
    if (next.holds !== undefined && next.holds === this.#state?.name) {
      this.#held = { state: next.holds, lasted: this.lasted }
    }
    const resumed = this.#held?.state === name ? this.#held.lasted : 0
    if (next.holds === undefined) this.#held = undefined
    this.#cancelEnd()
    this.#state = next
    this.#since = this.world.clock.now() - resumed
    this.world.entered(next)
    // A listener may have entered another state.
    if (next.lasts === undefined || this.#state !== next) return
    this.#cancelEnd = this.world.clock.at(this.#since + next.lasts, () => this.#end(next))
  }

  /** Cancels the timer. */
  stop(): void {
    this.#cancelEnd()
  }

  #end(state: ProcessState): void {
    if (state.next !== undefined) this.enter(state.next)
    this.world.ended(state)
  }
}
