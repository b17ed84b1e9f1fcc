import { join } from 'node:path'
import type { Cancel, Clock } from '../../../kit/clock.js'
import { Mutex } from '../../../kit/mutex.js'
import { type FailStop, refuseNewer, StoreDamaged } from '../../failure.js'
import { believedNow, type RetentionClock, type SavedTime } from '../../retention-clock.js'
import { placeFile, removeDrafts, setAside } from '../disk/durable-file.js'
import type { FileSystem } from '../disk/file-system.js'
import { isWhole, NEWLINE, sealedLine } from '../segments/journal-line.js'
import { type DocumentState, decodeStored } from './document-file.js'

/** The last entry of the journal that is on disk, and the CRC that its line carries. */
export interface JournalState {
  readonly seq: number
  readonly mark: string
}

/** What a checkpoint's file says. */
export interface KnownState {
  readonly journal: JournalState | undefined
  /** By the names of the files. */
  readonly documents: ReadonlyMap<string, DocumentState>
  /** By which history got old. */
  readonly time?: SavedTime | undefined
}

export interface CheckpointOptions {
  readonly fs: FileSystem
  readonly failStop: FailStop
  readonly clock: Clock
  /** Continues without a checkpoint that is damaged or lost, and makes a new one. */
  readonly acceptLoss?: boolean
  readonly warn?: (text: string) => void
}

export const CHECKPOINT_NAME = 'checkpoint.json'
export const checkpointPath = (dataFolder: string): string => join(dataFolder, CHECKPOINT_NAME)

/** Changes with the notation of the file. */
const NOTATION = 1
/** Milliseconds from an entry that is on disk until the checkpoint says so. */
const WRITE_DELAY_MS = 1000

/**
 * What a data folder is known to have on disk: the generation and the checksum of each document, and the last
 * entry of the journal. Kept in a file of its own, so that a file that is lost, damaged or replaced by an older one
 * is found at the next start. A document is noted before its change is acknowledged, the journal once a second: no
 * append waits for it. What it says is never more than what is on disk.
 */
export class Checkpoint {
  readonly #path: string
  readonly #documents: Map<string, DocumentState>
  readonly #turn = new Mutex()
  #journal: JournalState | undefined
  #cancel: Cancel | undefined
  #isNew: boolean
  readonly #saved: SavedTime | undefined
  #time: RetentionClock | undefined
  /** A folder that is refused is not written to. */
  #isRefused = true

  private constructor(
    folder: string,
    readonly options: CheckpointOptions,
    known: KnownState | undefined,
  ) {
    this.#path = checkpointPath(folder)
    this.#documents = new Map(known?.documents)
    this.#journal = known?.journal
    this.#isNew = known === undefined
    this.#saved = known?.time
  }

  /** The time by which history gets old, as far as an earlier process has left it. */
  believed(tolerance: number): number | undefined {
    return this.#saved && believedNow(this.#saved, this.options.clock.date().getTime(), tolerance)
  }

  /** From now on the file has this time, as of when it was written last. */
  keepTime(time: RetentionClock): void {
    this.#time = time
  }

  /** There is no file yet: the folder is new, or of a version that kept none. */
  get isNew(): boolean {
    return this.#isNew
  }

