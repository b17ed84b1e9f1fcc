import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { atOnce } from '../../src/kit/turns.js'
import { decodeBody, decodeBodyInParts, passBody } from '../../src/secs2/decode.js'
import { encodeBodySteps, encodeItem } from '../../src/secs2/encode.js'
import { CHUNK, COPY_BYTES } from '../../src/secs2/in-parts.js'
import { A, type Item, L, type ListItem } from '../../src/secs2/item.js'
import { toTypedJson } from '../../src/secs2/json.js'
import { typedJsonParts } from '../../src/secs2/json-parts.js'
import { MAX_DEPTH, MAX_ITEMS, MAX_LENGTH } from '../../src/secs2/limits.js'
import { numberItem } from '../../src/secs2/number.js'
import { printSml, smlParts } from '../../src/secs2/sml/print.js'
import { textCodec } from '../../src/secs2/text.js'
import { anyItem } from './any-item.js'
import { longItem } from './long-item.js'

const codecs = fc.constantFrom('latin1', 'utf-8', 'gb18030', 'shift_jis', 'utf-16be', 'utf-7').map(textCodec)

describe.each([
  ['short items', anyItem, 200],
  ['long items', longItem, 30],
] as const)('in parts %s', (_, items, numRuns) => {
  test('are the same typed JSON as at once', () => {
    fc.assert(
      fc.property(items, codecs, (item, text) => {
        expect([...typedJsonParts(item, text)].join('')).toBe(JSON.stringify(toTypedJson(item, text)))
      }),
      { numRuns },
    )
  })

  test('are the same SML as at once', () => {
    fc.assert(
      fc.property(items, fc.option(codecs, { nil: undefined }), (item, text) => {
        const message = { stream: 6, function: 11, wait: true, item }
        const options = text ? { text } : {}
        expect([...smlParts(message, options)].join('')).toBe(printSml(message, options))
      }),
      { numRuns },
    )
  })

  test('are the same bytes as at once', () => {
    fc.assert(
      fc.property(items, (item) => {
        expect(Buffer.compare(atOnce(encodeBodySteps(item)), encodeItem(item))).toBe(0)
      }),
      { numRuns },
    )
  })

  test('are read as the same item as at once', () => {
    fc.assert(
      fc.property(items, (item) => {
        const bytes = encodeItem(item)
        expect(readInParts(bytes)).toEqual(decodeBody(bytes))
      }),
      { numRuns },
    )
  })
})

test('what cannot be read fails in parts as at once', () => {
  fc.assert(
    fc.property(anyItem, fc.nat(), fc.nat(255), (item, place, byte) => {
      const bytes = Uint8Array.from(encodeItem(item))
      bytes[place % bytes.length] = byte
      const outcome = outcomeOf(() => decodeBody(bytes))
      expect(outcomeOf(() => readInParts(bytes))).toEqual(outcome)
      const passed = outcomeOf(() => atOnce(passBody(bytes)))
      expect(passed).toEqual(typeof outcome === 'string' ? outcome : expect.anything())
    }),
  )
})

test('a body that is passed over has as many items as it is read as', () => {
  const itemsOf = (item: Item): number =>
    item.format === 'L' ? item.items.reduce((sum, inner) => sum + itemsOf(inner), 1) : 1
  fc.assert(
    fc.property(anyItem, (item) => {
      expect(atOnce(passBody(encodeItem(item))).items).toBe(itemsOf(item))
    }),
  )
})

test('lists nest as deep in a body that is read in parts as in any', () => {
  const nested = (depth: number): Buffer =>
    Buffer.concat([Buffer.alloc(2 * (depth - 1), Buffer.of(1, 1)), Buffer.of(1, 0)])
  expect(readInParts(nested(MAX_DEPTH))).toEqual(decodeBody(nested(MAX_DEPTH)))
  for (const read of [readInParts, decodeBody, (bytes: Uint8Array) => atOnce(passBody(bytes))]) {
    expect(() => read(nested(MAX_DEPTH + 1))).toThrow(
      expect.objectContaining({ fault: 'too_deep', offset: 2 * MAX_DEPTH }),
    )
  }
})

