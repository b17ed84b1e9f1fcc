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
}

/** A value of its owner's as the data of an entry. */
export abstract class StoredValue {
  /** What is stored: the text of a JSON object. */
  abstract readonly json: string

  toJSON(): JsonObject {
    return JSON.parse(this.json) as JsonObject
  }
}

export interface Entry extends NewEntry {
  /** Rises by one with every entry, from 1, for as long as the data folder lives. */
  readonly seq: number
}

/** Restores an entry that was read from disk as it was appended: `data` is again the value of its owner. */
export type Revive = (entry: Entry) => Entry

/** One kind of entry: a type, or a name within a type. */
export interface Kind {
  readonly type: string
  readonly name?: string
}
