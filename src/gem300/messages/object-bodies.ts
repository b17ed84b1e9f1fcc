import { anything, code, list, record, text } from './body-part.js'
import { OBJECT_RESULT, pairs } from './result-parts.js'

/**
 * ATTRRELN: how the value of a filter compares with the attribute of an object, and not the other way round (SEMI E5): 3 and
 * LESS finds the objects whose attribute is more than 3. PRESENT: the value is among those of the attribute. Two sources
 * have 6 and 7 so, and all above as errors; one controller takes 6 and 7 for an attribute that has any value or none, and
 * has 8 and 9 for values of lists.
 */
export type Relation =
  | 'EQUAL'
  | 'NOT_EQUAL'
  | 'LESS'
  | 'LESS_OR_EQUAL'
  | 'GREATER'
  | 'GREATER_OR_EQUAL'
  | 'PRESENT'
  | 'ABSENT'
const RELATION_WORDS = {
  0: 'EQUAL',
  1: 'NOT_EQUAL',
  2: 'LESS',
  3: 'LESS_OR_EQUAL',
  4: 'GREATER',
  5: 'GREATER_OR_EQUAL',
  6: 'PRESENT',
  7: 'ABSENT',
} as const

const ATTRIBUTE = record({ ATTRID: text('ATTRID'), ATTRDATA: anything })
const ATTRIBUTES = pairs(ATTRIBUTE)
/** An object as S14F2 has it. */
export const OBJECT = record({ OBJID: text('OBJID'), ATTRIBUTES })
const OBJECTS = list(OBJECT)
const OBJIDS = list(text('OBJID'))
const OBJSPEC = text('OBJSPEC')
const OBJTYPE = text('OBJTYPE')

/** Messages of stream 14: objects of any type. */
export const OBJECT_BODIES = {
  S14F1: record({
    OBJSPEC,
    OBJTYPE,
    OBJID: OBJIDS,
    FILTERS: list(
      record({
        ATTRID: text('ATTRID'),
        ATTRDATA: anything,
        ATTRRELN: code<Relation>('ATTRRELN', RELATION_WORDS),
      }),
    ),
    ATTRID: list(text('ATTRID')),
  }),
  S14F2: record({ OBJECTS, RESULT: OBJECT_RESULT }),
  S14F3: record({ OBJSPEC, OBJTYPE, OBJID: OBJIDS, ATTRIBUTES }),
  S14F4: record({ OBJECTS, RESULT: OBJECT_RESULT }),
  S14F5: OBJSPEC,
  S14F6: record({ OBJTYPE: list(OBJTYPE), RESULT: OBJECT_RESULT }),
  S14F7: record({ OBJSPEC, OBJTYPE: list(OBJTYPE) }),
  S14F8: record({
    TYPES: list(record({ OBJTYPE, ATTRID: list(text('ATTRID')) })),
    RESULT: OBJECT_RESULT,
  }),
  S14F9: record({ OBJSPEC, OBJTYPE, ATTRIBUTES }),
  S14F10: record({ OBJSPEC, ATTRIBUTES, RESULT: OBJECT_RESULT }),
  S14F11: record({ OBJSPEC, ATTRIBUTES }),
  S14F12: record({ ATTRIBUTES, RESULT: OBJECT_RESULT }),
} as const
