export interface Deadline<Name extends string> {
  readonly name: Name
  readonly at: number
}

/** Named points in time. Starts no timer: the owner asks for the earliest and waits. */
export class Deadlines<Name extends string> {
  readonly #at = new Map<Name, number>()
  /** Undefined: not looked up yet, or nothing is set. */
  #earliest: Deadline<Name> | undefined

  /** Also moves a deadline that is set: there is never more than one of a name. */
  set(name: Name, at: number): void {
    this.#at.set(name, at)
    this.#earliest = undefined
  }

  clear(...names: readonly Name[]): void {
    for (const name of names) if (this.#at.delete(name)) this.#earliest = undefined
  }

  at(name: Name): number | undefined {
    return this.#at.get(name)
  }

  get earliest(): Deadline<Name> | undefined {
    if (!this.#earliest && this.#at.size > 0) this.#earliest = this.#findEarliest()
    return this.#earliest
  }

  #findEarliest(): Deadline<Name> | undefined {
    let earliest: Deadline<Name> | undefined
    for (const [name, at] of this.#at) if (!earliest || at < earliest.at) earliest = { name, at }
    return earliest
  }
}
