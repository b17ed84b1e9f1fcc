import { basename, join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { Mutex } from '../../../kit/mutex.js'
import { Signal } from '../../../kit/signal.js'
import type { Collection } from '../../collection.js'
import type { FailStop } from '../../failure.js'
import { checkWritten, type RecordCheck } from '../../record-check.js'
import type { Migration } from '../../store.js'
import { replaceFile } from '../disk/durable-file.js'
import type { FileSystem } from '../disk/file-system.js'
import { markOf } from '../segments/journal-line.js'
import type { Checkpoint } from './checkpoint.js'
import { encodeStored, type StoredDocument } from './document-file.js'
import { type Accepted, openDocument } from './open-document.js'

/** What a collection's file holds. */
interface Document<T> extends StoredDocument {
  readonly records: readonly T[]
}

export interface CollectionOptions {
  readonly fs: FileSystem
  readonly failStop: FailStop
  /** The first leads from version 1 to 2, and so on. */
  readonly migrations?: readonly Migration[]
  /** What its records have to satisfy. */
  readonly check?: RecordCheck | undefined
  /** Knows which generation was written last. */
  readonly checkpoint?: Checkpoint
  readonly accepted?: Accepted
  /** Called with warnings for the operator; the collection keeps working. */
  readonly warn?: (text: string) => void
}

/** Opens `name.json` in the folder. Throws `StoreDamaged` for a file that cannot be read, and leaves it as it is. */
export async function openCollection<T extends { readonly id: string }>(
  folder: string,
  name: string,
  options: CollectionOptions,
): Promise<Collection<T>> {
  const file = new JsonFile<T>(join(folder, `${name}.json`), options)
  const version = (options.migrations?.length ?? 0) + 1
  const low = new Low<Document<T>>(file, { version, generation: 0, records: [] })
  await low.read()
  return new JsonCollection(low, options.failStop, (records: readonly T[]) =>
    checkWritten(name, records, options.check),
  )
}

/** lowdb's adapter to the disk: every write is durable, and known to the checkpoint, when it resolves. */
class JsonFile<T> implements Adapter<Document<T>> {
  constructor(
    readonly path: string,
    readonly options: CollectionOptions,
  ) {}

  async read(): Promise<Document<T> | null> {
    const { fs, checkpoint, accepted = {}, warn = () => {} } = this.options
    const known = checkpoint?.document(basename(this.path))
    const opened = await openDocument(fs, this.path, { ...this.options, known, accepted, warn })
    if (!opened) return null
    const { state } = opened
    const document = opened.document as Document<T>
    if (!state) {
      const accepted = { ...document, generation: document.generation + 1 }
      await this.write(accepted)
      return accepted
    }
    if (known?.generation !== state.generation) await checkpoint?.noteDocument(basename(this.path), state)
    return document
  }

  async write(document: Document<T>): Promise<void> {
    const bytes = encodeStored(document)
    await replaceFile(this.options.fs, this.path, bytes)
    const crc = markOf(bytes.subarray(0, -1))
    const { generation } = document
    await this.options.checkpoint?.noteDocument(basename(this.path), { generation, crc })
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
  /** No other process changes the file. */
  readonly changed = new Signal<string>()
  readonly #exclusive = new Mutex()
  #queue: Change<T>[] = []
  #running: Promise<void> | undefined

  constructor(
    readonly low: Low<Document<T>>,
    readonly failStop: FailStop,
    readonly check: (records: readonly T[]) => void,
  ) {}

  async all(): Promise<readonly T[]> {
    return this.low.data.records
  }

  async get(id: string): Promise<T | undefined> {
    return this.low.data.records.find((record) => record.id === id)
  }

  put(record: T): Promise<void> {
    return this.putAll([record])
  }

  async putAll(records: readonly T[]): Promise<void> {
    this.check(records)
    await this.#change((before) => {
      const all = new Map(before.map((record) => [record.id, record]))
      for (const record of records) all.set(record.id, record)
      return records.length === 0 ? undefined : [...all.values()]
    })
  }

  delete(...ids: readonly string[]): Promise<boolean> {
    const gone = new Set(ids)
    return this.#change((records) => {
      const left = records.filter(({ id }) => !gone.has(id))
      return left.length === records.length ? undefined : left
    })
  }

  exclusively<R>(work: () => Promise<R>): Promise<R> {
    return this.#exclusive.run(work)
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
    const next = { ...this.low.data, generation: this.low.data.generation + 1, records }
    try {
      await this.low.adapter.write(next)
    } catch (error) {
      throw this.failStop.stop(error)
    }
    this.low.data = next
  }
}
