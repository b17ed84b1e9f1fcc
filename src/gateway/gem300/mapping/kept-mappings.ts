import { type CompiledMapping, compileMapping } from '../../../gem300/mapping/compiled-mapping.js'
import type { Mapping } from '../../../gem300/mapping/mapping.js'
import type { Gem300Variants } from '../../../gem300/variants.js'
import type { Collection } from '../../../store/collection.js'
import { throwBug } from '../../store-problem.js'

/** The record on disk of how an equipment's GEM 300 is told. There is one for equipment that has GEM 300. */
export interface MappingRecord {
  /** The equipment's id. */
  readonly id: string
  /** As the caller gave it, with names. */
  readonly mapping: Mapping
  readonly applied_at: string
  /** Email of the user. */
  readonly applied_by: string
}

interface Kept {
  readonly record: MappingRecord
  readonly compiled: CompiledMapping
}

/** The mappings of all equipment, in memory as they are on disk. */
export class KeptMappings {
  readonly #kept = new Map<string, Kept>()

  private constructor(
    private readonly collection: Collection<MappingRecord>,
    /** Takes what differs in the bodies of an equipment; undefined for nothing. */
    private readonly use: (equipmentId: string, variants: Gem300Variants | undefined) => void,
  ) {
    collection.changed.on((id) => void this.#readAgain(id).catch(throwBug))
  }

  static async open(collection: Collection<MappingRecord>, use: KeptMappings['use']): Promise<KeptMappings> {
    const kept = new KeptMappings(collection, use)
    for (const record of await collection.all()) kept.#keep(record)
    return kept
  }

  get(equipmentId: string): Kept | undefined {
    return this.#kept.get(equipmentId)
  }

  async put(record: MappingRecord): Promise<void> {
    await this.collection.put(record)
    await this.#readAgain(record.id)
  }

  async delete(equipmentId: string): Promise<void> {
    await this.collection.delete(equipmentId)
    await this.#readAgain(equipmentId)
  }

  /** What is wrong with a mapping was refused when it was given: one of another version is used as far as it is understood. */
  #keep(record: MappingRecord): void {
    const { mapping: compiled } = compileMapping(record.mapping)
    this.#kept.set(record.id, { record, compiled })
    this.use(record.id, compiled.variants)
  }

  #forget(equipmentId: string): void {
    if (this.#kept.delete(equipmentId)) this.use(equipmentId, undefined)
  }

  /** Another process may have changed it since. */
  async #readAgain(id: string): Promise<void> {
    const record = await this.collection.get(id)
    if (record) this.#keep(record)
    else this.#forget(id)
  }
}
