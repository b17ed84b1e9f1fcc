import { Problem } from '../../../contract/errors.js'
import { type Clock, delay } from '../../../kit/clock.js'
import type { Pace } from '../../../kit/pace.js'
import type { Asking } from '../asking.js'
import { NotNeeded } from './paced-asking.js'

/** Milliseconds before each question to one equipment. */
const QUESTION_INTERVAL_MS = 1000

export interface SlowAskingWorld {
  readonly asking: Pick<Asking, 'ask' | 'isCalm'>
  readonly clock: Clock
  /** Of all equipment together. */
  readonly pace: Pace
  /** Aborts when the answers are not needed any more. */
  readonly signal: AbortSignal
}

/**
 * Asks what can wait: one question a second, while nothing else is asked and the equipment is online. Throws `NotNeeded`
 * where the reply is not needed any more, or the equipment does not communicate.
 */
export class SlowAsking implements Pick<Asking, 'ask'> {
  #isUrgent = false

  constructor(private readonly world: SlowAskingWorld) {}

  /** From now on the questions have the pace of all equipment alone: something has to be mended. */
  hurry(): void {
    this.#isUrgent = true
  }

  readonly ask: Asking['ask'] = async (equipmentId, message, data, options) => {
    const { asking, pace } = this.world
    for (;;) {
      await this.untilCalm(equipmentId)
      await pace.turn()
      this.#isCalm(equipmentId)
      try {
        return await asking.ask(equipmentId, message, data, options)
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'equipment_busy') throw error
        await this.#pause()
      }
    }
  }

  /** Resolves after the pause between two questions, when the equipment may be asked. */
  async untilCalm(equipmentId: string): Promise<void> {
    if (!this.#isUrgent) await this.#pause()
    while (!this.#isCalm(equipmentId)) await this.#pause()
  }

  #pause(): Promise<void> {
    return delay(this.world.clock, QUESTION_INTERVAL_MS, this.world.signal)
  }

  #isCalm(equipmentId: string): boolean {
    if (this.world.signal.aborted) throw new NotNeeded()
    const isCalm = this.world.asking.isCalm(equipmentId)
    if (isCalm === null) throw new NotNeeded()
    return isCalm
  }
}
