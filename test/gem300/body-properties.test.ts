import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentMapItem, contentMapOf, slotMapItem, slotMapOf } from '../../src/gem300/carrier-attributes.js'
import { controlJobAttributes, controlJobOf } from '../../src/gem300/control-job-attributes.js'
import {
  BODIES,
  type BodyContent,
  type BodyName,
  buildBody,
  readBody,
} from '../../src/gem300/messages/bodies.js'
import { BodyError } from '../../src/gem300/messages/body-error.js'
import { PORT_ACTIONS, portActionOf } from '../../src/gem300/port-actions.js'
import { PROCESS_JOB_WORDS } from '../../src/gem300/process-job.js'
import { SLOT_WORDS } from '../../src/gem300/slot-map.js'
import { DEFAULT_VARIANTS, type Gem300View } from '../../src/gem300/variants.js'
import { decodeBody } from '../../src/secs2/decode.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { A, B, BOOLEAN, F8, I4, type Item, L, U1, U2, U4 } from '../../src/secs2/item.js'
import { textCodec } from '../../src/secs2/text.js'

const VIEWS: Readonly<Record<string, Gem300View>> = {
  standard: { variants: DEFAULT_VARIANTS },
  'other formats': {
    variants: { ...DEFAULT_VARIANTS, processJob: PROCESS_JOB_WORDS.executing_5, slotFormat: 'U2' },
    formats: {
      MF: 'A',
      PRRECIPEMETHOD: 'U2',
      PTN: 'U4',
      DATAID: 'U2',
      ERRCODE: 'I2',
      CAACK: 'B',
      OBJACK: 'B',
      ACKA: 'U1',
      SLOTID: 'I1',
      PRSTATE: 'B',
      CPVAL: 'U2',
      CTLJOBCMD: 'A',
      ACCESSMODE: 'B',
    },
  },
  'numbers as text, and slots that are there or not': {
    variants: { ...DEFAULT_VARIANTS, slots: SLOT_WORDS.present },
    formats: { PTN: 'A', DATAID: 'A', MF: 'U1', PRSTATE: 'A', PRJOBSPACE: 'B', ATTRRELN: 'B' },
    text: textCodec('utf-8'),
  },
}

const id = fc.stringMatching(/^[ -}]{0,20}$/)
const leaf: fc.Arbitrary<Item> = fc.oneof(
  fc
    .string({ maxLength: 5 })
    .filter((text) => /^[ -~]*$/.test(text))
    .map(A),
  fc.array(fc.nat(255), { maxLength: 3 }).map((bytes) => B(...bytes)),
  fc.array(fc.nat(255), { maxLength: 3 }).map((values) => U1(...values)),
  fc.array(fc.nat(65535), { maxLength: 3 }).map((values) => U2(...values)),
  fc.array(fc.nat(), { maxLength: 2 }).map((values) => U4(...values)),
  fc.array(fc.integer(), { maxLength: 2 }).map((values) => I4(...values)),
  fc.boolean().map((value) => BOOLEAN(value)),
  fc.double({ noNaN: true }).map((value) => F8(value)),
)
const { item } = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('item'), { maxLength: 7 }).map((items) => L(...items)),
  ),
}))

