import { expect, test } from 'vitest'
import { sealedLine } from '../../../../src/store/files/segments/journal-line.js'
import { encodeSegmentHead } from '../../../../src/store/files/segments/segment-head.js'
import { scanSegment } from '../../../../src/store/files/segments/segment-scan.js'

const HEAD = encodeSegmentHead(1, 1)

/** The line of an entry: its number, and the first and the last number of its batch. */
const line = (marks: string): Buffer => {
  const [seq, batch, end] = marks.split(' ')
  return sealedLine(
    `{"seq":${seq},"batch":${batch},"end":${end},"at":"2026-01-01T00:00:00.000Z","key":"e","type":"t","name":"n","data":{}`,
  )
}

const scanned = (bytes: Buffer, first = 1) => {
  const { entries, damaged, tornLast } = scanSegment(bytes, first, () => {})
  return [entries, damaged, tornLast]
}

test.each<[string, readonly string[], number, boolean, number | undefined]>([
  ['whole batches', ['1 1 2', '2 1 2', '3 3 3'], 3, false, undefined],
  ['a batch without its last entry', ['1 1 1', '2 2 3'], 1, false, 3],
  ['a batch that ends before it begins', ['1 1 0'], 0, false, undefined],
  ['a batch that began before its first entry', ['1 0 1'], 0, false, undefined],
  ['an entry of a batch that began in between', ['1 1 2', '2 2 2'], 0, true, 2],
  ['an entry of a batch that ends elsewhere', ['1 1 2', '2 1 3'], 0, false, 2],
  ['an entry left out', ['1 1 1', '3 3 3'], 1, true, undefined],
])('of lines as they were written, %s count as far as batches are whole', (_, lines, ...expected) => {
  expect(scanned(Buffer.concat([HEAD, ...lines.map(line)]))).toEqual(expected)
})

test('a head of another segment is damage, and one that was cut off a trace of a crash', () => {
  expect(scanned(HEAD, 7)).toEqual([0, true, undefined])
  expect(scanned(sealedLine('{"journal":2,"version":1,"first":1'))).toEqual([0, true, undefined])
  expect(scanned(HEAD.subarray(0, -1))).toEqual([0, false, undefined])
  expect(scanned(Buffer.concat([HEAD.subarray(0, -1), line('1 1 1')]))).toEqual([0, true, undefined])
})

test('segments of the first version have no head', () => {
  const bytes = Buffer.concat([line('5 5 5'), line('6 6 6')])
  expect(scanSegment(bytes, 5, () => {})).toMatchObject({ version: 1, entries: 2, end: bytes.length })
  expect(scanned(bytes, 4)).toEqual([0, true, undefined])
})
