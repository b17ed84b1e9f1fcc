import { expect, test } from 'vitest'
import { sealedLine } from '../../../../src/store/files/segments/journal-line.js'
import { decodeSegmentHead, encodeSegmentHead } from '../../../../src/store/files/segments/segment-head.js'

test('the head of a segment is read as it was written, whatever follows it', () => {
  const line = encodeSegmentHead(3, 17)
  const head = { version: 3, first: 17, length: line.length }
  expect(decodeSegmentHead(line)).toEqual(head)
  expect(decodeSegmentHead(Buffer.concat([line, Buffer.from('{"seq":17')]))).toEqual(head)
})

test.each([
  ['another notation', '{"journal":2,"version":1,"first":1'],
  ['no notation', '{"version":1,"first":1'],
  ['no version', '{"journal":1,"first":1'],
  ['a version that is no whole number', '{"journal":1,"version":1.5,"first":1'],
  ['no first number', '{"journal":1,"version":1'],
  ['a first number too large to count on', '{"journal":1,"version":1,"first":9007199254740992'],
])('a line with a good checksum and %s is no head', (_, text) => {
  expect(decodeSegmentHead(sealedLine(text))).toBeUndefined()
})

test('a head that was cut off or changed is none', () => {
  const line = encodeSegmentHead(1, 1)
  expect(decodeSegmentHead(Buffer.alloc(0))).toBeUndefined()
  expect(decodeSegmentHead(line.subarray(0, -1))).toBeUndefined()
  expect(decodeSegmentHead(Buffer.from(line.toString().replace('"first":1', '"first":2')))).toBeUndefined()
})
