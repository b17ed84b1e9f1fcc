import type { Collection } from '../../src/store/collection.js'
import type { FolderContent } from '../../src/store/files/data-folder.js'
import type { CollectionForm, Migration, Store } from '../../src/store/store.js'
import { Violation } from './observer.js'
import * as now from './product.js'
import type { World } from './world.js'

export type Product = typeof now

type Identified = { readonly id: string }

/** A record as one version of the product writes it. What has no number is of the first one, which is 0. */
type Versioned = Identified & { readonly written_by_version?: number }

/**
 * The versions of the product that machines run, from 0 on. Each has records of a form of its own, which no earlier one
 * knows. `first`: the code of version 0; the others have that of now.
 */
export class Versions {
  constructor(readonly first: Product = now) {}

  /** The codes, each once. */
  get products(): readonly Product[] {
    return [...new Set([this.first, now])]
  }

  productOf(version: number): Product {
    return version === 0 ? this.first : now
  }

  isDamage(error: unknown): error is InstanceType<Product['StoreDamaged']> {
    return this.products.some(({ StoreDamaged }) => error instanceof StoreDamaged)
  }

  isAbsence(error: unknown): boolean {
    return this.products.some(({ StoreUnavailable }) => error instanceof StoreUnavailable)
  }

  /** What this version stores. */
  contentOf(version: number): FolderContent {
    const { folderContent, STANDARD_CATALOGUE } = this.productOf(version)
    const content = folderContent({ catalogue: STANDARD_CATALOGUE })
    const steps = Array.from({ length: version }, (_, at) => step(at + 1))
    const migrations = Object.keys(content.checks).map((name) => [
      name,
      [...(content.migrations?.[name] ?? []), ...steps],
    ])
    return { ...content, migrations: Object.fromEntries(migrations) }
  }
}

const step =
  (version: number): Migration =>
  (records) =>
    (records as readonly Versioned[]).map((record) => {
      const { written_by_version: before = 0 } = record
      return { ...record, written_by_version: Math.max(before, version) }
    })

/** A store as the code of a version sees it: it writes records of its form, and cannot read those of earlier ones. */
export const storeOf = (store: Store, version: number, world: World): Store => ({
  ...store,
  collection: async <T extends Identified>(name: string, form?: CollectionForm) =>
    versioned(await store.collection<T>(name, form), name, version, world),
})

function versioned<T extends Identified>(
  collection: Collection<T>,
  name: string,
  version: number,
  world: World,
): Collection<T> {
  const readable = (record: T): T => {
    const { id, written_by_version: by = 0 } = record as Versioned
    if (by < version) {
      const detail = `${id} of ${name} is of version ${by}, in a process of version ${version}`
      world.fail(new Violation('A newer version reads the records of every earlier one.', detail))
    }
    return record
  }
  const written = (record: T): T => ({ ...record, written_by_version: version })
  return {
    changed: collection.changed,
    all: async () => (await collection.all()).map(readable),
    get: async (id) => {
      const record = await collection.get(id)
      return record && readable(record)
    },
    put: (record) => collection.put(written(record)),
    putAll: (records, elsewhere) => collection.putAll(records.map(written), elsewhere),
    delete: (...ids) => collection.delete(...ids),
    exclusively: (work) => collection.exclusively(work),
  }
}
