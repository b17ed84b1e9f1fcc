import type { Clock } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
import { formatTime, parseTime, type TimeFormat } from '../time.js'

/** The equipment's own clock, which a host may set. */
export class EquipmentTime {
  readonly changed = new Signal<void>()
  /** From this computer's time to the equipment's, in milliseconds. */
  ahead = 0

  /** `format` is called whenever the time is written. */
  constructor(
    private readonly clock: Clock,
    private readonly format: () => TimeFormat,
  ) {}

  /** TIME. */
  text(): string {
    return formatTime(new Date(this.clock.date().getTime() + this.ahead), this.format())
  }

  /** False when `text` is no TIME. */
  set(text: string): boolean {
    const wanted = parseTime(text)
    if (!wanted) return false
    this.ahead = wanted.getTime() - this.clock.date().getTime()
    this.changed.emit()
    return true
  }
}
