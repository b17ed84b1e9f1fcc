import { dirname, join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import type { Collection } from './collection.js'
import { BACKUP, removeDrafts, replaceFile } from './durable-file.js'
import { type FailStop, StoreDamaged } from './failure.js'
import type { FileSystem } from './file-system.js'

/** What a collection's file holds. */
interface Document<T> {
  readonly version: number
  readonly records: readonly T[]
}

/** Makes the records of one version from those of the one before. */
export type Migration = (records: readonly unknown[]) => readonly unknown[]

export interface CollectionOptions {
  readonly fs: FileSystem
  readonly failStop: FailStop
  /** The first leads from version 1 to 2, and so on. */
  readonly migrations?: readonly Migration[]
}

/** Opens `name.json` in the folder. Throws `StoreDamaged` for a file that cannot be read, and leaves it as it is. */
export async function openCollection<T extends { readonly id: string }>(
  folder: string,
  name: string,
  { fs, failStop, migrations = [] }: CollectionOptions,
): Promise<Collection<T>> {
  const file = new JsonFile<T>(fs, join(folder, `${name}.json`), migrations)
  const low = new Low<Document<T>>(file, { version: migrations.length + 1, records: [] })
  await low.read()
  return new JsonCollection(low, failStop)
}

/** lowdb's adapter to the disk: every write is durable when it resolves. */
class JsonFile<T> implements Adapter<Document<T>> {
  constructor(
    readonly fs: FileSystem,
    readonly path: string,
    readonly migrations: readonly Migration[],
  ) {}

  async read(): Promise<Document<T> | null> {
    await removeDrafts(this.fs, this.path)
    const bytes = await this.fs.read(this.path)
    if (!bytes) return this.#refuseLost()
    // The process before may have died between giving the file its name and syncing the folder.
    await this.fs.syncFolder(dirname(this.path))
    const { version, records } = this.#parse(bytes.toString('utf8'))
    const migrated = this.migrations.slice(version - 1).reduce((before, migrate) => migrate(before), records)
    return { version: this.migrations.length + 1, records: migrated as readonly T[] }
  }

  async write(document: Document<T>): Promise<void> {
    await replaceFile(this.fs, this.path, Buffer.from(`${JSON.stringify(document, undefined, 2)}\n`))
  }

  /** A crash never takes the file away; starting without it would soon take the generation before, too. */
  async #refuseLost(): Promise<null> {
    const backup = `${this.path}${BACKUP}`
    if ((await this.fs.read(backup)) === undefined) return null
    throw new StoreDamaged(this.path, undefined, `it is gone, and the one before it is in ${backup}`)
  }

  #parse(text: string): Document<unknown> {
    const document = parsed(text) as Partial<Document<unknown>> | null | undefined
    const newest = this.migrations.length + 1
    const known = Number.isInteger(document?.version) && Number(document?.version) >= 1
    if (!document || !known || !Array.isArray(document.records) || !document.records.every(hasId)) {
      throw new StoreDamaged(
        this.path,
        undefined,
        `it is no collection; the one before it may be in ${this.path}${BACKUP}`,
      )
    }
    if (Number(document.version) > newest) {
      throw new StoreDamaged(
        this.path,
        undefined,
        `version ${document.version} is of a newer secsctl than this (${newest})`,
      )
    }
    return document as Document<unknown>
  }
}

const hasId = (record: unknown): boolean =>
  typeof (record as { readonly id?: unknown } | null)?.id === 'string'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Makes the records with one change in them; undefined when they are so already. */
type Make<T> = (records: readonly T[]) => readonly T[] | undefined

interface Change<T> {
  readonly make: Make<T>
  readonly resolve: (isChanged: boolean) => void
  readonly reject: (error: unknown) => void
}

/** Changes are committed in groups: while one write is under way they queue, and the whole queue is the next. */
class JsonCollection<T extends { readonly id: string }> implements Collection<T> {
  #queue: Change<T>[] = []
  #running: Promise<void> | undefined

  constructor(
    readonly low: Low<Document<T>>,
    readonly failStop: FailStop,
  ) {}

  async all(): Promise<readonly T[]> {
    return this.low.data.records
  }

  async get(id: string): Promise<T | undefined> {
    return this.low.data.records.find((record) => record.id === id)
  }

  async put(record: T): Promise<void> {
    await this.#change((records) => {
      const at = records.findIndex(({ id }) => id === record.id)
      return at < 0 ? [...records, record] : records.with(at, record)
    })
  }

  delete(...ids: readonly string[]): Promise<boolean> {
    const gone = new Set(ids)
    return this.#change((records) => {
      const left = records.filter(({ id }) => !gone.has(id))
      return left.length === records.length ? undefined : left
    })
  }

  #change(make: Make<T>): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ make, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  async #run(): Promise<void> {
    // A turn later, so that what one turn of the event loop changes is one group.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      const changes = this.#queue
      this.#queue = []
      let { records } = this.low.data
      const ends = changes.map(({ make, resolve }) => {
        const made = make(records)
        records = made ?? records
        return () => resolve(made !== undefined)
      })
      try {
        if (records !== this.low.data.records) await this.#write(records)
        for (const end of ends) end()
      } catch (error) {
        for (const { reject } of changes) reject(error)
      }
    }
    this.#running = undefined
  }

  /** Readers see the records once they are on disk, and never those that could not be put there. */
  async #write(records: readonly T[]): Promise<void> {
    this.failStop.check()
    const next = { ...this.low.data, records }
    try {
      await this.low.adapter.write(next)
    } catch (error) {
      throw this.failStop.stop(error)
    }
    this.low.data = next
  }
}
