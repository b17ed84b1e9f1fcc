import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import { Asking } from '../../../src/gateway/services/asking.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, B, type Item, L, U1, U2, U4 } from '../../../src/secs2/item.js'
import { numbered } from '../../../src/store/entry.js'

/** Equipment that replies with this body, or ends a transaction so; `sent` has what it got. */
function equipment(
  reply: Item | Uint8Array | undefined,
  outcome: object = { kind: 'replied' },
  formats = {},
) {
  const sent: Record<string, unknown>[] = []
  const body = reply instanceof Uint8Array ? reply : encodeBody(reply)
  const session = {
    reading: () => ({ ...plainReading(STANDARD_CATALOGUE), formats }),
    current: () => ({ id: 'eq', name: 'etcher', communication: 'gem' }),
    host: { refusesOnline: true },
    signs: '',
    lineNoise: null,
    send: async (primary: Record<string, unknown>) => {
      sent.push(primary)
      const { stream, function: fn } = primary as { stream: number; function: number }
      const wire = { sessionId: 0, stream, function: fn + 1, wait: false, systemBytes: 1, body }
      const message = new RecordedMessage({ direction: 'received', equipmentId: 'eq' }, wire)
      const entry = numbered(message.entry('2026-01-01T00:00:00.000Z'), 8)
      return {
        sent: { seq: 7 },
        ended: Promise.resolve({
          reply: entry,
          outcome,
          left: true,
          ...('reply' in outcome && { reply: undefined }),
        }),
      }
    },
  }
  return { asking: new Asking({ session: () => session } as never), sent }
}

const IDS = { message_id: '7', reply_id: '8' }

test('what a session says of its equipment', () => {
  const { asking } = equipment(undefined)
  expect([asking.nameOf('eq'), asking.refusesOnline('eq')]).toEqual(['etcher', true])
  expect(asking.bodyOf('eq', 'S1F3', { SVID: ['7'] })).toEqual(L(U4(7)))
  const other = equipment(undefined, {}, { SVID: 'U2' }).asking
  expect(other.bodyOf('eq', 'S1F3', { SVID: ['7'] })).toEqual(L(U2(7)))
})

test('data that does not fit is refused with its place, and nothing is sent', async () => {
  const { asking, sent } = equipment(undefined)
  await expect(asking.ask('eq', 'S2F37', { CEED: true, CEID: ['99999999999'] })).rejects.toMatchObject({
    code: 'invalid_message',
    extra: { errors: [{ pointer: expect.stringMatching(/^\/CEID/), detail: expect.any(String) }] },
  })
  expect(sent).toEqual([])
  const fault = new TypeError('a bug')
  const broken = new Asking({
    session: () => ({
      reading: () => ({
        catalogue: {
          buildKnown: () => {
            throw fault
          },
        },
      }),
    }),
  } as never)
  expect(() => broken.bodyOf('eq', 'S1F3', {})).toThrow(fault)
})

test('a question is sent with its body and its time limit, for no request', async () => {
  const { asking, sent } = equipment(L(U1(5)))
  const replied = await asking.ask('eq', 'S1F3', { SVID: ['7'] }, { timeout: 0.2504 })
  expect(replied).toEqual({ content: { SV: ['5'] }, body: L(U1(5)), ...IDS })
  await asking.ask('eq', 'S1F3', { SVID: [] })
  const body = encodeBody(L(U4(7)))
  const primary = { stream: 1, function: 3, wait: true, request: undefined }
  expect(sent).toMatchObject([{ ...primary, item: L(U4(7)), body, t3: 250 }, primary])
  expect(sent[1]).not.toHaveProperty('t3')
})

const CHANGE = { request: 'key', sentBy: 'ada', traceparent: 'trace', timeout: 0 } as never

test('a change is sent for its request and its caller, and its acknowledge code is read', async () => {
  const { asking, sent } = equipment(L(B(3), L()))
  const found = await asking.acknowledge('eq', 'S2F41', { RCMD: 'START', PARAMS: [] }, CHANGE)
  expect(found).toMatchObject({ accepted: false, code: 3, item: 'HCACK', body: L(B(3), L()), ...IDS })
  expect(sent).toMatchObject([{ request: 'key', sentBy: 'ada', traceparent: 'trace', t3: 0 }])
})

const invalid = Uint8Array.of(0xff)

test.each([
  ['without its structure', 'S1F3', U1(1), /S1F3 with an S1F4 that does not have its structure/],
  ['that is no SECS-II', 'S1F3', invalid, /S1F3 with an S1F4 that is not valid SECS-II/],
  ['without a code', 'S2F41', A('x'), /S2F41 with an S2F42 without a code/],
  ['without a body where there has to be one', 'S2F17', undefined, /structure/],
] as const)(
  'a reply %s is an error of the equipment, with the messages',
  async (_, message, reply, detail) => {
    const { asking } = equipment(reply)
    const asked =
      message === 'S2F41'
        ? asking.acknowledge('eq', message, { RCMD: 'START', PARAMS: [] }, CHANGE)
        : asking.askBody('eq', message, undefined)
    await expect(asked).rejects.toMatchObject({
      code: 'equipment_error',
      message: expect.stringMatching(detail),
      extra: IDS,
    })
  },
)

test('a reply without a body is an empty list where a list is due', async () => {
  const { asking } = equipment(undefined)
  expect(await asking.ask('eq', 'S1F3', { SVID: [] })).toEqual({
    content: { SV: [] },
    body: undefined,
    ...IDS,
  })
})

test('an end that has neither a reply nor a problem is a bug', async () => {
  const { asking } = equipment(undefined, { kind: 'replied', reply: null })
  await expect(asking.ask('eq', 'S1F3', { SVID: [] })).rejects.toThrow('without a reply')
})

test('a transaction that ends without a reply is the problem that it is for callers', async () => {
  const lost = equipment(undefined, { kind: 'lost' })
  await expect(lost.asking.ask('eq', 'S1F3', { SVID: [] })).rejects.toMatchObject({
    code: 'connection_lost',
    extra: { message_id: '7' },
  })
})
