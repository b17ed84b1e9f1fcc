import { type Item, L } from '../../secs2/item.js'
import type { Gem300View } from '../variants.js'
import type { BodyPart, ContentOf } from './body-part.js'
import { CARRIER_BODIES } from './carrier-bodies.js'
import { JOB_BODIES } from './job-bodies.js'
import { OBJECT_BODIES } from './object-bodies.js'

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

const partOf = <Name extends BodyName>(name: Name): BodyPart<BodyContent<Name>> =>
  BODIES[name] as unknown as BodyPart<BodyContent<Name>>
