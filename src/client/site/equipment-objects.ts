import type { Event } from '../../contract/topics/events.js'
import { FOLLOWED_KINDS, type KnownObject } from '../../contract/topics/gem300/mapping.js'
import { moveBefore } from '../../kit/move-before.js'

export type ObjectKind = KnownObject['kind']

/** More of a kind than the gateway keeps of one equipment. */
const MOST_OF_A_KIND = 2500

/** What an event about a state of an object has. */
interface ObjectChange {
  readonly object_id: string
  readonly state: string
  readonly to: string
  readonly source: 'event' | 'query'
  readonly message_id: string
  readonly details?: Readonly<Record<string, string>>
  readonly object_has?: string
  readonly before?: string
}

/** The kind of object that an event is about; undefined for every other event. */
const kindOf = ({ type, name }: Event): ObjectKind | undefined =>
  type === 'state' ? FOLLOWED_KINDS.find((kind) => name === `${kind}_state`) : undefined

/** The ports, carriers, jobs, substrates and modules of one equipment: as they were read, and as events have changed them since. */
export class EquipmentObjects {
  readonly #kinds = new Map<ObjectKind, Map<string, KnownObject>>()

  /** In the order in which they became known, or were put since. */
  list(kind: ObjectKind): readonly KnownObject[] {
    return [...(this.#kinds.get(kind)?.values() ?? [])]
  }

  /** Takes all objects as they were read. */
  set(objects: readonly KnownObject[]): void {
    this.#kinds.clear()
    for (const object of objects) this.#of(object.kind).set(object.object_id, object)
  }

  /** False for an event that is not about an object. Events that what was read has already may come again, in their order. */
  apply(event: Event): boolean {
    const kind = kindOf(event)
    if (!kind) return false
    const change = event.data as unknown as ObjectChange
    const objects = this.#of(kind)
    if (change.to === 'NO_STATE') objects.delete(change.object_id)
    else objects.set(change.object_id, objectAfter(objects.get(change.object_id), kind, change, event.at))
    if (change.before !== undefined) moveBefore(objects, change.object_id, change.before)
    const [first] = objects.keys()
    if (objects.size > MOST_OF_A_KIND && first !== undefined) objects.delete(first)
    return true
  }

  #of(kind: ObjectKind): Map<string, KnownObject> {
    const objects = this.#kinds.get(kind) ?? new Map<string, KnownObject>()
    this.#kinds.set(kind, objects)
    return objects
  }
}

function objectAfter(
  before: KnownObject | undefined,
  kind: ObjectKind,
  { object_id, state: name, to, source, message_id, details, object_has }: ObjectChange,
  at: string,
): KnownObject {
  const known = before?.states[name]
  const { object_has: _, ...same } =
    known?.state === to ? known : { state: to, source, since: at, message_id }
  return {
    kind,
    object_id,
    states: { ...before?.states, [name]: { ...same, ...(object_has !== undefined && { object_has }) } },
    details: { ...before?.details, ...details },
    since: before?.since ?? at,
  }
}
