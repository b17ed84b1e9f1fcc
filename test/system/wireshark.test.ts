import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FrameReader } from '../../src/hsms/frame/frame.js'
import { dataMessage, STYPE, type SType } from '../../src/hsms/frame/header.js'
import { decodeBody } from '../../src/secs2/decode.js'
import { encodeItem } from '../../src/secs2/encode.js'
import { FORMAT_CODES, isNumberFormat, NUMBER_WIDTHS } from '../../src/secs2/format.js'
import {
  A,
  B,
  BOOLEAN,
  bytesOf,
  F4,
  F8,
  I1,
  I2,
  I4,
  I8,
  type Item,
  L,
  lengthOf,
  U1,
  U2,
  U4,
  U8,
} from '../../src/secs2/item.js'
import { MAX_DEPTH } from '../../src/secs2/limits.js'
import { numbersOf } from '../../src/secs2/number.js'
import { bytesOfWire } from '../../src/secs2/text.js'
import { anyItem } from '../secs2/any-item.js'
import { controlBytes, dataBytes } from '../support/hsms-wire.js'
import { type Dissected, dissect, type Field } from './wireshark.js'

const ROUNDED = { 'data.item.value.float': 1e-5, 'data.item.value.double': 1e-13 } as const

const VALUE_FIELDS = {
  I1: 'data.item.value.int8',
  I2: 'data.item.value.int16',
  I4: 'data.item.value.int32',
  I8: 'data.item.value.int64',
  U1: 'data.item.value.uint8',
  U2: 'data.item.value.uint16',
  U4: 'data.item.value.uint32',
  U8: 'data.item.value.uint64',
  F4: 'data.item.value.float',
  F8: 'data.item.value.double',
} as const satisfies Record<string, Field>

type Expected = Partial<Record<Field, (string | number)[]>>

/** What our decoder makes of a frame, in Wireshark's fields. */
function ours(bytes: Uint8Array): Expected {
  const [frame, ...more] = new FrameReader(1 << 24).read(bytes)
  if (!frame || more.length > 0) throw new Error('not one frame')
  const { header, body } = frame
  const told: Expected = {
    length: [bytes.length - 4],
    'header.sessionid': [header.sessionId],
    'header.ptype': [header.pType],
    'header.stype': [header.sType],
    'header.system': [header.systemBytes],
  }
  if (header.sType !== STYPE.data) {
    return { ...told, 'header.statusbyte2': [header.byte2], 'header.statusbyte3': [header.byte3] }
  }
  const { stream, function: number, wait } = dataMessage(header, body)
  Object.assign(told, {
    'header.wbit': [wait ? 1 : 0],
    'header.stream': [stream],
    'header.function': [number],
  })
  const item = decodeBody(body)
  if (item) tellItem(item, told)
  return told
}

/** Adds an item, and those in it, in the order of the bytes. */
function tellItem(item: Item, told: Expected): void {
  const add = (field: Field, ...values: readonly (string | number)[]): void => {
    const known = told[field] ?? []
    for (const value of values) known.push(value)
    told[field] = known
  }
  const width = isNumberFormat(item.format) ? NUMBER_WIDTHS[item.format] : 1
  const length = lengthOf(item) * width
  add('data.item.format', FORMAT_CODES[item.format])
  add('data.item.length_bytes', length < 0x100 ? 1 : length < 0x1_0000 ? 2 : 3)
  add('data.item.length', length)
  switch (item.format) {
    case 'L':
      for (const inner of item.items) tellItem(inner, told)
      return
    case 'A':
      return add('data.item.value.string', item.value)
    case 'B':
      return add('data.item.value.binary', Buffer.from(bytesOf(item)).toString('hex'))
    case 'BOOLEAN':
      return add('data.item.value.boolean', ...bytesOf(item))
    case 'J':
    case 'C':
      return
    default:
      add(VALUE_FIELDS[item.format], ...Array.from(numbersOf(item), String))
  }
}

/** Wireshark's fields in one notation: its versions write truths, bytes and endless numbers differently. */
function theirs(dissected: Dissected): Expected {
  const notation = (field: string, text: string): string => {
    if (field === 'data.item.value.binary') return text === '<MISSING>' ? '' : text.replaceAll(':', '')
    if (text === 'True' || text === 'False') return text === 'True' ? '1' : '0'
    return field in ROUNDED ? text.replace(/inf(inity)?$/i, 'Infinity').replace(/^-?nan.*$/i, 'NaN') : text
  }
  return Object.fromEntries(
    [...dissected]
      .filter(([, values]) => values.length > 0)
      .map(([field, values]) => [field, values.map((text) => notation(field, text))]),
  )
}

