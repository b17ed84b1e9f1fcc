import { StepMeter } from '../../kit/turns.js'
import { type Item, itemsIn, L } from '../../secs2/item.js'
import type { Gem300View } from '../variants.js'
import { type BodyPart, type ContentOf, listItems } from './body-part.js'
import { CARRIER_BODIES } from './carrier-bodies.js'
import { JOB_BODIES } from './job-bodies.js'
import { OBJECT, OBJECT_BODIES } from './object-bodies.js'

/** The messages of GEM 300 that have a body: S16F8, S16F10, S16F19 and S16F21 have none. */
export const BODIES = { ...CARRIER_BODIES, ...OBJECT_BODIES, ...JOB_BODIES } as const

export type BodyName = keyof typeof BODIES
export type BodyContent<Name extends BodyName> = ContentOf<(typeof BODIES)[Name]>

/** The body of a message, of either side. Throws `BodyError` for a value that this equipment has no item for. */
export const buildBody = <Name extends BodyName>(
  name: Name,
  content: BodyContent<Name>,
  view: Gem300View,
): Item => partOf(name).build(content, view, '')

/**
 * What a body says, from either side. Some equipment leaves out a body that would be an empty list. Throws `BodyError`
 * for what cannot be understood.
 */
export const readBody = <Name extends BodyName>(
  name: Name,
  item: Item | undefined,
  view: Gem300View,
): BodyContent<Name> => partOf(name).read(item ?? L(), view, '')

/** Attributes that are read in one step: about a millisecond of work. */
const READ_AT_ONCE = 500

/** The same in steps: equipment may have thousands of objects. */
export function* readBodyInSteps<Name extends BodyName>(
  name: Name,
  item: Item | undefined,
  view: Gem300View,
): Generator<void, BodyContent<Name>> {
  if (name !== 'S14F2') return readBody(name, item, view)
  return (yield* readObjects(item, view)) as BodyContent<Name>
}

function* readObjects(item: Item | undefined, view: Gem300View): Generator<void, BodyContent<'S14F2'>> {
  const [objects, ...others] = itemsIn(item)
  if (objects === undefined) return readBody('S14F2', item, view)
  const { RESULT } = readBody('S14F2', L(L(), ...others), view)
  const read: BodyContent<'S14F2'>['OBJECTS'][number][] = []
  const meter = new StepMeter(READ_AT_ONCE)
  for (const [at, one] of listItems(objects, '/OBJECTS').entries()) {
    const object = OBJECT.read(one, view, `/OBJECTS/${at}`)
    read.push(object)
    if (meter.due(1 + object.ATTRIBUTES.length)) yield
  }
  return { OBJECTS: read, RESULT }
}

const partOf = <Name extends BodyName>(name: Name): BodyPart<BodyContent<Name>> =>
  BODIES[name] as unknown as BodyPart<BodyContent<Name>>
