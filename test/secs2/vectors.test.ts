import { describe, expect, test } from 'vitest'
import { decodeBody } from '../../src/secs2/decode.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { fromTypedJson, toTypedJson } from '../../src/secs2/json.js'
import { parseItem, parseSml } from '../../src/secs2/sml/parse.js'
import { printItem, printSml } from '../../src/secs2/sml/print.js'
import { LATIN1 } from '../../src/secs2/text.js'
import { type BodyVector, bodyVectors, hexBytes, hexOf, vectors } from '../support/vectors.js'

const titled = bodyVectors.map((row) => ({ ...row, title: `${row.file} ${row.hex.slice(0, 40)}` }))

const header = ({ message }: BodyVector) => {
  const [, stream, fn, w] = /^S(\d+)F(\d+)( W)?$/.exec(message ?? 'S0F0') ?? []
  return { stream: Number(stream), function: Number(fn), wait: w !== undefined }
}

describe.each(titled)('$title: $why', (row) => {
  const { message, hex, minimal = hex, sml, json, json_hex = minimal } = row
  const item = decodeBody(hexBytes(hex))

  test('is read, and written with as few length bytes as can be', () => {
    expect(hexOf(encodeBody(item))).toBe(minimal)
    expect(decodeBody(hexBytes(minimal))).toEqual(item)
  })

  test('is SML', () => {
    if (message !== undefined) {
      expect(printSml({ ...header(row), item }, { text: LATIN1 })).toBe(sml)
      expect(parseSml(sml)).toEqual([{ ...header(row), item }])
    } else if (item !== undefined) {
      expect(printItem(item, { text: LATIN1 })).toBe(sml)
      expect(parseItem(sml)).toEqual(item)
    }
  })

  test('is read from SML in ASCII, folded and in lower case', () => {
    if (item === undefined) return expect(sml).not.toContain('<')
    expect(hexOf(encodeBody(parseItem(printItem(item, { width: 20 }))))).toBe(minimal)
    const lower = printItem(item).replace(/^(\s*<)(\w+)/gm, (_, open, format) => open + format.toLowerCase())
    expect(hexOf(encodeBody(parseItem(lower)))).toBe(minimal)
  })

  test('is typed JSON', () => {
    if (item === undefined) return expect(json).toBeNull()
    expect(toTypedJson(item)).toEqual(json)
    expect(hexOf(encodeBody(fromTypedJson(JSON.parse(JSON.stringify(json)))))).toBe(json_hex)
  })
})

describe('the vectors', () => {
  const texts = bodyVectors.map(({ message = '', hex }) => `${message} ${hex}`)

  test('are three hundred and more, no two of them alike', () => {
    expect(texts.length).toBeGreaterThanOrEqual(300)
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([])
  })

  test('of bytes and of SML that is refused are sixty and more each, no two of them alike', () => {
    const bytes = vectors<{ hex: string }>('bad-bodies.json').map(({ hex }) => hex)
    const sml = vectors<{ text: string }>('bad-sml.json').map(({ text }) => text)
    for (const bad of [bytes, sml]) {
      expect(bad.length).toBeGreaterThanOrEqual(60)
      expect(bad.filter((text, at) => bad.indexOf(text) !== at)).toEqual([])
    }
  })

  test('say where they come from', () => {
    const others = ['bad-bodies.json', 'bad-sml.json', 'sml.json', 'messages.json', 'frames.json']
    const all = [...bodyVectors, ...others.flatMap((file) => vectors<object>(file))]
    expect(all.filter(({ why }) => !why)).toEqual([])
  })
})
