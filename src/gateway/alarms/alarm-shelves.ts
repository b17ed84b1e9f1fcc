import type { AlarmShelf } from '../../contract/topics/alarm-shelving.js'
import type { Clock } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
import type { JsonObject } from '../../kit/text/json.js'
import type { Entry } from '../../store/entry.js'
import type { View } from '../../store/view.js'
import { ALARM_SHELVED, ALARM_UNSHELVED } from '../records/journal-kinds.js'
import { alidMark, type Occurrence } from './alarm-occurrences.js'

/** ALCD of personal safety. */
export const PERSONAL_SAFETY = 1
/** Shelves in one line of a snapshot. */
const IN_A_LINE = 100

/** An alarm of an equipment that does not ask for attention for some time. */
export interface Shelf {
  /** Sequence number of its entry. */
  readonly seq: number
  readonly equipmentId: string
  readonly alid: string
  /** As far as they were known. */
  readonly text: string | null
  readonly category: number | null
  readonly personalSafety: boolean
  readonly shown: AlarmShelf
}

interface Held {
  readonly shelf: Shelf
  /**
   * Its end on both clocks of this process, in milliseconds. A wall clock that is set back does not make it longer, and one
   * that jumps ahead ends it; the clocks of other processes do not matter.
   */
  readonly ends: { readonly now: number; readonly date: number }
}

/** What is shelved, in memory: a view of the journal's entries. */
export class AlarmShelves implements View {
  readonly name = 'alarm-shelves'
  readonly version = 1
  readonly kinds = [ALARM_SHELVED, ALARM_UNSHELVED]
  /** Emits when something has been shelved or is shelved no longer. */
  readonly changed = new Signal<undefined>()
  /** False while the state is read at a start: then only the wall clock tells how much time is left. */
  #isLive = false
  /** By equipment and mark of the ALID. */
  readonly #held = new Map<string, Map<string, Held>>()

  constructor(readonly clock: Clock) {}

  load(line: JsonObject): void {
    for (const shelf of line['shelves'] as unknown as readonly Shelf[]) this.#hold(shelf)
    this.changed.emit(undefined)
  }

  apply({ seq, key, name, at, data }: Entry): void {
    const alid = String(data['alid'])
    const own = this.#held.get(key)
    if (name === ALARM_SHELVED.name) {
      const { text, category, personal_safety, until, shelved_by, reason } = data
      this.#hold({
        seq,
        equipmentId: key,
        alid,
        text: typeof text === 'string' ? text : null,
        category: typeof category === 'number' ? category : null,
        personalSafety: personal_safety === true,
        shown: { by: String(shelved_by), reason: String(reason), since: at, until: String(until) },
      })
      // An end that was decided before the alarm was shelved anew is none of the new shelf.
    } else if (own?.get(alidMark(alid))?.shelf.seq === Number(data['shelf_id'])) {
      own.delete(alidMark(alid))
      if (own.size === 0) this.#held.delete(key)
    }
    this.changed.emit(undefined)
  }

  /** What was recorded before is known: each further entry was recorded just now. */
  begin(): void {
    this.#isLive = true
  }

  *lines(): Generator<JsonObject> {
    const all = this.#all().map(({ shelf }) => shelf as unknown as JsonObject)
    for (let at = 0; at < all.length; at += IN_A_LINE) yield { shelves: all.slice(at, at + IN_A_LINE) }
  }

  *pinned(): Generator<number> {
    for (const { shelf } of this.#all()) yield shelf.seq
  }

  /** Of one equipment, or of all, those that hold now. */
  current(equipmentId?: string): readonly Shelf[] {
    return this.#all()
      .filter((held) => !this.#isOver(held))
      .map(({ shelf }) => shelf)
      .filter((shelf) => equipmentId === undefined || shelf.equipmentId === equipmentId)
  }

  /** Those whose time is over, and whose end is not recorded. */
  over(): readonly Shelf[] {
    return this.#all()
      .filter((held) => this.#isOver(held))
      .map(({ shelf }) => shelf)
  }

  get isEmpty(): boolean {
    return this.#held.size === 0
  }

  /** The shelf of an alarm of this category; undefined where none holds now. */
  of(equipmentId: string, mark: string, category: number): Shelf | undefined {
    const held = this.#held.get(equipmentId)?.get(mark)
    if (!held || this.#isOver(held)) return undefined
    return category === PERSONAL_SAFETY && !held.shelf.personalSafety ? undefined : held.shelf
  }

  /** The shelf of an open occurrence. */
  ofOccurrence({ equipmentId, alid, category }: Occurrence): Shelf | undefined {
    return alid === null ? undefined : this.of(equipmentId, alid, category)
  }

  #all(): Held[] {
    return [...this.#held.values()].flatMap((own) => [...own.values()])
  }

  /** By whichever of the two clocks says so first. */
  #isOver({ ends }: Held): boolean {
    return this.clock.now() >= ends.now || this.clock.date().getTime() >= ends.date
  }

  #hold(shelf: Shelf): void {
    const { since, until } = shelf.shown
    const end = Date.parse(until)
    const now = this.clock.now()
    const date = this.clock.date().getTime()
    const asked = end - Date.parse(since)
    const left = this.#isLive ? asked : Math.min(end - date, asked)
    const own = this.#held.get(shelf.equipmentId) ?? new Map<string, Held>()
    this.#held.set(shelf.equipmentId, own)
    own.set(alidMark(shelf.alid), { shelf, ends: { now: now + left, date: date + left } })
  }
}
