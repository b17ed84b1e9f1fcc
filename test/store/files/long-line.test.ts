import { expect, test } from 'vitest'
import { Base64 } from '../../../src/store/entry.js'
import {
  decodeEntry,
  encodeBatch,
  isWhole,
  type LineText,
  lineContent,
} from '../../../src/store/files/segments/journal-line.js'

const MEMBERS = '"key":"eq_1","type":"message","name":"message_received","data":'
const AT = '2026-01-01T00:00:00.000Z'

test.each([0, 1, 2, 3, 384 * 1024, 1_000_001])(
  'a line in parts is byte for byte the line of one text: %i bytes',
  async (size) => {
    const body = Uint8Array.from({ length: size + 7 }, (_, at) => (at * 31) & 0xff).subarray(7)
    const text = `{"body":"${Buffer.from(body).toString('base64')}","reply_to":null}`
    const parts = ['{"body":"', new Base64(body), '","reply_to":null}']
    const encoded = (data: LineText) =>
      encodeBatch(5, [lineContent(AT, MEMBERS, '{}'), lineContent(AT, MEMBERS, data)])
    const whole = await encoded(text)
    const inParts = await encoded(parts)
    expect(inParts.bytes.equals(whole.bytes)).toBe(true)
    expect(inParts).toMatchObject({ starts: whole.starts, mark: whole.mark, length: whole.length })
    const line = inParts.bytes.subarray(inParts.starts[1], -1)
    expect(isWhole(line)).toBe(true)
    expect(decodeEntry(line)).toMatchObject({ seq: 6, data: JSON.parse(text) })
  },
)

test('room after the lines is empty lines', async () => {
  const { bytes, length, mark } = await encodeBatch(1, [lineContent(AT, MEMBERS, '{}')], () => 100)
  const bare = await encodeBatch(1, [lineContent(AT, MEMBERS, '{}')])
  expect(bytes.subarray(0, length).equals(bare.bytes)).toBe(true)
  expect(bytes.subarray(length).equals(Buffer.alloc(100, '\n'))).toBe(true)
  expect(mark).toBe(bare.mark)
})
