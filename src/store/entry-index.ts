import type { Kind } from './journal.js'
import type { LineHead } from './journal-line.js'

/** The words that entries can be searched by, as numbers. One for all segments of a journal. */
export class Vocabulary {
  readonly #keys = new Map<string, number>()
  readonly #kinds = new Map<string, Map<string, number>>()
  #kindCount = 0

  /** The number of `key`, given at its first use. */
  key(key: string): number {
    const known = this.#keys.get(key)
    if (known !== undefined) return known
    this.#keys.set(key, this.#keys.size)
    return this.#keys.size - 1
  }

  knownKey(key: string): number | undefined {
    return this.#keys.get(key)
  }

  /** The number of a kind, given at its first use. */
  kind(type: string, name: string): number {
    const names = this.#kinds.get(type) ?? new Map<string, number>()
    this.#kinds.set(type, names)
    const known = names.get(name)
    if (known !== undefined) return known
    names.set(name, this.#kindCount)
    return this.#kindCount++
  }

  /** For every number of a kind, 1 when it is among `kinds`. */
  wanted(kinds: readonly Kind[]): Uint8Array {
    const flags = new Uint8Array(this.#kindCount)
    for (const { type, name } of kinds) {
      const names = this.#kinds.get(type)
      const found = name === undefined ? [...(names?.values() ?? [])] : [names?.get(name)]
      for (const number of found) if (number !== undefined) flags[number] = 1
    }
    return flags
  }
}

/** Where the entries of one segment are and what they can be searched by: 20 bytes an entry. */
export class EntryIndex {
  length = 0
  /** The earliest and the latest time, in milliseconds since 1970: times may fall when the clock is set back. */
  earliest = Number.POSITIVE_INFINITY
  latest = Number.NEGATIVE_INFINITY
  offsets = new Uint32Array(64)
  times = new Float64Array(64)
  keys = new Uint32Array(64)
  kinds = new Uint32Array(64)

  constructor(readonly vocabulary: Vocabulary) {}

  add(head: Pick<LineHead, 'at' | 'key' | 'type' | 'name'>, offset: number): void {
    if (this.length === this.offsets.length) this.#resize(this.length * 2)
    const time = Date.parse(head.at)
    this.offsets[this.length] = offset
    this.times[this.length] = time
    this.keys[this.length] = this.vocabulary.key(head.key)
    this.kinds[this.length] = this.vocabulary.kind(head.type, head.name)
    this.earliest = Math.min(this.earliest, time)
    this.latest = Math.max(this.latest, time)
    this.length++
  }

  /** Forgets all but the first `length` entries. */
  cut(length: number): void {
    this.length = length
  }

  /** Gives back what nothing will be added to. */
  seal(): void {
    this.#resize(Math.max(1, this.length))
  }

  #resize(capacity: number): void {
    this.offsets = grown(new Uint32Array(capacity), this.offsets, this.length)
    this.times = grown(new Float64Array(capacity), this.times, this.length)
    this.keys = grown(new Uint32Array(capacity), this.keys, this.length)
    this.kinds = grown(new Uint32Array(capacity), this.kinds, this.length)
  }
}

function grown<Column extends Uint32Array | Float64Array>(
  column: Column,
  from: Column,
  length: number,
): Column {
  column.set(from.subarray(0, length))
  return column
}