  /** Makes the file where there is none. Nothing is written before, so that a folder that is refused stays refused. */
  async begin(): Promise<void> {
    this.#isRefused = false
    if (!this.#isNew) return
    this.#isNew = false
    await this.#write()
  }

  /** Throws `StoreDamaged` for a file that is not what was written, or that is lost. */
  static async open(folder: string, options: CheckpointOptions): Promise<Checkpoint> {
    const { fs, acceptLoss = false, warn = () => {} } = options
    const path = checkpointPath(folder)
    await removeDrafts(fs, path)
    const found = await readCheckpoint(fs, folder)
    const fault = found === 'damaged' ? 'it is not what was written' : await lostFault(fs, folder, found)
    if (fault !== undefined && !acceptLoss) throw new StoreDamaged(path, undefined, fault)
    if (found === 'damaged') {
      warn(`${path}: ${fault}; a new one is made, and the file is kept in ${await setAside(fs, path)}`)
    }
    return new Checkpoint(folder, options, found === 'damaged' ? undefined : found)
  }

  /** The last entry that was on disk before this start, or that was noted since. */
  get journal(): JournalState | undefined {
    return this.#journal
  }

  /** Undefined for a file that never was there, as far as known. */
  document(name: string): DocumentState | undefined {
    return this.#documents.get(name)
  }

  /** Resolves once the checkpoint knows it. */
  async noteDocument(name: string, state: DocumentState): Promise<void> {
    this.#documents.set(name, state)
    await this.#write()
  }

  /** The same of a journal that was opened. A disk that is full is no reason not to open it. */
  async noteOpened(state: JournalState): Promise<void> {
    if (state.seq === this.#journal?.seq && state.mark === this.#journal.mark) return
    this.#journal = state
    await this.#write().catch(() => undefined)
  }

  /** The checkpoint knows it a second later. */
  noteJournal(state: JournalState): void {
    if (state.seq === this.#journal?.seq && state.mark === this.#journal.mark) return
    this.#journal = state
    const { clock, failStop } = this.options
    this.#cancel ??= clock.at(clock.now() + WRITE_DELAY_MS, () => {
      this.#cancel = undefined
      void this.#write().catch((error: unknown) => failStop.stop(error))
    })
  }

  /** Resolves once all that was noted is on disk. */
  async close(): Promise<void> {
    const isDue = this.#cancel !== undefined && !this.options.failStop.failure
    this.#cancel?.()
    this.#cancel = undefined
    if (isDue) await this.#write()
    // A disk that is full is no reason not to end.
    else if (this.#time && !this.#isRefused) await this.#write().catch(() => undefined)
    else await this.#turn.run(async () => {})
  }

  #write(): Promise<void> {
    if (this.#isNew) return Promise.resolve()
    return this.#turn.run(async () => {
      this.options.failStop.check()
      const documents = Object.fromEntries(this.#documents)
      const time = this.#time?.saved
      const content = { checkpoint: NOTATION, ...(time && { time }), journal: this.#journal, documents }
      await placeFile(this.options.fs, this.#path, sealedLine(JSON.stringify(content).slice(0, -1)))
    })
  }
}

/** A document with a checksum was written by a version that kept a checkpoint. */
export async function lostFault(
  fs: FileSystem,
  folder: string,
  found: KnownState | undefined,
): Promise<string | undefined> {
  if (found) return undefined
  for (const name of await fs.list(folder)) {
    if (!name.endsWith('.json')) continue
    const bytes = await fs.read(join(folder, name))
    if (bytes && decodeStored(bytes)?.isSealed) return `it is gone, and ${name} shows that there was one`
  }
  return undefined
}

/**
 * Undefined where there is none; `damaged` where it is not byte for byte what was written. Throws `StoreDamaged` for one
 * of a newer secsctl.
 */
export async function readCheckpoint(
  fs: FileSystem,
  folder: string,
): Promise<KnownState | 'damaged' | undefined> {
  const bytes = await fs.read(checkpointPath(folder))
  if (!bytes) return undefined
  if (bytes.at(-1) !== NEWLINE || !isWhole(bytes.subarray(0, -1))) return 'damaged'
  const { checkpoint, time, journal, documents } = JSON.parse(bytes.toString('utf8')) as {
    readonly checkpoint: number
    readonly time?: SavedTime
    readonly journal?: JournalState
    readonly documents: Readonly<Record<string, DocumentState>>
  }
  refuseNewer(checkpointPath(folder), checkpoint, NOTATION)
  if (checkpoint !== NOTATION) return 'damaged'
  return { time, journal, documents: new Map(Object.entries(documents)) }
}
