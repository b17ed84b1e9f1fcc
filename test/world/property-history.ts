/** From which event on a record has had a property, as far as a caller can know. */
interface Change {
  /** The last event before the call that changed it, and the last one before its response. */
  readonly after: number
  readonly until: number
  /** Undefined where nobody knows. */
  readonly holds: boolean | undefined
}

/** Whether records had a property when an event happened: a call that changes it takes effect between its request and its response. */
export class PropertyHistory {
  readonly #changes = new Map<string, Change[]>()

  #isKnown = true

  /** What every record is at first: with the property, without it, or not known. */
  constructor(readonly initially: boolean | undefined) {}

  add(record: string, change: Change): void {
    const changes = this.#changes.get(record) ?? []
    changes.push(change)
    this.#changes.set(record, changes)
  }

  /** A call that changes it has begun. The function that is returned ends it: until then it is not known what holds. */
  begin(record: string, after: number): (until: number, holds: boolean | undefined) => void {
    const change = { after, until: Number.POSITIVE_INFINITY, holds: undefined as boolean | undefined }
    this.add(record, change)
    return (until, holds) => void Object.assign(change, { until, holds })
  }

  /** What all records have is not known until it is changed. */
  forget(): void {
    this.#changes.clear()
    this.#isKnown = false
  }

  /** Undefined where it cannot be known. */
  heldAt(record: string, event: number): boolean | undefined {
    let holds = this.#isKnown ? this.initially : undefined
    for (const change of this.#changes.get(record) ?? []) {
      if (event <= change.after) return holds
      if (event <= change.until) return undefined
      holds = change.holds
    }
    return holds
  }

  /** Whether it had the property at some moment of a span, as far as can be known. */
  mayHold(record: string, from: number, to: number): boolean {
    return this.heldAt(record, from) !== false || this.#changed(record, from, to)
  }

  /** Whether it certainly had the property during all of a span. */
  mustHold(record: string, from: number, to: number): boolean {
    return this.heldAt(record, from) === true && !this.#changed(record, from, to)
  }

  #changed(record: string, from: number, to: number): boolean {
    return (this.#changes.get(record) ?? []).some(({ after, until }) => until >= from && after <= to)
  }
}
