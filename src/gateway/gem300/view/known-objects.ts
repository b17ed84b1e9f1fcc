import type { KnownObject as ShownObject } from '../../../contract/topics/gem300/mapping.js'
import { OBJECT_KINDS, type ObjectKind } from '../../../gem300/object-states.js'
import { moveBefore } from '../../../kit/move-before.js'
import type { JsonObject } from '../../../kit/text/json.js'
import type { Entry } from '../../../store/entry.js'
import type { View } from '../../../store/view.js'
import {
  CARRIER_STATE,
  CONTROL_JOB_STATE,
  JOB_STATE,
  PERFORMANCE_STATE,
  PORT_STATE,
  SUBSTRATE_STATE,
} from '../../records/journal-kinds.js'

/** The journal's entries about each kind of object. */
export const CHANGE_KINDS = {
  port: PORT_STATE,
  carrier: CARRIER_STATE,
  job: JOB_STATE,
  control_job: CONTROL_JOB_STATE,
  substrate: SUBSTRATE_STATE,
  performance: PERFORMANCE_STATE,
} as const satisfies Record<ObjectKind, object>

/** The kind of object that an entry is about; undefined for other entries. */
export const kindOfChange = (name: string): ObjectKind | undefined =>
  OBJECT_KINDS.find((kind) => CHANGE_KINDS[kind].name === name)

export type StateSource = 'event' | 'query'

/** A change of one state of one object: the data of an entry, as events show it. */
export interface ObjectChange {
  readonly object_id: string
  readonly state: string
  readonly from: string | null
  readonly to: string
  readonly source: StateSource
  readonly message_id: string
  readonly details?: Readonly<Record<string, string>>
  readonly result?: 'unknown'
  readonly object_has?: string
  /** The object that it comes before from now on. */
  readonly before?: string
}

/** A state as it is known. */
export interface KnownState {
  /** Its word, or `unknown (5)`. */
  readonly state: string
  readonly source: StateSource
  /** ISO 8601: when it was told for the first time since it was another one. */
  readonly since: string
  readonly message_id: string
  /** What the object's attribute says, where that differs from the event that holds. */
  readonly object_has?: string
}

/** A port, carrier, process job, control job, substrate or module that the equipment has. */
export interface KnownObject {
  readonly kind: ObjectKind
  readonly id: string
  /** By the names of `KINDS`; one that nobody has told is left out. */
  readonly states: Readonly<Record<string, KnownState>>
  readonly details: Readonly<Record<string, string>>
  /** ISO 8601: when it was known first. */
  readonly since: string
}

/** As the API shows it. */
export const shownObject = ({ kind, id, states, details, since }: KnownObject): ShownObject => ({
  kind,
  object_id: id,
  states: { ...states },
  details: { ...details },
  since,
})

/** Most objects of one equipment: of more the first ones are forgotten. A substrate is one for each slot. */
const MOST: Readonly<Record<ObjectKind, number>> = {
  port: 64,
  carrier: 250,
  job: 500,
  control_job: 250,
  substrate: 2000,
  performance: 250,
}

type Objects = Map<string, KnownObject>

/** What is known of one equipment. Objects of a kind are in the order in which they were known, or were put since. */
export class ObjectsOfEquipment {
  readonly #kinds = new Map<ObjectKind, Objects>()

  get(kind: ObjectKind, id: string): KnownObject | undefined {
    return this.#kinds.get(kind)?.get(id)
  }

  list(kind: ObjectKind): readonly KnownObject[] {
    return [...(this.#kinds.get(kind)?.values() ?? [])]
  }

  set(object: KnownObject): void {
    const objects = this.#kinds.get(object.kind) ?? new Map<string, KnownObject>()
    this.#kinds.set(object.kind, objects)
    objects.set(object.id, object)
    const [first] = objects.keys()
    if (objects.size > MOST[object.kind] && first !== undefined) objects.delete(first)
  }

  apply(kind: ObjectKind, change: ObjectChange, at: string): void {
    const after = objectAfter(this.get(kind, change.object_id), kind, change, at)
    const objects = this.#kinds.get(kind)
    if (!after) objects?.delete(change.object_id)
    else this.set(after)
    if (objects && change.before !== undefined) moveBefore(objects, change.object_id, change.before)
  }
}

/** The object after a change; undefined where that is its end. */
export function objectAfter(
  before: KnownObject | undefined,
  kind: ObjectKind,
  { object_id: id, state: name, to, source, message_id, details, object_has }: ObjectChange,
  at: string,
): KnownObject | undefined {
  if (to === 'NO_STATE') return undefined
  const { states = {}, since = at } = before ?? {}
  const known = states[name]
  const isSame = known?.state === to
  const state = isSame ? { ...known } : { state: to, source, since: at, message_id }
  delete (state as { object_has?: string }).object_has
  return {
    kind,
    id,
    states: { ...states, [name]: { ...state, ...(object_has !== undefined && { object_has }) } },
    details: details ? { ...before?.details, ...details } : (before?.details ?? {}),
    since,
  }
}

const NOTHING = new ObjectsOfEquipment()

/** The objects of all equipment: a view of the journal's entries about their changes. */
export class KnownObjects implements View {
  readonly name = 'gem300-objects'
  readonly version = 1
  readonly kinds = Object.values(CHANGE_KINDS)
  readonly #equipment = new Map<string, ObjectsOfEquipment>()

  of(equipmentId: string): ObjectsOfEquipment {
    return this.#equipment.get(equipmentId) ?? NOTHING
  }

  /** Removes the objects of deleted equipment. */
  forget(isGone: (equipmentId: string) => boolean): void {
    for (const id of [...this.#equipment.keys()]) if (isGone(id)) this.#equipment.delete(id)
  }

  load(line: JsonObject): void {
    const { equipment_id, ...object } = line
    this.#ofEquipment(String(equipment_id)).set(object as unknown as KnownObject)
  }

  apply({ name, key, at, data }: Entry): void {
    const kind = kindOfChange(name)
    if (kind) this.#ofEquipment(key).apply(kind, data as unknown as ObjectChange, at)
  }

  lines(): JsonObject[] {
    return [...this.#equipment].flatMap(([equipment_id, objects]) =>
      OBJECT_KINDS.flatMap((kind) =>
        objects.list(kind).map((object) => ({ equipment_id, ...object }) as unknown as JsonObject),
      ),
    )
  }

  /** No entries: the snapshot holds everything. */
  *pinned(): Generator<number> {}

  #ofEquipment(equipmentId: string): ObjectsOfEquipment {
    const objects = this.#equipment.get(equipmentId) ?? new ObjectsOfEquipment()
    this.#equipment.set(equipmentId, objects)
    return objects
  }
}
