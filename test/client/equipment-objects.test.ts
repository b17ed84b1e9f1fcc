import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EquipmentObjects } from '../../src/client/site/equipment-objects.js'
import type { Event } from '../../src/contract/topics/events.js'
import type { KnownObject } from '../../src/contract/topics/gem300/mapping.js'
import { type ObjectChange, ObjectsOfEquipment } from '../../src/gateway/gem300/view/known-objects.js'
import { OBJECT_KINDS, type ObjectKind } from '../../src/gem300/object-states.js'

const event = (id: number, kind: string, change: object): Event =>
  ({
    id: String(id),
    type: 'state',
    name: `${kind}_state`,
    at: new Date(id * 1000).toISOString(),
    data: change,
  }) as unknown as Event

const change = fc.record(
  {
    object_id: fc.constantFrom('1', 'FOUP7', 'a b', '__proto__'),
    state: fc.constantFrom('state', 'transfer', 'constructor'),
    from: fc.constant(null),
    to: fc.constantFrom('IDLE', 'BUSY', 'unknown (5)', 'NO_STATE'),
    source: fc.constantFrom('event' as const, 'query' as const),
    message_id: fc.constantFrom('7', '8'),
    details: fc.dictionary(fc.constantFrom('location', 'lot'), fc.constantFrom('LP1', 'CH1')),
    object_has: fc.constantFrom('IDLE', 'BUSY'),
    before: fc.constantFrom('1', 'FOUP7', 'a b', '__proto__'),
  },
  { requiredKeys: ['object_id', 'state', 'from', 'to', 'source', 'message_id'] },
)
const changes = fc.array(fc.tuple(fc.constantFrom(...OBJECT_KINDS), change), { maxLength: 60 })

const asListed = (objects: ObjectsOfEquipment): readonly KnownObject[] =>
  OBJECT_KINDS.flatMap((kind) => objects.list(kind).map(({ id, ...rest }) => ({ object_id: id, ...rest })))

test('events change objects as they change what the gateway knows, from any point on and also twice', () => {
  fc.assert(
    fc.property(changes, fc.nat(60), fc.nat(60), (all, readAfter, from) => {
      const known = new ObjectsOfEquipment()
      const objects = new EquipmentObjects()
      const events = all.map(([kind, one], at) => event(at + 1, kind, one))
      for (const [at, [kind, one]] of all.entries()) {
        if (at === readAfter) objects.set(asListed(known))
        known.apply(kind, one as ObjectChange, events[at]?.at ?? '')
      }
      // Some of these are in what was read.
      for (const one of events.slice(Math.min(from, readAfter))) objects.apply(one)
      if (readAfter >= all.length) return
      // One that went and came again comes last once more.
      const isInOrder = from >= readAfter
      const ordered = (listed: readonly KnownObject[]): readonly KnownObject[] =>
        isInOrder ? listed : listed.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
      const shown = ordered(OBJECT_KINDS.flatMap((kind) => objects.list(kind)))
      const wanted = ordered(asListed(known))
      expect(statesOf(shown)).toEqual(statesOf(wanted))
      expect(shown.map(({ details }) => details)).toEqual(wanted.map(({ details }) => details))
    }),
  )
})

const idOf = ({ kind, object_id }: KnownObject): string => `${kind} ${object_id}`

/** Times differ where an event is taken twice; states do not. */
const statesOf = (objects: readonly KnownObject[]) =>
  objects.map(({ kind, object_id, states }) => [
    kind,
    object_id,
    Object.entries(states).map(([name, { state, object_has }]) => [name, state, object_has]),
  ])

test('events about other things change nothing, and what an event cannot say is not there', () => {
  const objects = new EquipmentObjects()
  expect(objects.apply({ ...event(1, 'communication', { to: 'COMMUNICATING' }) })).toBe(false)
  expect(objects.apply({ ...event(1, 'port', {}), type: 'message' })).toBe(false)
  expect(OBJECT_KINDS.flatMap((kind) => objects.list(kind))).toEqual([])
})

test('of more objects than the gateway keeps the first are forgotten', () => {
  const objects = new EquipmentObjects()
  const kind: ObjectKind = 'substrate'
  for (let at = 0; at < 3000; at++)
    objects.apply(
      event(at, kind, {
        object_id: `W${at}`,
        state: 'state',
        to: 'AT_WORK',
        source: 'event',
        message_id: '1',
      }),
    )
  const ids = objects.list(kind).map(({ object_id }) => object_id)
  expect(ids).toHaveLength(2500)
  expect([ids[0], ids.at(-1)]).toEqual(['W500', 'W2999'])
})