/** Fails when Wireshark reads one of the frames differently. */
async function expectAgreement(frames: readonly Uint8Array[]): Promise<void> {
  const dissected = (await dissect(frames)).map(theirs)
  expect(dissected).toHaveLength(frames.length)
  for (const [at, frame] of frames.entries()) {
    const their = dissected[at] ?? {}
    const our = ours(frame)
    for (const [field, tolerance] of Object.entries(ROUNDED) as [keyof typeof ROUNDED, number][]) {
      const values = their[field]
      const exact = our[field]
      if (values === undefined || exact?.length !== values.length) continue
      // Wireshark rounds what it prints: what is near enough counts as the same.
      their[field] = exact.map((value, index) => {
        const printed = values[index] ?? ''
        return near(Number(value), Number(printed), tolerance) ? value : printed
      })
    }
    expect(textsOf(their)).toEqual(textsOf(our))
  }
}

const near = (exact: number, printed: number, tolerance: number): boolean =>
  Object.is(exact, printed) ||
  Math.abs(exact - printed) <= Math.abs(exact) * tolerance ||
  Number(exact.toPrecision(15)) === printed // the largest of all, rounded beyond themselves

/** Everything as text; a field whose only value is empty is left out, as Wireshark does not tell it from none. */
const textsOf = (fields: Expected): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([field, values]) => [field, values.join(' ; ')] as const)
      .filter(([, text]) => text !== ''),
  )

/** The item as far as Wireshark 4 reads it: it stops at JIS-8, behind `C`, and takes a truth from the lowest bit. */
function readable(item: Item): Item {
  if (item.format === 'L') return L(...item.items.map(readable))
  if (item.format === 'J' || item.format === 'C') return B(...bytesOfWire(item.value))
  if (item.format === 'A')
    return A(Array.from(bytesOfWire(item.value), (byte) => (byte % 36).toString(36)).join(''))
  return item.format === 'BOOLEAN' ? BOOLEAN(...Array.from(bytesOf(item), (byte) => byte !== 0)) : item
}

const carrying = (...items: readonly Item[]): Uint8Array[] =>
  items.map((item) => dataBytes({ body: encodeItem(item) }))

describe('Wireshark reads as we do', () => {
  test('the header of data messages, with and without W-bit', async () => {
    await expectAgreement([
      dataBytes(),
      dataBytes({ wait: false, stream: 6, function: 12, systemBytes: 0xffff_ffff }),
      dataBytes({ sessionId: 0, stream: 1, function: 0, wait: false, systemBytes: 0 }),
      dataBytes({ sessionId: 0x7fff, stream: 127, function: 255, systemBytes: 0x8000_0000 }),
    ])
  })

  test('every control message', async () => {
    const types = Object.keys(STYPE).filter((type) => type !== 'data') as SType[]
    await expectAgreement([
      ...types.map((type) => controlBytes(type)),
      controlBytes('selectRsp', { byte3: 1, systemBytes: 0xffff_ffff }),
      controlBytes('deselectRsp', { byte3: 2 }),
      controlBytes('rejectReq', { sessionId: 1, byte2: 5, byte3: 2 }),
    ])
  })

  test('every format, empty, once and several times', async () => {
    const numbers = [I1, I2, I4, I8, U1, U2, U4, U8, F4, F8]
    await expectAgreement(
      carrying(
        ...numbers.flatMap((make) => [make(), make(1), make(0, 1, 100)]),
        ...[L(), L(L()), A(''), A('ETCH-01'), B(), B(0), B(0, 127, 255), BOOLEAN(), BOOLEAN(true, false)],
        { format: 'C', value: '\0\x02AB' },
      ),
    )
  })

  test('numbers at the ends of their range', async () => {
    await expectAgreement(
      carrying(
        L(I1(-128, 127), I2(-32_768, 32_767), I4(-(2 ** 31), 2 ** 31 - 1), I8(-(2n ** 63n), 2n ** 63n - 1n)),
        L(U1(255), U2(65_535), U4(2 ** 32 - 1), U8(2n ** 64n - 1n)),
        L(F4(1.5, -0.1, Number.POSITIVE_INFINITY), F8(Math.PI, -Number.MAX_VALUE, Number.NaN)),
      ),
    )
  })

  test('lengths of one, two and three bytes', async () => {
    const many = (count: number): Item[] => Array.from({ length: count }, (_, at) => U1(at % 256))
    await expectAgreement(
      carrying(
        ...[0xff, 0x100, 0xffff, 0x1_0000].map((length) => A('x'.repeat(length))),
        ...[0xff, 0x100, 0x1_0000].map((length) => L(...many(length))),
        U4(...Array.from({ length: 20_000 }, (_, at) => at)),
      ),
    )
  })

  test('lists in lists as deep as we take them', async () => {
    let nested: Item = L(U1(7), A('deep'))
    for (let depth = 2; depth < MAX_DEPTH; depth++) nested = L(U1(depth), nested, A('after'))
    await expectAgreement(carrying(nested))
  })

  test('any item', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyItem.map(readable), { minLength: 50, maxLength: 100 }), (items) =>
        expectAgreement(carrying(...items)),
      ),
      { numRuns: 5 },
    )
  })
})