const small = fc.nat(127)
const port = fc.option(small, { nil: undefined })
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 4 })
const attribute = fc.record({ ATTRID: id, ATTRDATA: item })
const error = fc.record({ ERRCODE: fc.option(fc.nat(32767), { nil: undefined }), ERRTEXT: id })
const caack = fc.constantFrom('PERFORMED', 'WILL_BE_PERFORMED', 'INVALID_STATE', 'unknown (9)' as const)
const carrierResult = fc.record({ CAACK: caack, ERRORS: some(error) })
const objectResult = fc.record({
  OBJACK: fc.constantFrom('DONE', 'ERROR', 'unknown (7)' as const),
  ERRORS: some(error),
})
const objects = fc.record({
  OBJECTS: some(fc.record({ OBJID: id, ATTRIBUTES: some(attribute) })),
  RESULT: objectResult,
})
const jobResult = fc.record({ ACKA: fc.boolean(), ERRORS: some(error) })
const oneJobResult = fc.record({ PRJOBID: id, RESULT: jobResult })
const jobsResult = fc.record({ PRJOBID: some(id), RESULT: jobResult })
const job = {
  PRJOBID: id,
  MF: fc.constantFrom('CARRIER', 'SUBSTRATE', 'unknown (7)' as const),
  MATERIAL: some(fc.oneof(fc.record({ CARRIERID: id, SLOTID: some(small) }), fc.record({ MID: id }))),
  RECIPE: fc.record({
    PRRECIPEMETHOD: fc.constantFrom('RECIPE_ONLY', 'RECIPE_WITH_VARIABLE_TUNING', 'unknown (3)' as const),
    RCPSPEC: id,
    PARAMS: some(fc.record({ RCPPARNM: id, RCPPARVAL: item })),
  }),
  PRPROCESSSTART: fc.boolean(),
  PRPAUSEEVENTID: some(fc.oneof(fc.nat().map(String), fc.stringMatching(/^[a-z]{1,5}$/))),
}

const CONTENTS: { readonly [Name in BodyName]: fc.Arbitrary<BodyContent<Name>> } = {
  S3F17: fc.record({
    DATAID: port,
    CARRIERACTION: id,
    CARRIERID: id,
    PTN: port,
    ATTRIBUTES: some(fc.record({ CATTRID: id, CATTRDATA: item })),
  }),
  S3F18: carrierResult,
  S3F25: fc.record({
    PORTACTION: id,
    PTN: port,
    PARAMS: some(fc.record({ PARAMNAME: id, PARAMVAL: item })),
  }),
  S3F26: carrierResult,
  S3F27: fc.record({
    ACCESSMODE: fc.constantFrom('MANUAL', 'AUTO', 'unknown (4)' as const),
    PTN: some(small),
  }),
  S3F28: fc.record({
    CAACK: caack,
    ERRORS: some(fc.record({ PTN: port, ERRCODE: port, ERRTEXT: id })),
  }),
  S14F1: fc.record({
    OBJSPEC: id,
    OBJTYPE: id,
    OBJID: some(id),
    FILTERS: some(
      fc.record({
        ATTRID: id,
        ATTRDATA: item,
        ATTRRELN: fc.constantFrom('EQUAL', 'GREATER_OR_EQUAL', 'ABSENT', 'unknown (20)' as const),
      }),
    ),
    ATTRID: some(id),
  }),
  S14F2: objects,
  S14F3: fc.record({ OBJSPEC: id, OBJTYPE: id, OBJID: some(id), ATTRIBUTES: some(attribute) }),
  S14F4: objects,
  S14F5: id,
  S14F6: fc.record({ OBJTYPE: some(id), RESULT: objectResult }),
  S14F7: fc.record({ OBJSPEC: id, OBJTYPE: some(id) }),
  S14F8: fc.record({
    TYPES: some(fc.record({ OBJTYPE: id, ATTRID: some(id) })),
    RESULT: objectResult,
  }),
  S14F9: fc.record({ OBJSPEC: id, OBJTYPE: id, ATTRIBUTES: some(attribute) }),
  S14F10: fc.record({ OBJSPEC: id, ATTRIBUTES: some(attribute), RESULT: objectResult }),
  S14F11: fc.record({ OBJSPEC: id, ATTRIBUTES: some(attribute) }),
  S14F12: fc.record({ ATTRIBUTES: some(attribute), RESULT: objectResult }),
  S16F5: fc.record({
    DATAID: port,
    PRJOBID: id,
    PRCMDNAME: id,
    PARAMS: some(fc.record({ CPNAME: id, CPVAL: item })),
  }),
  S16F6: oneJobResult,
  S16F7: fc.record({
    TIMESTAMP: id,
    PRJOBID: id,
    PRJOBMILESTONE: fc.constantFrom('SETUP', 'COMPLETE', 'unknown (6)' as const),
    RESULT: jobResult,
  }),
  S16F9: fc.record({
    PREVENTID: fc.constantFrom('WAITING_FOR_MATERIAL', 'JOB_STATE_CHANGE', 'unknown (3)' as const),
    TIMESTAMP: id,
    PRJOBID: id,
    VALUES: some(fc.record({ VID: fc.nat().map(String), V: item })),
  }),
  S16F11: fc.record({ DATAID: port, ...job }),
  S16F12: oneJobResult,
  S16F15: fc.record({ DATAID: port, JOBS: some(fc.record(job)) }),
  S16F16: jobsResult,
  S16F17: some(id),
  S16F18: jobsResult,
  S16F20: some(
    fc.record({
      PRJOBID: id,
      PRSTATE: fc.constantFrom('QUEUED_POOLED', 'PROCESSING', 'ABORTING', 'unknown (99)' as const),
    }),
  ),
  S16F22: small,
  S16F27: fc.record({
    CTLJOBID: id,
    CTLJOBCMD: fc.constantFrom('CJSTART', 'CJHOQ', 'unknown (9)' as const),
    ACTION: fc.option(
      fc.record({ CPNAME: id, CPVAL: fc.constantFrom('SAVE_JOBS', 'REMOVE_JOBS', 'unknown (6)' as const) }),
      { nil: undefined },
    ),
  }),
  S16F28: fc.record({ ACKA: fc.boolean(), ERRORS: fc.array(error, { maxLength: 1 }) }),
}

