import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.js'
import { Flag, input, named, namedInput, OptionalText, onePage, Page, Text } from '../../schema.js'
import { Recorded, recordedAs } from '../../values.js'
import { READS, Timeout, WRITES } from '../messages.js'
import { ObjectAttribute, ObjectError, ObjectId, ObjectResult, objectResultAs } from './object-values.js'

const TYPE = Type.String({ minLength: 1, maxLength: 256, description: 'OBJTYPE, such as `Substrate`.' })
const Specifier = OptionalText('OBJSPEC: the object that owns the others. Default: empty.', {
  maxLength: 256,
})

const ObjectType = named('ObjectType', {
  type: Text('OBJTYPE.'),
  attributes: Type.Array(Type.String(), {
    description: 'ATTRIDs of the type; empty where the equipment names none.',
  }),
})

export const ToldObject = named('EquipmentObject', {
  object_id: Text('OBJID.'),
  attributes: Type.Array(ObjectAttribute),
})
export type ToldObject = Static<typeof ToldObject>

const Attributes = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Values by ATTRID: a string, number, boolean, array or typed item such as `{"U1":[1]}`.',
})

const ObjectsTold = Type.Object({
  accepted: Flag('True for OBJACK 0.'),
  errors: Type.Array(ObjectError, { description: 'What the equipment says is wrong.' }),
  objects: Type.Array(ToldObject, { description: 'The objects as the equipment gives them.' }),
  ...Recorded,
})

const OBJECT = { object_id: 'W1', attributes: [{ name: 'SubstState', value: { U1: [1] }, text: '1' }] }
const TOLD = { accepted: true, errors: [], objects: [OBJECT], ...recordedAs(99) }

export const objectEndpoints = {
  listObjectTypes: endpoint('GET /equipment/{id}/objects/types', {
    ...READS,
    tag: 'objects',
    summary: 'List the types of objects of the equipment',
    description:
      'Sends S14F5, and S14F7 for the names of their attributes. The response has all in one page.',
    query: input({ specifier: Specifier, ...Timeout }),
    reply: Page(ObjectType),
    examples: { reply: onePage([{ type: 'Substrate', attributes: ['ObjID', 'SubstState'] }]) },
  }),
  getObjects: endpoint('GET /equipment/{id}/objects', {
    ...READS,
    tag: 'objects',
    summary: 'Get attributes of objects',
    description:
      'Sends S14F1. If the equipment refuses, the response is 200 with `accepted` false; it may have some objects all the same.',
    query: input({
      type: TYPE,
      object: Type.Optional(
        Type.Array(ObjectId('OBJID.'), { description: 'May be repeated. Default: all objects of the type.' }),
      ),
      attribute: Type.Optional(
        Type.Array(ObjectId('ATTRID.'), { description: 'May be repeated. Default: all attributes.' }),
      ),
      filter: Type.Optional(
        Type.Array(Type.String({ minLength: 2, maxLength: 1000 }), {
          maxItems: 20,
          description:
            'Only objects of which this is true, such as `SubstState>=1`: ATTRID, one of `=`, `!=`, `<`, `<=`, `>`, `>=`, `~` (the value is among those of the attribute) and `!~`, and a value, which is a number, `true`, `false`, text, text in quotes or a typed item such as `{"U1":[1]}`. May be repeated: all have to be true. Default: none.',
        }),
      ),
      specifier: Specifier,
      ...Timeout,
    }),
    reply: ObjectsTold,
    examples: { reply: TOLD },
  }),
  setObjects: endpoint('PUT /equipment/{id}/objects', {
    ...WRITES,
    tag: 'objects',
    summary: 'Set attributes of objects',
    description: 'Sends S14F3. If the equipment refuses, the response is 200 with `accepted` false.',
    body: namedInput('ObjectChange', {
      type: TYPE,
      objects: Type.Array(ObjectId('OBJID.'), { minItems: 1, maxItems: 1000 }),
      attributes: Attributes,
      specifier: Specifier,
    }),
    reply: ObjectsTold,
    audited: ['type', 'objects', 'attributes'],
    examples: { body: { type: 'Substrate', objects: ['W1'], attributes: { LotID: 'L1' } }, reply: TOLD },
  }),
  createObject: endpoint('POST /equipment/{id}/objects', {
    ...WRITES,
    tag: 'objects',
    summary: 'Create an object',
    description: 'Sends S14F9. If the equipment refuses, the response is 200 with `accepted` false.',
    body: namedInput('NewObject', { type: TYPE, attributes: Attributes, specifier: Specifier }),
    reply: Type.Object({ specifier: Text('OBJSPEC of the new object.'), ...ObjectResult }),
    audited: ['type', 'attributes'],
    examples: {
      body: { type: 'Substrate', attributes: { ObjID: 'W1' }, specifier: 'Equipment' },
      reply: { specifier: 'Substrate:W1', ...objectResultAs(99) },
    },
  }),
  deleteObject: endpoint('DELETE /equipment/{id}/objects', {
    ...WRITES,
    tag: 'objects',
    summary: 'Delete an object',
    description: 'Sends S14F11. If the equipment refuses, the response is 200 with `accepted` false.',
    query: input({
      specifier: Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'OBJSPEC: `ControlJob:CJ-1`, or `CJ-1` where the equipment wants the ID alone.',
      }),
      ...Timeout,
    }),
    reply: Type.Object(ObjectResult),
    examples: { reply: objectResultAs(99) },
  }),
} as const
