import { firstState, KINDS, type ObjectKind } from '../../../gem300/object-states.js'
import type { ToldObject } from '../../../gem300/told-object.js'
import {
  type KnownObject,
  type ObjectChange,
  type ObjectsOfEquipment,
  objectAfter,
  type StateSource,
} from './known-objects.js'

/** How it was told. */
export interface Telling {
  readonly source: StateSource
  readonly messageId: string
  /** ISO 8601. */
  readonly at: string
  /** Whether an object is told of anew: then also what has not changed is recorded, since it may have been lost. */
  readonly isAnew?: (object: Pick<ToldObject, 'kind' | 'id'>) => boolean
  /** Whether an event's state holds against what the attribute of the object says. */
  readonly holds?: (object: Pick<ToldObject, 'kind' | 'id'>, state: string) => boolean
}

/** Longer IDs and details are none: the catalogue's texts have 80 characters. */
const MAX_LENGTH = 256

export interface ChangeOfKind {
  readonly kind: ObjectKind
  readonly change: ObjectChange
}

export type DraftedObjects = Pick<ObjectsOfEquipment, 'get' | 'list'>

/** Objects as they are going to be with changes that are not recorded yet. */
export class ObjectDraft implements DraftedObjects {
  readonly #changed = new Map<string, KnownObject | undefined>()

  constructor(private readonly recorded: DraftedObjects) {}

  get(kind: ObjectKind, id: string): KnownObject | undefined {
    const key = `${kind} ${id}`
    return this.#changed.has(key) ? this.#changed.get(key) : this.recorded.get(kind, id)
  }

  /** New ones are last. */
  list(kind: ObjectKind): readonly KnownObject[] {
    const recorded = this.recorded.list(kind)
    const ids = new Set(recorded.map(({ id }) => id))
    const added = [...this.#changed.values()].flatMap((one) =>
      one?.kind === kind && !ids.has(one.id) ? [one] : [],
    )
    return [...recorded.flatMap(({ id }) => this.get(kind, id) ?? []), ...added]
  }

  /** What changes by what was told. */
  take(told: readonly ToldObject[], telling: Telling): readonly ChangeOfKind[] {
    return told.flatMap((one) => {
      if (one.id === '' || one.id.length > MAX_LENGTH) return []
      const { kind, id } = one
      const known = this.get(kind, id)
      const changes = changesOfOne(known, one, telling)
      const after = changes.reduce((before, change) => objectAfter(before, kind, change, telling.at), known)
      this.#changed.set(`${kind} ${id}`, after)
      return changes.map((change) => ({ kind, change }))
    })
  }
}

function changesOfOne(
  known: KnownObject | undefined,
  told: ToldObject,
  { source, messageId, holds = () => false, isAnew = () => false }: Telling,
): ObjectChange[] {
  const isNew = isAnew(told)
  const base = { object_id: told.id, source, message_id: messageId }
  if (told.isGone) return known ? [{ ...base, ...endOf(known, source) }] : []
  const changes = Object.entries(told.states).flatMap(([state, word]): ObjectChange[] => {
    const before = known?.states[state]
    const from = before?.state ?? null
    if (from !== null && source === 'query' && holds(told, state) && from !== word)
      return before?.object_has === word ? [] : [{ ...base, state, from, to: from, object_has: word }]
    // Where the two agree again, nothing differs any more.
    return from === word && before?.object_has === undefined && !isNew
      ? []
      : [{ ...base, state, from, to: word }]
  })
  const details = newDetails(isNew ? undefined : known, told.details)
  if (!details) return changes
  const [first, ...others] = changes
  if (first) return [{ ...first, details }, ...others]
  const state = Object.keys(told.states)[0] ?? Object.keys(known?.states ?? {})[0]
  const same = state === undefined ? undefined : known?.states[state]?.state
  return state === undefined || same === undefined ? [] : [{ ...base, state, from: same, to: same, details }]
}

/** The end of an object. */
function endOf(
  { kind, states }: KnownObject,
  source: StateSource,
): Pick<ObjectChange, 'state' | 'from' | 'to' | 'result'> {
  const state = firstState(kind)
  const from = states[state]?.state ?? null
  const isSurprise = source === 'query' && !KINDS[kind].over.includes(from ?? '')
  return { state, from, to: 'NO_STATE', ...(isSurprise && { result: 'unknown' as const }) }
}

function newDetails(
  known: KnownObject | undefined,
  told: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> | undefined {
  const changed = Object.entries(told).filter(
    ([name, value]) => value.length <= MAX_LENGTH && known?.details[name] !== value,
  )
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}