const names = Object.keys(BODIES) as BodyName[]

for (const [variant, view] of Object.entries(VIEWS)) {
  test.each(names)(`%s is read as what it was built of: ${variant}`, (name) => {
    fc.assert(
      fc.property(CONTENTS[name] as fc.Arbitrary<BodyContent<BodyName>>, (content) => {
        const bytes = encodeBody(buildBody(name, content, view))
        expect(readBody(name, decodeBody(bytes), view)).toEqual(content)
      }),
    )
  })

  test(`Attributes are read as what they were written of: ${variant}`, () => {
    const slots = some(fc.constantFrom(...Object.values(view.variants.slots), 'unknown (17)' as const))
    fc.assert(
      fc.property(slots, (slotMap) => {
        expect(slotMapOf(slotMapItem(slotMap, view), view)).toEqual(slotMap)
      }),
    )
    const contents = some(fc.record({ lotId: id, substrateId: id }))
    fc.assert(
      fc.property(contents, (contentMap) => {
        expect(contentMapOf(contentMapItem(contentMap, view), view)).toEqual(contentMap)
      }),
    )
    const jobs = fc.record({
      id,
      carriers: some(id),
      processJobs: some(id),
      order: fc.constantFrom('ARRIVAL', 'OPTIMIZE', 'LIST', 'unknown (9)' as const),
      startsByItself: fc.boolean(),
    })
    fc.assert(
      fc.property(jobs, (controlJob) => {
        expect(controlJobOf(controlJobAttributes(controlJob, view), view)).toEqual(controlJob)
      }),
    )
  })
}

test('Whatever a body is, it is read or refused with the place', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.option(item, { nil: undefined }), (name, body) => {
      try {
        readBody(name, body, { variants: DEFAULT_VARIANTS })
      } catch (error) {
        expect(error).toBeInstanceOf(BodyError)
      }
    }),
    { numRuns: 3000 },
  )
})

test('Every way to ask for a port action is understood as that action', () => {
  for (const actions of Object.values(PORT_ACTIONS))
    for (const [action, words] of Object.entries(actions)) expect(portActionOf(words)).toBe(action)
  expect(portActionOf({ PORTACTION: 'Out Of Service', PARAMS: [] })).toBe('out_of_service')
  const status = (PARAMVAL: Item) => ({
    PORTACTION: 'ChangeServiceStatus',
    PARAMS: [{ PARAMNAME: 'SERVICESTATUS', PARAMVAL }],
  })
  expect(portActionOf(status(A('In Service')))).toBe('in_service')
  for (const wrong of [U1(7), L(), L(U1(1)), A('RESERVEATPORT')])
    expect(portActionOf(status(wrong))).toBeUndefined()
  expect(portActionOf({ PORTACTION: 'ChangeServiceStatus', PARAMS: [] })).toBeUndefined()
  expect(portActionOf({ PORTACTION: 'toString', PARAMS: [] })).toBeUndefined()
})
