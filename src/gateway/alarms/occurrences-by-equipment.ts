interface OfEquipment {
  readonly id: number
  readonly equipmentId: string
}

/** Occurrences of alarms by equipment, in the order in which they were added. */
export class OccurrencesByEquipment<Occurrence extends OfEquipment> {
  readonly #all = new Map<string, Map<number, Occurrence>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  has({ equipmentId, id }: OfEquipment): boolean {
    return this.#all.get(equipmentId)?.has(id) ?? false
  }

  countOf(equipmentId: string): number {
    return this.#all.get(equipmentId)?.size ?? 0
  }

  add(occurrence: Occurrence): void {
    const { equipmentId, id } = occurrence
    const own = this.#all.get(equipmentId) ?? new Map<number, Occurrence>()
    this.#all.set(equipmentId, own)
    if (!own.has(id)) this.#size += 1
    own.set(id, occurrence)
  }

  delete({ equipmentId, id }: OfEquipment): boolean {
    const own = this.#all.get(equipmentId)
    if (!own?.delete(id)) return false
    this.#size -= 1
    if (own.size === 0) this.#all.delete(equipmentId)
    return true
  }

  *values(): Generator<Occurrence> {
    for (const own of this.#all.values()) yield* own.values()
  }

  of(equipmentId: string): Iterable<Occurrence> {
    return this.#all.get(equipmentId)?.values() ?? []
  }

  /** The one of this equipment that was added first. */
  firstOf(equipmentId: string): Occurrence | undefined {
    return this.#all.get(equipmentId)?.values().next().value
  }

  /** The one that was added first of the equipment that has most. */
  firstOfMost(): Occurrence | undefined {
    let most: Map<number, Occurrence> | undefined
    for (const own of this.#all.values()) if (own.size > (most?.size ?? 0)) most = own
    return most?.values().next().value
  }
}
