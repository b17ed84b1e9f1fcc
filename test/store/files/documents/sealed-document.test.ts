import { expect, test } from 'vitest'
import { inPieces } from '../../../../src/store/files/documents/sealed-document.js'

/** A value whose line has so many bytes. */
const ofLine = (bytes: number) => ({ t: 'x'.repeat(bytes - '{"t":""}\n'.length) })
const KIB = 1024

test.each([
  ['nothing', [], []],
  ['one value', [50], [50]],
  ['many short values', Array<number>(5).fill(50 * KIB), [150 * KIB, 100 * KIB]],
  ['lines that fill a piece', [64 * KIB, 64 * KIB, 50], [128 * KIB, 50]],
  ['long lines', [300 * KIB, 128 * KIB - 1, 1 * KIB], [300 * KIB, 129 * KIB - 1]],
])('%s: lines come in pieces of about 128 KiB, none of them empty', (_, lines, pieces) => {
  const found = [...inPieces(lines.map(ofLine))]
  expect(found.map(({ length }) => length)).toEqual(pieces)
  const text = Buffer.concat(found).toString()
  expect(text).toBe(lines.map((bytes) => `${JSON.stringify(ofLine(bytes))}\n`).join(''))
})
