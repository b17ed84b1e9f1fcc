import { expect, onTestFinished, test, vi } from 'vitest'
import { encodeFrame, type Frame, FrameReader } from '../../../src/hsms/frame/frame.js'
import { PartialMessage } from '../../../src/hsms/frame/partial-message.js'

const MIB = 1 << 20
const BLOCK = 16 * 1024

test.each([1, 10, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 5])(
  'a message of %i bytes is what came, however it was cut',
  (length) => {
    const bytes = new Uint8Array(length).map((_, at) => at % 251)
    for (const size of [1, 7, BLOCK - 1, BLOCK, BLOCK + 1, length]) {
      const message = new PartialMessage(length)
      let at = 0
      while (!message.whole) at += message.take(bytes.subarray(0, at + size), at)
      expect(at).toBe(length)
      expect(Buffer.compare(message.join(), bytes)).toBe(0)
    }
  },
)

test('it takes no more than it lacks', () => {
  const message = new PartialMessage(10)
  expect(message.take(new Uint8Array(8), 4)).toBe(4)
  expect(message.take(new Uint8Array(100), 20)).toBe(6)
  expect(message.take(new Uint8Array(100), 26)).toBe(0)
  expect(message.whole).toBe(true)
})

test('16 MiB in pieces of 1,460 bytes are copied once, and their first quarter twice: no more is held than has come four times', () => {
  const header = { sessionId: 1, byte2: 6, byte3: 11, pType: 0, sType: 0, systemBytes: 1 }
  const bytes = encodeFrame({ header, body: new Uint8Array(16 * MIB - 10).fill(7) })
  const reader = new FrameReader(16 * MIB)
  const copies = vi.spyOn(Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array, 'set')
  onTestFinished(() => copies.mockRestore())
  const frames: Frame[] = []
  for (let at = 0; at < bytes.length; at += 1460) frames.push(...reader.read(bytes.subarray(at, at + 1460)))
  const copied = copies.mock.calls.reduce((sum, [from]) => sum + from.length, 0)
  expect(frames.map(({ body }) => body.length)).toEqual([16 * MIB - 10])
  expect(copied).toBe(20 * MIB)
})
