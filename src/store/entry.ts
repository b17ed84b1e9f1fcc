import type { JsonObject } from '../kit/text/json.js'

/** What is appended. The journal knows no domain: `key`, `type`, `name` and `topic` are words it can search by. */
export interface NewEntry {
  /** The subject, such as an equipment id; entries of one key are found without reading the others. */
  readonly key: string
  readonly type: string
  readonly name: string
  /** One more word to search by. There should be thousands of different ones at most: each is kept in memory. */
  readonly topic?: string
  /** ISO 8601, UTC, milliseconds. May be earlier than the entry before it: clocks are set back. */
  readonly at: string
  /** JSON, or a `StoredValue`. */
  readonly data: JsonObject
  /** Gets to know the number of this entry. */
  readonly number?: EntryNumber
  /**
   * Further members of `data` by their names: the numbers of this entry and of others, earlier or of the same call, as
   * decimal strings.
   */
  readonly numbers?: Readonly<Record<string, EntryNumber>>
  /** True where any process may append it, not only the one that owns its key. */
  readonly byAnyone?: boolean
  /** True where nobody waits for it to be on disk: it may go there with a later entry, some milliseconds later. */
  readonly mayWait?: boolean
  /** Milliseconds for which the caller waits for a slow store; `PATIENCE_MS` when left out. */
  readonly patience?: number | undefined
  /**
   * Of a decision that any process may append: refused with `Overtaken`, together with the other entries of its call,
   * where the journal has a higher number than this of the same key, type and name. A store that one process writes to
   * need not look: that process decides one after the other.
   */
  readonly unlessAfter?: number
}

/** The number of an entry, for those that refer to the entry before it has one. */
export class EntryNumber {
  /** Set by the journal: when the entry is handed over, or not before it is on disk. */
  seq: number | undefined

  constructor(seq?: number) {
    this.seq = seq
  }

  /** Throws where it is not known yet. */
  toString(): string {
    if (this.seq === undefined) throw new Error('The entry has no number yet.')
    return String(this.seq)
  }
}

/** Bytes that stand in a text as Base64. */
export class Base64 {
  constructor(readonly bytes: Uint8Array) {}

  /** In characters. */
  get textLength(): number {
    return 4 * Math.ceil(this.bytes.length / 3)
  }
}

/** A value of its owner's as the data of an entry. */
export abstract class StoredValue {
  /** What is stored: the text of a JSON object. */
  abstract readonly json: string

  /** The same in parts, where the value has many bytes: so no text of all of them is made. */
  get parts(): readonly (string | Base64)[] | undefined {
    return undefined
  }

  toJSON(): JsonObject {
    return JSON.parse(this.json) as JsonObject
  }
}

export interface Entry
  extends Omit<NewEntry, 'number' | 'numbers' | 'byAnyone' | 'mayWait' | 'patience' | 'unlessAfter'> {
  /** Rises by one with every entry, from 1, for as long as the data folder lives. */
  readonly seq: number
}

const hasNul = (word: string): boolean => word.includes('\u0000')

/** Throws `TypeError` for words that not every store can keep. */
export function refuseUnstorable({ key, type, name, topic = '' }: NewEntry): void {
  if (hasNul(key) || hasNul(type) || hasNul(name) || hasNul(topic))
    throw new TypeError('The key, type, name and topic of an entry cannot have the character NUL.')
}

/** The entry with its number, and `data` with the numbers that it refers to. */
export function numbered(appended: NewEntry, seq: number): Entry {
  const { key, type, name, topic, at, numbers } = appended
  let { data } = appended
  if (numbers) {
    const texts: Record<string, string> = {}
    for (const member in numbers) texts[member] = String(numbers[member])
    // To add members to a copy that was spread takes V8 five times as long.
    data = Object.assign({}, data, texts)
  }
  return topic === undefined ? { seq, key, type, name, at, data } : { seq, key, type, name, topic, at, data }
}

/** Restores an entry that was read from disk as it was appended: `data` is again the value of its owner. */
export interface Revive {
  (entry: Entry): Entry
  /** The member of `data` that is Base64, where entries of a kind have one: a store may give its bytes in its place. */
  base64In?(kind: Kind): string | undefined
}

/** One kind of entry: a type, or a name within a type. */
export interface Kind {
  readonly type: string
  readonly name?: string
}
