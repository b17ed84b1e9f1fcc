import { expect, test } from 'vitest'
import { recordsLost, wholeBlocks } from '../../src/client/capture-blocks.js'
import { Capture } from '../../src/hsms/capture/capture.js'

/** A capture in which some records are missing twice. */
function capture(lost: readonly number[]): Buffer {
  const capture = new Capture({ program: 'test', name: 'etcher', description: 'a test', dialler: 'local' })
  const parts = [capture.begin()]
  capture.stands({ local: '127.0.0.1:40000', remote: '127.0.0.1:5000' })
  const header = { sessionId: 0, byte2: 0x81, byte3: 1, pType: 0, sType: 0, systemBytes: 1 }
  for (const count of lost) {
    if (count > 0) capture.lose(count)
    const frame = { header, body: new Uint8Array(count) }
    parts.push(...capture.add({ kind: 'frame', direction: 'in', frame }, 1_000_000))
  }
  return Buffer.concat(parts)
}

test('what is missing is added up over the blocks', () => {
  expect(recordsLost(capture([0, 3, 0, 4000]))).toBe(4003)
  expect(recordsLost(capture([0, 0]))).toBe(0)
})

test('a block that is not whole is left for later', () => {
  const bytes = capture([0, 5])
  expect(wholeBlocks(bytes)).toBe(bytes.length)
  const before = wholeBlocks(bytes.subarray(0, bytes.length - 1))
  expect(before).toBeLessThan(bytes.length)
  expect(recordsLost(bytes.subarray(before))).toBe(5)
  expect(wholeBlocks(bytes.subarray(0, 7))).toBe(0)
})
