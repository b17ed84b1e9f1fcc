import type { Json } from '../../../kit/text/json.js'
import type { Collection } from '../../../store/collection.js'
import { throwBug } from '../../store-problem.js'

/** The record on disk of how an equipment's GEM 300 is told. There is one for equipment that has GEM 300. */
export interface MappingRecord {
  /** The equipment's id. */
  readonly id: string
  /** As the caller gave it, with names. */
  readonly mapping: Readonly<Record<string, Json>>
  readonly applied_at: string
  /** Email of the user. */
  readonly applied_by: string
}

/** The mappings of all equipment, in memory as they are on disk. */
export class KeptMappings {
  readonly #records = new Map<string, MappingRecord>()

  private constructor(private readonly collection: Collection<MappingRecord>) {
    collection.changed.on((id) => void this.#readAgain(id).catch(throwBug))
  }

  static async open(collection: Collection<MappingRecord>): Promise<KeptMappings> {
    const kept = new KeptMappings(collection)
    for (const record of await collection.all()) kept.#records.set(record.id, record)
    return kept
  }

  has(equipmentId: string): boolean {
    return this.#records.has(equipmentId)
  }

  async delete(equipmentId: string): Promise<void> {
    await this.collection.delete(equipmentId)
    this.#records.delete(equipmentId)
  }

  async #readAgain(id: string): Promise<void> {
    const record = await this.collection.get(id)
    if (record) this.#records.set(id, record)
    else this.#records.delete(id)
  }
}
