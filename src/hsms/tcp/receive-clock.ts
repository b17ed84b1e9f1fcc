/**
 * A clock that stands still while the connection is not read: a timer of the peer must not expire because of
 * a message that has arrived and was not read.
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
