import { Signal } from '../../src/kit/signal.js'
import { type Entry, type NewEntry, numbered, type Revive } from '../../src/store/entry.js'
import { type Journal, type JournalQuery, type JournalRead, readTo } from '../../src/store/journal.js'
import type { View } from '../../src/store/view.js'

/** A journal that lasts as long as the test: the interface's words, carried out in the plainest way. */
export class MemoryJournal implements Journal {
  readonly appended = new Signal<Entry>()
  readonly entries: Entry[] = []
  readonly first: number = 1
  readonly backlog = { count: 0, ms: 0 }
  failure: Error | undefined

  get last(): number {
    return this.entries.at(-1)?.seq ?? 0
  }

  async append(entry: NewEntry): Promise<Entry> {
    const [made] = await this.appendAll([entry])
    if (!made) throw new Error('nothing was appended')
    return made
  }

  async appendAll(entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    await Promise.resolve()
    if (this.failure) throw this.failure
    const first = this.last + 1
    const made = madeFrom(entries, first)
    this.entries.push(...made)
    for (const entry of made) this.appended.emit(entry)
    return made
  }

  async get(seq: number): Promise<Entry | undefined> {
    const entry = this.entries[seq - 1]
    return entry?.seq === seq ? entry : this.entries.find((one) => one.seq === seq)
  }

  async query(query: JournalQuery): Promise<readonly Entry[]> {
    const { kinds, key, topics, from, to, after = 0, before = Number.POSITIVE_INFINITY, where } = query
    const found = this.entries.filter(
      (entry) =>
        (!kinds || kinds.some(({ type, name }) => type === entry.type && (!name || name === entry.name))) &&
        (key === undefined || (typeof key === 'string' ? key === entry.key : key.has(entry.key))) &&
        (!topics || topics.has(entry.topic ?? '')) &&
        (from === undefined || entry.at >= from) &&
        (to === undefined || entry.at < to) &&
        entry.seq > after &&
        entry.seq < before &&
        (!where || where(entry)),
    )
    return firstBytes((query.order === 'asc' ? found : found.reverse()).slice(0, query.limit), query.bytes)
  }

  async read(query: JournalQuery): Promise<JournalRead> {
    const before = Math.min(query.before ?? Number.POSITIVE_INFINITY, this.last + 1)
    const entries = await this.query({ ...query, before })
    return { entries, readTo: readTo({ ...query, before }, entries), first: this.first }
  }

  async attach(views: readonly View[], revive: Revive = (entry) => entry): Promise<void> {
    for (const [at, entry] of this.entries.entries()) {
      if (!('toJSON' in entry.data)) this.entries[at] = revive(entry)
    }
    const show = (entry: Entry): void => {
      for (const view of views) {
        const isOfKind = view.kinds.some(
          ({ type, name }) => type === entry.type && (!name || name === entry.name),
        )
        if (isOfKind && (view.topics?.has(entry.topic ?? '') ?? true)) view.apply(entry)
      }
    }
    for (const entry of this.entries) show(entry)
    this.appended.on(show)
  }

  async close(): Promise<void> {}
}

/** The entries with their numbers. */
export function madeFrom(entries: readonly NewEntry[], first: number): Entry[] {
  for (const [at, { number }] of entries.entries()) if (number) number.seq = first + at
  return entries.map((entry, at) => numbered({ ...entry, data: copied(entry.data) }, first + at))
}

/** Data as it is when it is appended. A value of its owner's does not change. */
const copied = (data: NewEntry['data']): NewEntry['data'] => ('toJSON' in data ? data : structuredClone(data))

/** The entries as far as the one that brings them to so many bytes. */
function firstBytes(entries: readonly Entry[], bytes: number | undefined): readonly Entry[] {
  if (bytes === undefined) return entries
  let held = 0
  const enough = entries.findIndex((entry) => {
    held += JSON.stringify(entry).length
    return held >= bytes
  })
  return enough < 0 ? entries : entries.slice(0, enough + 1)
}
