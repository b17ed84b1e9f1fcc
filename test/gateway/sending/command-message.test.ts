import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { Problem } from '../../../src/contract/errors.js'
import type { NewCommand } from '../../../src/contract/topics/commands.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import { commandMessage, inCommand, styleOf } from '../../../src/gateway/sending/command-message.js'
import { codeIn, rejectedParameters } from '../../../src/gateway/sending/command-reply.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, B, type Item, L, U1, U2 } from '../../../src/secs2/item.js'

const RCMD = 'START'
const messageOf = (given: object) => commandMessage({ command: RCMD, ...given } as NewCommand)

test.each([
  [{}, 'host'],
  [{ object: 'LOT' }, 'enhanced'],
  [{ style: 'remote' }, 'remote'],
  [{ style: 'host', object: 'LOT' }, 'host'],
])('a command with %j is of the style %s', (given, style) => {
  expect(styleOf({ command: RCMD, ...given } as NewCommand)).toBe(style)
})

const nested = { LOT: 'L1', SLOTS: { A: 1, B: ['x', null] }, ONE: { U4: [7] }, NONE: {} }

test.each<[given: object, fn: number, data: object]>([
  [{}, 41, { RCMD, PARAMS: [] }],
  [{ parameters: { P: { U4: 1 } } }, 41, { RCMD, PARAMS: [{ CPNAME: 'P', CPVAL: { U4: 1 } }] }],
  [{ object: 'LOT' }, 49, { DATAID: '0', OBJSPEC: 'LOT', RCMD, PARAMS: [] }],
  [
    { style: 'enhanced', parameters: nested },
    49,
    {
      ...{ DATAID: '0', OBJSPEC: '', RCMD },
      PARAMS: [
        { CPNAME: 'LOT', CEPVAL: 'L1' },
        {
          CPNAME: 'SLOTS',
          CEPVAL: [
            ['A', 1],
            ['B', ['x', null]],
          ],
        },
        { CPNAME: 'ONE', CEPVAL: { U4: [7] } },
        { CPNAME: 'NONE', CEPVAL: [] },
      ],
    },
  ],
  [{ style: 'remote' }, 21, { RCMD }],
])('%j is S2F%i with %j', (given, fn, data) => {
  expect(messageOf(given)).toEqual({ stream: 2, function: fn, wait_for_reply: true, data })
  expect(messageOf({ ...given, wait_for_reply: false }).wait_for_reply).toBe(false)
})

test.each([
  [{ style: 'host', object: 'LOT' }, '/object'],
  [{ style: 'remote', object: 'LOT' }, '/object'],
  [{ style: 'remote', parameters: { P: '1' } }, '/parameters'],
])('%j is refused for %s', (given, pointer) => {
  const errors = [expect.objectContaining({ pointer })]
  expect(() => messageOf(given)).toThrow(
    expect.objectContaining({ code: 'invalid_request', extra: { errors } }),
  )
})

test.each([
  ['/data/RCMD', '/command'],
  ['/data/OBJSPEC', '/object'],
  ['/data/PARAMS/0/CPVAL', '/parameters/LOT'],
  ['/data/PARAMS/1', '/parameters/a~1b~0c'],
  ['/data/PARAMS/7', '/parameters'],
  ['/data/PARAMS', '/parameters'],
])('a fault at %s of the message is one at %s of the command', (pointer, own) => {
  const problem = new Problem('invalid_message', '', { errors: [{ pointer, detail: 'no' }] })
  expect(inCommand(problem, ['LOT', 'a/b~c'])).toMatchObject({
    ...{ code: 'invalid_message', extra: { errors: [{ pointer: own, detail: 'no' }] } },
  })
})

test.each([new Problem('reply_timeout', ''), new Error('a bug')])('%o is no fault of a command', (error) => {
  expect(inCommand(error, [])).toBe(error)
})

test('a problem without faults stays one', () => {
  expect(inCommand(new Problem('invalid_message', ''), [])).toMatchObject({ code: 'invalid_message' })
})

const READING = plainReading(STANDARD_CATALOGUE)
const replyOf = (fn: number, item: Item) =>
  new RecordedMessage(
    { direction: 'received', equipmentId: 'eq' },
    { sessionId: 0, stream: 2, function: fn, wait: false, systemBytes: 1, body: encodeBody(item) },
  )

test.each<[fn: number, item: 'HCACK' | 'CMDA', body: Item, code: number | null]>([
  [42, 'HCACK', L(B(0), L()), 0],
  [42, 'HCACK', L(B(4), L()), 4],
  [42, 'HCACK', L(U1(255), L()), 255],
  [42, 'HCACK', L(U2(256), L()), null],
  [42, 'HCACK', L(B(2)), 2],
  [42, 'HCACK', B(3), null],
  [42, 'HCACK', L(B(), L()), null],
  [42, 'HCACK', L(A('x'), L()), null],
  [42, 'HCACK', A('x'), null],
  [50, 'HCACK', L(B(1), L()), 1],
  [22, 'CMDA', B(1), 1],
  [22, 'CMDA', U1(0), 0],
  [22, 'HCACK', L(B(1)), null],
])('the code in an S2F%i as %s of %j is %s', (fn, item, body, code) => {
  expect(codeIn(replyOf(fn, body), item, READING)).toBe(code)
})

test.each<[parameters: Item, rejected: readonly (readonly [name: string, code: number])[]]>([
  [L(), []],
  [L(L(A('LOT'), B(2))), [['LOT', 2]]],
  [
    L(L(A('LOT'), B(2)), L(A('P'), B(3))),
    [
      ['LOT', 2],
      ['P', 3],
    ],
  ],
  [L(L(A('LOT'))), []],
  [L(L()), []],
  [L(A('LOT')), []],
  [L(L(A('LOT'), L(B(0), L(B(0), B(3)), B(1)))), [['LOT', 3]]],
  [L(L(A('LOT'), L())), [['LOT', 0]]],
  [L(L(A('LOT'), A('x'))), [['LOT', 0]]],
])('of the parameters %j these are rejected: %j', (parameters, rejected) => {
  const found = rejectedParameters(replyOf(42, L(B(3), parameters)), 'CPACK', READING)
  expect(found.map(({ name, cpack }) => [name, cpack])).toEqual(rejected)
  for (const { cpack, cpack_text } of found)
    expect(cpack_text).toBe(STANDARD_CATALOGUE.codeText('CPACK', cpack))
})
