import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MessageRow, SOURCES } from '../../src/catalogue/message-row.js'
import { STANDARD_CATALOGUE as CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { itemNames, namesIn, type Structure } from '../../src/catalogue/structure/structure.js'
import type { View } from '../../src/catalogue/view.js'
import { NUMBER_WIDTHS, type NumberFormat } from '../../src/secs2/format.js'
import { bytesItem, type Item } from '../../src/secs2/item.js'
import { numberItem } from '../../src/secs2/number.js'

const SENDERS = ['host', 'equipment'] as const

const rows = CATALOGUE.messages.map((row) => ({
  ...row,
  sxfy: `S${row.stream}F${row.function} of ${row.direction}`,
  structures: CATALOGUE.structures(row),
}))

/** The rows of which something is wrong, each with what it is. */
const wrong = (whatIsWrong: (row: (typeof rows)[number]) => readonly string[]): readonly string[] =>
  rows.flatMap((row) => whatIsWrong(row).map((fault) => `${row.sxfy}: ${fault}`))

test('every row names items that the catalogue knows', () => {
  const unknown = wrong(({ structures }) =>
    structures.flatMap(itemNames).filter((name) => CATALOGUE.item(name) === undefined),
  )
  expect(unknown).toEqual([])
})

test('every row has each name once at a level', () => {
  const twice = wrong(({ structures }) =>
    structures.flatMap((structure) => {
      const names = namesIn(structure)
      return names.filter((name, at) => names.indexOf(name) !== at)
    }),
  )
  expect(twice).toEqual([])
})

test('every row says where its facts come from, each source once', () => {
  const unsourced = wrong(({ source }) => {
    if ('site' in source) return ['a site']
    if (source.length === 0) return ['no source']
    return source.filter((one, at) => !Object.hasOwn(SOURCES, one) || source.indexOf(one) !== at)
  })
  expect(unsourced).toEqual([])
})

test('no row rests on a source with a copyleft licence alone', () => {
  expect(
    wrong(({ source }) => ('site' in source || source.join() !== 'secsgem' ? [] : ['secsgem alone'])),
  ).toEqual([])
})

test('every secondary asks for no reply, and has a primary', () => {
  const faults = wrong(({ stream, function: fn, wBit }) => {
    if (fn % 2 === 1) return []
    return [
      ...(wBit === 'forbidden' ? [] : [`W-bit ${wBit}`]),
      ...(CATALOGUE.find(stream, fn - 1) ? [] : ['no primary']),
    ]
  })
  expect(faults).toEqual([])
})

test('every primary that asks for a reply has one from whoever gets it, and no other has any', () => {
  const faults = wrong(({ stream, function: fn, wBit, direction }) => {
    if (fn % 2 === 0) return []
    if (wBit === 'forbidden') return CATALOGUE.replies(stream, fn) ? ['a reply that it does not want'] : []
    const answering = SENDERS.filter((sender) => direction === 'both' || sender !== direction)
    return answering
      .filter((sender) => {
        const reply = CATALOGUE.find(stream, fn + 1, sender)?.direction
        return reply !== sender && reply !== 'both'
      })
      .map((sender) => `no reply of the ${sender}`)
  })
  expect(faults).toEqual([])
})

test('every row reads what it builds, and builds the same of what it reads', () => {
  const faults = wrong((row) => {
    const view = viewOf(row)
    const tried = fc.check(
      fc.property(anyBody(row.structures[0]), (item) => {
        const values = CATALOGUE.readAny(row.stream, row.function, item, view)
        expect(values).not.toBeNull()
        expect(CATALOGUE.buildAny(row.stream, row.function, values ?? {}, view)).toEqual(item)
      }),
      { numRuns: 25 },
    )
    return tried.failed ? [fc.defaultReportMessage(tried) ?? 'it fails'] : []
  })
  expect(faults).toEqual([])
})

test('messages stand in order, each once for a sender', () => {
  const keys = CATALOGUE.messages.map(({ stream, function: fn }) => stream * 256 + fn)
  expect(keys).toEqual([...keys].sort((a, b) => a - b))
  const senders = rows.map(({ sxfy }) => sxfy)
  expect([...new Set(senders)]).toEqual(senders)
})

test('every item is used by a message, and stands once', () => {
  const used = new Set(rows.flatMap(({ structures }) => structures.flatMap(itemNames)))
  const names = CATALOGUE.items.map(({ name }) => name)
  expect(names.filter((name) => !used.has(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})

const viewOf = ({ direction }: MessageRow): View => ({ sender: direction === 'both' ? 'host' : direction })

/** Bodies of a structure whose items have the formats that are built. */
function anyBody(structure: Structure): fc.Arbitrary<Item | undefined> {
  return structure.kind === 'nothing' ? fc.constant(undefined) : anyPart(structure)
}

function anyPart(structure: Exclude<Structure, { kind: 'nothing' }>): fc.Arbitrary<Item> {
  switch (structure.kind) {
    case 'item':
      return anyLeaf(structure.name, structure.many)
    case 'items':
      return fc
        .array(anyLeaf(structure.name, false), { maxLength: 3 })
        .map((items): Item => ({ format: 'L', items }))
    case 'group':
      return fc
        .array(anyMember(structure.member), { maxLength: 3 })
        .map((items): Item => ({ format: 'L', items }))
    case 'choice':
      return fc.oneof(...structure.alternatives.map(anyMember))
    case 'list': {
      const whole = fc
        .tuple(...structure.members.map(anyMember))
        .map((items): Item => ({ format: 'L', items }))
      return structure.mayBeEmpty ? fc.oneof(whole, fc.constant<Item>({ format: 'L', items: [] })) : whole
    }
  }
}

function anyMember(structure: Structure): fc.Arbitrary<Item> {
  if (structure.kind === 'nothing') throw new Error('a part of a body is never nothing')
  return anyPart(structure)
}

function anyLeaf(name: string, many: boolean): fc.Arbitrary<Item> {
  const known = CATALOGUE.item(name)
  const maxLength = known?.single && !many ? 1 : 4
  const bytes = fc.uint8Array({ maxLength })
  const format = known?.formats[0]
  switch (format) {
    case 'A':
      return fc
        .uint8Array({ maxLength: 8 })
        .map((bytes): Item => ({ format, value: String.fromCharCode(...bytes) }))
    case 'B':
      return bytes.map((value) => bytesItem(format, value))
    case 'BOOLEAN':
      return bytes.map((value) =>
        bytesItem(
          format,
          value.map((byte) => byte & 1),
        ),
      )
    case undefined:
    case 'L':
    case 'J':
    case 'C':
      throw new Error(`${name} is built as ${format}: add it here`)
    default:
      return fc.array(anyNumber(format), { maxLength }).map((values) => numberItem(format, values))
  }
}

function anyNumber(format: NumberFormat): fc.Arbitrary<number | bigint> {
  switch (format) {
    case 'F4':
      return fc.float({ noNaN: true, noDefaultInfinity: true })
    case 'F8':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    default: {
      const bits = BigInt(NUMBER_WIDTHS[format] * 8)
      const isSigned = format.startsWith('I')
      const min = isSigned ? -(2n ** (bits - 1n)) : 0n
      return fc.bigInt({ min, max: min + 2n ** bits - 1n })
    }
  }
}
