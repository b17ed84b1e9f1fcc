import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import { messageOf, RecordedMessage, revived } from '../../../src/gateway/records/recorded-message.js'
import { atOnce } from '../../../src/kit/turns.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, B, type Item, L, U4 } from '../../../src/secs2/item.js'

const ALARM = L(B(0x81), U4(7), A('Door open'))
const READING = plainReading(STANDARD_CATALOGUE)
const AT = '2026-01-01T00:00:00.000Z'

const received = (body: Uint8Array, mayBeSpooled = false): RecordedMessage =>
  new RecordedMessage(
    { direction: 'received', equipmentId: 'eq_1', mayBeSpooled },
    { sessionId: 3, stream: 5, function: 1, wait: true, systemBytes: 9, body },
  )

const withItem = (item: Item): RecordedMessage => received(encodeBody(item))

test('is stored as its header and the base64 of its exact bytes, and is the same when it is read again', () => {
  const message = received(encodeBody(ALARM), true)
  const line = JSON.stringify({ seq: 1, ...message.entry(AT) })
  expect(JSON.parse(line)).toEqual({
    seq: 1,
    type: 'message',
    name: 'message_received',
    key: 'eq_1',
    topic: 'S5F1',
    at: AT,
    data: {
      stream: 5,
      function: 1,
      w_bit: true,
      session_id: 3,
      system_bytes: 9,
      body: 'AQMhAYGxBAAAAAdBCURvb3Igb3Blbg==',
      reply_to: null,
      may_be_spooled: true,
    },
  })
  const again = revived(JSON.parse(line))
  expect(JSON.stringify(again)).toBe(line)
  expect(messageOf(again)).toMatchObject({
    direction: 'received',
    equipmentId: 'eq_1',
    length: message.length,
  })
  expect([...messageOf(again).body]).toEqual([...message.body])
  expect(messageOf(again).item).toEqual(ALARM)
})

test('of tapped equipment it says whether it passed between the equipment and its own host', () => {
  const wire = { sessionId: 0, stream: 1, function: 1, wait: true, systemBytes: 9, body: encodeBody(ALARM) }
  const origin = { direction: 'sent', equipmentId: 'eq_1' } as const
  const stored = (isWithHost: boolean) =>
    messageOf(
      revived(
        JSON.parse(
          JSON.stringify({ seq: 1, ...new RecordedMessage({ ...origin, isWithHost }, wire).entry(AT) }),
        ),
      ),
    )
  expect([stored(true), stored(false)].map(({ from, to }) => `${from} ${to}`)).toEqual([
    'host equipment',
    'gateway equipment',
  ])
})

test('decodes its body once, and has the items that it was made with', () => {
  const message = withItem(ALARM)
  expect(message.item).toBe(message.item)
  const { sessionId, stream, function: fn, wait, systemBytes, body } = message
  const wire = { sessionId, stream, function: fn, wait, systemBytes, body }
  expect(new RecordedMessage({ direction: 'sent', equipmentId: 'eq_1' }, wire, { item: ALARM }).item).toBe(
    ALARM,
  )
})

test('does not keep the items of a long body', () => {
  const message = withItem(L(...Array.from({ length: 100_000 }, () => A('x'.repeat(20)))))
  expect(message.item).not.toBe(message.item)
  expect(atOnce(message.decodedInSteps())).toEqual(message.decoded)
})

test('has the text of a long body in parts, the same as in one', () => {
  expect(withItem(ALARM).parts).toBeUndefined()
  const long = withItem(L(A('x'.repeat(100_000))))
  const texts = long.parts?.map((part) =>
    typeof part === 'string' ? part : Buffer.from(part.bytes).toString('base64'),
  )
  expect(texts?.join('')).toBe(long.json)
})

test('says as a value why bytes are not SECS-II, and has then no content', () => {
  const message = received(Uint8Array.of(0xff))
  expect(message.decoded).toEqual({ item: undefined, fault: message.fault })
  expect(message.fault).toContain('format')
  expect(message.content('S5F1', 'equipment', READING)).toBeNull()
  expect(withItem(ALARM).content('S5F1', 'equipment', READING)).toMatchObject({ ALID: '7' })
})
