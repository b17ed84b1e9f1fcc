/** Named points in time. Starts nothing: whoever owns it asks for the earliest and waits. */
export class Deadlines<Name extends string> {
  readonly #at = new Map<Name, number>()

  /** Also moves a deadline that is set: there is never more than one of a name. */
  set(name: Name, at: number): void {
    this.#at.set(name, at)
  }

  clear(...names: readonly Name[]): void {
    for (const name of names) this.#at.delete(name)
  }

  at(name: Name): number | undefined {
    return this.#at.get(name)
  }

  get earliest(): { readonly name: Name; readonly at: number } | undefined {
    let earliest: { name: Name; at: number } | undefined
    for (const [name, at] of this.#at) if (!earliest || at < earliest.at) earliest = { name, at }
    return earliest
  }
}

/**
 * Time as far as the peer could be heard: it stands still while we do not read. A peer is never blamed for
 * silence that was ours.
 */
export class HearingTime {
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
