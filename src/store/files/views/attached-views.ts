import { join } from 'node:path'
import type { Entry } from '../../entry.js'
import { type Gap, knowsLost } from '../../gap.js'
import { isFor, type ReadingOn, readAhead, readOn } from '../../reading-on.js'
import { type ReadingProgress, SILENT } from '../../reading-progress.js'
import type { View } from '../../view.js'
import type { FileSystem } from '../disk/file-system.js'
import { readSnapshots, type Snapshot, writeSnapshot } from './snapshot.js'

/** The parts of a journal from which views are brought up to date. */
export interface History extends ReadingOn {
  /** What a person gave up. */
  readonly gaps: readonly Gap[]
  /** The entries that retention pinned, oldest first. */
  pinned(): Promise<readonly Entry[]>
  /** The CRC that the line of an entry carries; undefined when it is not kept. */
  markAt(seq: number): Promise<string | undefined>
}

interface Attached {
  readonly view: View
  /** How far the snapshot in place and the one before go; 0 where there is none that can be read. */
  current: number
  previous: number
}

const NAME = /^[a-z0-9-]+$/

/** The views of a journal and their snapshots, in a folder of their own. */
export class AttachedViews {
  #attached: readonly Attached[] | undefined
  /** By the number of a subject: the views that its entries are shown to. Subjects with the same views share one list. */
  readonly #bySubject: (readonly View[])[] = []
  readonly #lists = new Map<string, readonly View[]>()

  constructor(
    readonly fs: FileSystem,
    readonly folder: string,
    readonly progress: ReadingProgress = SILENT,
  ) {}

  /** Brings the views up to date: from their snapshots, and from what followed. */
  async attach(views: readonly View[], history: History): Promise<void> {
    if (this.#attached) throw new Error('The views of a journal are attached once.')
    await this.fs.makeFolder(this.folder)
    const attached: Attached[] = []
    for (const view of views) attached.push(await this.#restored(view, history))
    this.#attached = attached
  }

  /** What a view reads of it in advance. `subject`: its number. */
  ahead(entry: Entry, subject: number): Generator<void, void> | undefined {
    return readAhead(entry, this.#viewsOf(entry, subject))
  }

  /** `subject`: its number. */
  apply(entry: Entry, subject: number): void {
    for (const view of this.#viewsOf(entry, subject)) view.apply(entry)
  }

  #viewsOf(entry: Entry, subject: number): readonly View[] {
    if (!this.#attached) return []
    this.#bySubject[subject] ??= this.#listOf(this.#attached, entry)
    return this.#bySubject[subject]
  }

  #listOf(attached: readonly Attached[], entry: Entry): readonly View[] {
    const views = attached.map(({ view }) => view).filter((view) => isFor(view, entry))
    const names = views.map(({ name }) => name).join(' ')
    const list = this.#lists.get(names) ?? views
    this.#lists.set(names, list)
    return list
  }

  /** False until the views are known: before that the entries that they need are not known. */
  get known(): boolean {
    return this.#attached !== undefined
  }

  /** Entries up to this one are in both snapshots of every view, so that one that is damaged loses nothing. */
  get covered(): number {
    if (!this.#attached) return 0
    return Math.min(...this.#attached.map(({ current, previous }) => Math.min(current, previous)))
  }

  /** The entries before this one that have to stay readable. */
  pinned(before: number): ReadonlySet<number> {
    const needed = new Set<number>()
    for (const { view } of this.#attached ?? [])
      for (const seq of view.pinned()) if (seq < before) needed.add(seq)
    return needed
  }

  /** The present state of the views, to be written later. `seq`: the last entry that they have applied. */
  capture(seq: number, mark: string): readonly Snapshot[] {
    return (
      (this.#attached ?? [])
        // Both generations: without new entries, retention could otherwise not delete what only one of them has.
        .filter(({ current, previous }) => Math.min(current, previous) !== seq)
        .map(({ view }) => ({ view: view.name, version: view.version, seq, mark, lines: [...view.lines()] }))
    )
  }

  async write(snapshots: readonly Snapshot[]): Promise<void> {
    for (const snapshot of snapshots) {
      await writeSnapshot(this.fs, this.folder, snapshot)
      const attached = this.#attached?.find(({ view }) => view.name === snapshot.view)
      if (attached) Object.assign(attached, { current: snapshot.seq, previous: attached.current })
    }
  }

  async #restored(view: View, history: History): Promise<Attached> {
    if (!NAME.test(view.name)) throw new TypeError(`"${view.name}" cannot be the name of a view`)
    const { current, previous } = await readSnapshots(this.fs, this.folder, view.name)
    const good = [await usable(current, view, history), await usable(previous, view, history)] as const
    const snapshot = good[0] ?? good[1]
    if (snapshot) for (const line of snapshot.lines) view.load(line)
    else for (const entry of await history.pinned()) if (isFor(view, entry)) view.apply(entry)
    await readOn(view, history, snapshot?.seq ?? history.first - 1, this.progress)
    return { view, current: good[0]?.seq ?? 0, previous: good[1]?.seq ?? 0 }
  }
}

/** The snapshot, unless it is of another version, of a history that was lost, or leaves a gap to what is kept. */
async function usable(
  snapshot: Snapshot | undefined,
  view: View,
  history: History,
): Promise<Snapshot | undefined> {
  if (snapshot?.version !== view.version) return undefined
  const { seq, mark } = snapshot
  if (seq > history.last || seq < history.first - 1) return undefined
  if (knowsLost(history.gaps, seq)) return undefined
  const kept = await history.markAt(seq)
  // The entry may have gone with retention; one that was given up took with it what the snapshot knows.
  return kept === mark || (kept === undefined && seq < history.first) ? snapshot : undefined
}

/** The folder of the snapshots within the journal's. */
export const viewsFolder = (journalFolder: string): string => join(journalFolder, 'views')
