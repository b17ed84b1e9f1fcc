/**
 * Time as far as the peer could be heard: it stands still while we do not read. A peer is never blamed for
 * silence that was ours.
 */
export class ReceiveClock {
  #lag = 0
  #stoppedAt: number | undefined

  /** The clock's `now` in this time. */
  at(now: number): number {
    return (this.#stoppedAt ?? now) - this.#lag
  }

  /** When the clock will show a moment of this time; undefined while it stands still. */
  onClock(at: number): number | undefined {
    return this.#stoppedAt === undefined ? at + this.#lag : undefined
  }

  stop(now: number): void {
    this.#stoppedAt ??= now
  }

  resume(now: number): void {
    if (this.#stoppedAt === undefined) return
    this.#lag += now - this.#stoppedAt
    this.#stoppedAt = undefined
  }
}
