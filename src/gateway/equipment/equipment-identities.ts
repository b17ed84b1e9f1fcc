import type { Labels } from '../../contract/selector.js'
import type { JsonObject } from '../../kit/text/json.js'
import type { Entry } from '../../store/entry.js'
import type { View } from '../../store/view.js'
import { IDENTITY } from '../records/journal-kinds.js'

/** What filters and topics know equipment by. */
export interface Identity {
  readonly name: string
  readonly labels: Labels
}

/** Up to this entry the equipment was `before`; since then it is `now`, or deleted. */
export interface IdentityChange {
  readonly seq: number
  readonly before: Identity
  readonly now: Identity | null
}

/** Changes that are kept of one equipment, and of all. The oldest ones go, of the equipment that has most of them. */
const MAX_OF_ONE = 100
const MAX_OF_ALL = 20_000

/** What is recorded before a record is changed; undefined where the change leaves name and labels as they are. */
export function identityEntry(before: Identity, now: Identity | null): JsonObject | undefined {
  const [was, is] = [identityOf(before), now && identityOf(now)]
  return JSON.stringify(was) === JSON.stringify(is)
    ? undefined
    : ({ before: was, now: is } as unknown as JsonObject)
}

/** Labels in one order: their order is no change. */
const identityOf = ({ name, labels }: Identity): Identity => ({
  name,
  labels: Object.fromEntries(Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1))),
})

/**
 * The names and labels that equipment had, by the position in the journal: a view of the entries that are made before a
 * name or labels change, or equipment is deleted. An entry is recorded before the change, and is true also where the
 * change then fails: it says how the equipment was called until then.
 */
export class EquipmentIdentities implements View {
  readonly name = 'identities'
  readonly version = 1
  readonly kinds = [IDENTITY]
  readonly topics = new Set([IDENTITY.topic])
  readonly #changes = new Map<string, IdentityChange[]>()
  #count = 0

  /** `first`: the oldest sequence number that the journal keeps. What was before it is about nothing that is kept. */
  constructor(private readonly first: () => number) {}

  load(line: JsonObject): void {
    const { id, changes } = line as unknown as { readonly id: string; readonly changes: IdentityChange[] }
    this.#changes.set(id, [...changes])
    this.#count += changes.length
  }

  apply({ seq, key, data }: Entry): void {
    const { before, now } = data as unknown as Omit<IdentityChange, 'seq'>
    const changes = this.#changes.get(key) ?? []
    this.#changes.set(key, changes)
    changes.push({ seq, before, now })
    this.#count++
    if (changes.length > MAX_OF_ONE) this.#dropOldest(key)
    if (this.#count > MAX_OF_ALL) this.#dropUnneeded()
  }

  *lines(): Generator<JsonObject> {
    for (const [id, changes] of this.#changes) yield { id, changes: [...changes] } as unknown as JsonObject
  }

  /** None: what is kept after them is about entries that are kept. */
  pinned(): Iterable<number> {
    return []
  }

  /** The equipment of which changes are known, with them, oldest first. */
  get all(): ReadonlyMap<string, readonly IdentityChange[]> {
    return this.#changes
  }

  /**
   * What equipment was at an entry. `current`: what it is by its record; undefined where it is deleted. Two where the
   * record does not have the last change, since the store refused it, or another process made it just now.
   */
  at(id: string, seq: number, current: Identity | undefined): readonly Identity[] {
    const changes = this.#changes.get(id) ?? []
    const next = changes.find((one) => one.seq >= seq)
    if (next) return [next.before]
    const last = changes.at(-1)
    if (!last) return current ? [current] : []
    const changed = last.now ?? last.before
    if (!current) return [changed]
    return last.now && identityEntry(current, changed) ? [current, changed] : [current]
  }

  /** The last name of equipment that is not registered any more; undefined where none is known. */
  lastNameOf(id: string): string | undefined {
    return this.at(id, Number.POSITIVE_INFINITY, undefined)[0]?.name
  }

  /** Ids of equipment that had this name when its name changed for the last time, or it was deleted. */
  idsOfLast(name: string): readonly string[] {
    const wanted = name.normalize()
    return [...this.#changes.keys()].filter((id) => this.lastNameOf(id)?.normalize() === wanted)
  }

  #dropOldest(id: string): void {
    const changes = this.#changes.get(id)
    if (changes?.shift()) this.#count--
    if (changes?.length === 0) this.#changes.delete(id)
  }

  #dropUnneeded(): void {
    const first = this.first()
    for (const [id, changes] of this.#changes)
      while (changes[0] && changes[0].seq < first) this.#dropOldest(id)
    while (this.#count > MAX_OF_ALL) {
      let [most, length] = ['', 0]
      for (const [id, changes] of this.#changes)
        if (changes.length > length) [most, length] = [id, changes.length]
      this.#dropOldest(most)
    }
  }
}