test('what no message may be fails in steps as at once', () => {
  const nested = (depth: number): Item => (depth === 0 ? A('x') : L(nested(depth - 1)))
  const wrong: readonly Item[] = [
    nested(MAX_DEPTH + 1),
    { format: 'A', value: '\u{100}' },
    L(nested(MAX_DEPTH), { format: 'A', value: '\u{100}' }),
    { format: 'L', items: Array.from({ length: MAX_ITEMS }, () => A('x')) },
    { format: 'B', value: new Uint8Array(MAX_LENGTH + 1) },
  ]
  for (const item of wrong) {
    const outcome = outcomeOf(() => encodeItem(item))
    expect(outcome).toEqual(expect.stringContaining('Secs2EncodeError'))
    expect(outcomeOf(() => atOnce(encodeBodySteps(item)))).toBe(outcome)
  }
  expect(atOnce(encodeBodySteps(nested(MAX_DEPTH)))).toEqual(encodeItem(nested(MAX_DEPTH)))
})

test.each([
  ['B', { format: 'B', value: Uint8Array.from({ length: 3 * COPY_BYTES + 1 }, (_, at) => at * 7) }],
  ['A', { format: 'A', value: `${'x'.repeat(COPY_BYTES)}${'\xff'.repeat(COPY_BYTES + 1)}` }],
  [
    'U2',
    numberItem(
      'U2',
      Array.from({ length: COPY_BYTES }, (_, at) => at & 0xffff),
    ),
  ],
  [
    'F8',
    numberItem(
      'F8',
      Array.from({ length: COPY_BYTES / 4 }, (_, at) => at / 7),
    ),
  ],
] as readonly (readonly [string, Exclude<Item, ListItem>])[])(
  'a long %s is encoded and read in steps',
  (_, leaf) => {
    const item = L(A('before'), leaf, A('after'))
    const bytes = encodeItem(item)
    const encoding = stepsOf(encodeBodySteps(item))
    expect(Buffer.compare(encoding.value, bytes)).toBe(0)
    const reading = stepsOf(decodeBodyInParts(bytes))
    // To compare millions of values as such takes minutes.
    expect(Buffer.compare(encodeItem(reading.value as Item), bytes)).toBe(0)
    expect(encoding.count).toBeGreaterThan(1)
    if (typeof leaf.value !== 'string') expect(reading.count).toBeGreaterThan(1)
  },
)

test('a long text that is no bytes is refused in steps as at once', () => {
  const item: Item = { format: 'A', value: `${'x'.repeat(2 * COPY_BYTES)}\u{1f600}` }
  const outcome = outcomeOf(() => encodeItem(item))
  expect(outcome).toEqual(expect.stringContaining('Secs2EncodeError'))
  expect(outcomeOf(() => atOnce(encodeBodySteps(item)))).toBe(outcome)
})

test('a body of many items is encoded in many steps', () => {
  const items = Array.from({ length: 40 }, () => L(...Array.from({ length: 4000 }, () => A('x'))))
  expect([...encodeBodySteps(L(...items))].length).toBeGreaterThan(10)
})

test('no part of a long item is long', () => {
  const wide = L(
    { format: 'B', value: new Uint8Array(100_000) },
    { format: 'A', value: '\0'.repeat(100_000) },
    { format: 'A', value: 'x'.repeat(100_000) },
    numberItem(
      'F8',
      Array.from({ length: 20_000 }, (_, at) => at / 7),
    ),
    L(...Array.from({ length: 20_000 }, () => L())),
  )
  const parts = [...typedJsonParts(wide), ...smlParts({ stream: 1, function: 2, wait: false, item: wide })]
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(32 * CHUNK)
})

function readInParts(bytes: Uint8Array): Item | undefined {
  const reading = decodeBodyInParts(bytes)
  for (let step = reading.next(); ; step = reading.next()) if (step.done) return step.value
}

function outcomeOf(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return String(error)
  }
}

function stepsOf<T>(steps: Generator<unknown, T>): { readonly count: number; readonly value: T } {
  for (let count = 0; ; count++) {
    const step = steps.next()
    if (step.done) return { count, value: step.value }
  }
}
