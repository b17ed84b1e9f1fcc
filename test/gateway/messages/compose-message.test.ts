import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import type { Problem } from '../../../src/contract/errors.js'
import type { NewMessage } from '../../../src/contract/topics/messages.js'
import { composeMessage, encodedSteps } from '../../../src/gateway/messages/compose-message.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import { atOnce } from '../../../src/kit/turns.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, B, L, U4 } from '../../../src/secs2/item.js'

const READING = plainReading(STANDARD_CATALOGUE)
const compose = (given: object) => atOnce(composeMessage(given as NewMessage, READING))

const S1F3 = { stream: 1, function: 3 }
const BODY = L(U4(7))

test.each([
  ['named data', { ...S1F3, data: { SVID: ['7'] } }],
  ['typed items', { ...S1F3, body: { L: [{ U4: [7] }] } }],
  ['SML', { sml: 'S1F3 W <L <U4 7>>.' }],
  ['SML beside the same numbers', { ...S1F3, sml: 'S1F3 W <L <U4 7>>.' }],
])('%s make the message with its bytes', (_, given) => {
  expect(compose(given)).toEqual({ ...S1F3, item: BODY, wait: true, body: encodeBody(BODY) })
})

test.each<[what: object, wait: boolean]>([
  [{ ...S1F3, wait_for_reply: false }, true],
  [{ sml: 'S1F3.' }, true],
  [{ stream: 9, function: 1, body: { B: [1] } }, false],
  [{ stream: 64, function: 1 }, true],
  [{ stream: 64, function: 1, wait_for_reply: false }, false],
  [{ sml: 'S64F1 W.' }, true],
  [{ sml: 'S64F1.' }, false],
  [{ sml: 'S64F1.', wait_for_reply: true }, true],
  [{ sml: 'S64F1 W.', wait_for_reply: false }, false],
])('%j needs a reply: %s', (given, wait) => {
  expect(compose(given).wait).toBe(wait)
})

test.each<[given: object, code: string, ...pointers: string[]]>([
  [{}, 'invalid_request', '/stream', '/function'],
  [{ stream: 1 }, 'invalid_request', '/function'],
  [{ function: 1 }, 'invalid_request', '/stream'],
  [{ ...S1F3, data: {}, body: { L: [] } }, 'invalid_request', '/data', '/body'],
  [{ ...S1F3, data: {}, sml: 'S1F3.' }, 'invalid_request', '/data', '/sml'],
  [{ stream: 1, function: 4 }, 'invalid_message', '/function'],
  [{ sml: 'S1F0.' }, 'invalid_message', '/function'],
  [{ sml: '' }, 'invalid_message', '/sml'],
  [{ sml: 'S1F3 W <L' }, 'invalid_message', '/sml'],
  [{ sml: 'S1F3 W. S1F3 W.' }, 'invalid_message', '/sml'],
  [{ sml: 'S1F3.', stream: 2 }, 'invalid_message', '/stream'],
  [{ sml: 'S1F3.', function: 5 }, 'invalid_message', '/function'],
  [{ ...S1F3, body: { L: [{ U4: ['x'] }] } }, 'invalid_message', '/body/L/0/U4/0'],
  [{ ...S1F3, data: { X: '1' } }, 'invalid_message', '/data/X'],
])('%j is refused with its faults: %s %s %s', (given, code, ...pointers) => {
  const errors = pointers.filter(Boolean).map((pointer) => ({ pointer, detail: expect.stringMatching(/./) }))
  expect(() => compose(given)).toThrow(expect.objectContaining({ code, extra: { errors } }))
})

test('all faults of a body come together, and the text names them as the pointers do', () => {
  const body = { L: [{ U4: ['x', 1, 2.5] }, { X: 1 }, 'A', { L: [{ A: 5 }, { BOOLEAN: [1] }] }, { U1: [7] }] }
  const pointers = ['/body/L/0/U4/0', '/body/L/0/U4/2', '/body/L/1/X', '/body/L/2', '/body/L/3/L/0/A']
  try {
    compose({ ...S1F3, body })
    throw new Error('it was taken')
  } catch (error) {
    const { message, extra } = error as Problem
    expect(extra.errors?.map(({ pointer }) => pointer)).toEqual([...pointers, '/body/L/3/L/1/BOOLEAN/0'])
    for (const { pointer, detail } of extra.errors?.slice(0, 3) ?? [])
      expect(message).toContain(`${pointer}: ${detail}`)
    expect(message).toContain('and 3 more')
  }
})

const ROOM = 16 * 1024 * 1024 - 10

test.each([
  [ROOM, true],
  [ROOM + 1, false],
])('a body of %i bytes has room: %s', (length, fits) => {
  // Each value has four bytes before it; the list has two.
  const values = [8 * 1024 * 1024, length - 2 - 8 - 8 * 1024 * 1024]
  const item = L(...values.map((size) => ({ format: 'B', value: new Uint8Array(size) }) as const))
  const make = () => atOnce(encodedSteps({ item }, '/sml'))
  if (fits) expect(make()).toHaveLength(length)
  else
    expect(make).toThrow(
      expect.objectContaining({
        code: 'invalid_message',
        extra: { errors: [expect.objectContaining({ pointer: '/sml' })] },
      }),
    )
})

test.each([
  ['/body', { stream: 2, function: 25, body: { B: [1] } }],
  ['/data', { stream: 2, function: 25, data: { ABS: '0x01' } }],
])('a value that no item has room for is a fault of %s', (pointer, given) => {
  const item = { format: 'B', value: new Uint8Array(2 ** 24) } as const
  expect(() => atOnce(encodedSteps({ item }, pointer))).toThrow(
    expect.objectContaining({ extra: { errors: [expect.objectContaining({ pointer })] } }),
  )
  expect(compose(given).item).toEqual(B(1))
})

test('what is no fault of a message is thrown as it is', () => {
  const fault = new TypeError('a bug')
  const broken = {
    ...READING,
    catalogue: {
      // biome-ignore lint/correctness/useYield: it throws before its first step.
      *buildGivenSteps() {
        throw fault
      },
    },
  } as never
  const body = {
    get A(): never {
      throw fault
    },
  }
  const given = [S1F3, { ...S1F3, body }]
  for (const one of given) expect(() => atOnce(composeMessage(one as NewMessage, broken))).toThrow(fault)
  const item = {
    get format(): never {
      throw fault
    },
  }
  expect(() => atOnce(encodedSteps({ item: item as never }, ''))).toThrow(fault)
})

test('a long body is made in steps, with a pause before it is sent', () => {
  const pauses = (length: number) =>
    [...composeMessage({ sml: `S2F25 W <A "${'x'.repeat(length)}">.` }, READING)].length
  // With the four bytes before the text.
  expect(pauses(256 * 1024 - 3) - pauses(256 * 1024 - 4)).toBe(1)
  expect(compose({ sml: 'S2F25 W <A "x">.' }).item).toEqual(A('x'))
})
