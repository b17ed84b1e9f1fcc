import type { Clock } from '../kit/clock.js'
import { formatTime, parseTime } from './time.js'

/** The equipment's own clock, which a host may set. */
export class EquipmentTime {
  /** From this computer's time to the equipment's, in milliseconds. */
  #ahead = 0

  constructor(private readonly clock: Clock) {}

  /** TIME of 16 characters. */
  text(): string {
    return formatTime(new Date(this.clock.date().getTime() + this.#ahead))
  }

  /** False when `text` is no TIME. */
  set(text: string): boolean {
    const wanted = parseTime(text)
    if (!wanted) return false
    this.#ahead = wanted.getTime() - this.clock.date().getTime()
    return true
  }
}
