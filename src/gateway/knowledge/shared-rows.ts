import { unpadded } from '../../gem/content.js'
import type { Model } from '../../gem/host/host.js'

/** An identifier, and what its namelist says of it. */
export type Row<Known> = readonly [id: string, known: Known]

/** Rows that are kept to be shared, and those of one list among them. */
const MAX_ROWS = 50_000
const MAX_ROWS_OF_LIST = 20_000

/** The names that equipment of one model sends are nearly the same for each: equal rows are in memory once. */
export class SharedRows {
  /** The rows that came last, by list and model. */
  readonly #lists = new Map<string, Row<object>[]>()
  #room = MAX_ROWS

  /**
   * Gives for each row of a list, in their order from place `at`, the equal one that came last at this place for equipment
   * of this model; the row itself where that was another.
   */
  sharing(list: string, model: Model | null, at = 0): <Known extends object>(row: Row<Known>) => Row<Known> {
    const key = JSON.stringify([list, model && [unpadded(model.mdln), unpadded(model.softrev)]])
    const rows = this.#lists.get(key) ?? []
    this.#lists.set(key, rows)
    let place = at
    return (row) => {
      const last = rows[place]
      if (areSameRow(last, row)) {
        place += 1
        return last as typeof row
      }
      if (last || (place === rows.length && this.#hasRoom(rows))) rows[place] = row
      place += 1
      return row
    }
  }

  /** Takes room for one more row in this list, if need be from the lists that came first. */
  #hasRoom(rows: readonly Row<object>[]): boolean {
    if (rows.length >= MAX_ROWS_OF_LIST) return false
    for (const [key, first] of this.#lists) {
      if (this.#room > 0) break
      if (first === rows) continue
      this.#lists.delete(key)
      this.#room += first.length
    }
    this.#room -= 1
    return true
  }
}

export const areSameRow = (one: Row<object> | undefined, other: Row<object>): boolean =>
  one !== undefined && one[0] === other[0] && areEqual(one[1] as Members, other[1] as Members)

/** Rows of one list have the same members: texts, numbers, and arrays of texts. */
function areEqual(one: Members, other: Members): boolean {
  for (const member in one) {
    const value = one[member]
    const its = other[member]
    if (value !== its && !(Array.isArray(value) && Array.isArray(its) && areSame(value, its))) return false
  }
  return true
}

type Members = Readonly<Record<string, unknown>>

const areSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at])
