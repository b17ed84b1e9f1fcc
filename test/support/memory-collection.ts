import { Mutex } from '../../src/kit/mutex.js'
import { Signal } from '../../src/kit/signal.js'
import type { Collection } from '../../src/store/collection.js'
import { SoleOwnership } from '../../src/store/sole-ownership.js'

/** A collection that lasts as long as the test. */
export class MemoryCollection<T extends { readonly id: string }> implements Collection<T> {
  readonly changed = new Signal<string>()
  readonly #exclusive = new Mutex()
  readonly #records = new Map<string, T>()
  /** Set to make every write fail with it. */
  failure: Error | undefined

  async all(): Promise<readonly T[]> {
    return [...this.#records.values()]
  }

  async get(id: string): Promise<T | undefined> {
    return this.#records.get(id)
  }

  async put(record: T): Promise<void> {
    if (this.failure) throw this.failure
    this.#records.set(record.id, record)
  }

  async putAll(records: readonly T[]): Promise<void> {
    if (this.failure) throw this.failure
    for (const record of records) this.#records.set(record.id, record)
  }

  async delete(...ids: readonly string[]): Promise<boolean> {
    if (this.failure) throw this.failure
    return ids.filter((id) => this.#records.delete(id)).length > 0
  }

  exclusively<R>(work: () => Promise<R>): Promise<R> {
    return this.#exclusive.run(work)
  }
}

/** A process that owns all of these. */
export const owningAll = (equipment: Collection<{ readonly id: string }>): SoleOwnership =>
  new SoleOwnership(async () => (await equipment.all()).map(({ id }) => id))
