import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  allMessages,
  buildBody,
  findItem,
  findMessage,
  fits,
  readBody,
  replies,
  type View,
} from '../../src/catalogue/catalogue.js'
import { ITEMS } from '../../src/catalogue/items.js'
import { type MessageRow, structuresOf } from '../../src/catalogue/message-row.js'
import { itemNames, namesIn, type Structure } from '../../src/catalogue/structure.js'
import { NUMBER_WIDTHS, type NumberFormat } from '../../src/secs2/format.js'
import type { Item } from '../../src/secs2/item.js'
import { numberItem } from '../../src/secs2/number.js'

const SENDERS = ['host', 'equipment'] as const

const rows = allMessages().map((row) => ({
  ...row,
  sxfy: `S${row.stream}F${row.function} of ${row.direction}`,
}))

describe.each(rows)('$sxfy', (row) => {
  test('names items that the catalogue knows', () => {
    for (const structure of structuresOf(row)) {
      expect(itemNames(structure).filter((name) => findItem(name) === undefined)).toEqual([])
    }
  })

  test('has each name once at a level', () => {
    for (const structure of structuresOf(row)) {
      expect([...new Set(namesIn(structure))]).toEqual(namesIn(structure))
    }
  })

  test('has a W-bit and a reply that belong together', () => {
    if (row.function % 2 === 0) {
      expect(row.wBit).toBe('forbidden')
      expect(findMessage(row.stream, row.function - 1)).toBeDefined()
      return
    }
    expect(replies(row.stream, row.function)).toBe(row.wBit !== 'forbidden')
    if (row.wBit === 'forbidden') return
    const answering =
      row.direction === 'both' ? SENDERS : SENDERS.filter((sender) => sender !== row.direction)
    for (const sender of answering) {
      const reply = findMessage(row.stream, row.function + 1, sender)
      expect([sender, 'both']).toContain(reply?.direction)
    }
  })

  test('reads what it builds, and builds the same of what it reads', () => {
    const view = viewOf(row)
    fc.assert(
      fc.property(anyBody(structuresOf(row)[0]), (item) => {
        const values = readBody(row.stream, row.function, item, view)
        expect(values).not.toBeNull()
        expect(buildBody(row.stream, row.function, values ?? {}, view)).toEqual(item)
        expect(fits(row.stream, row.function, item, view.sender)).toBe(true)
      }),
      { numRuns: 25 },
    )
  })
})

test('messages stand in order, each once for a sender', () => {
  const keys = allMessages().map(({ stream, function: fn }) => stream * 256 + fn)
  expect(keys).toEqual([...keys].sort((a, b) => a - b))
  const senders = rows.map(({ sxfy }) => sxfy)
  expect([...new Set(senders)]).toEqual(senders)
})

test('every item is used by a message, and stands once', () => {
  const used = new Set(allMessages().flatMap((row) => structuresOf(row).flatMap(itemNames)))
  expect(ITEMS.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([])
  expect(new Set(ITEMS.map(({ name }) => name)).size).toBe(ITEMS.length)
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
  const known = findItem(name)
  const maxLength = known?.single && !many ? 1 : 4
  const bytes = fc.uint8Array({ maxLength })
  const format = known?.formats[0]
  switch (format) {
    case 'A':
      return fc.uint8Array({ maxLength: 8 }).map((value): Item => ({ format, bytes: value }))
    case 'B':
      return bytes.map((value): Item => ({ format, bytes: value }))
    case 'BOOLEAN':
      return bytes.map((value): Item => ({ format, bytes: value.map((byte) => byte & 1) }))
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
