import { FORMATS, type Format, type NumberFormat } from '../../src/secs2/format.js'
import { bytesItem, type Item } from '../../src/secs2/item.js'
import { INTEGER_RANGES, numberItem } from '../../src/secs2/number.js'
import { encodeText } from '../../src/secs2/text-item.js'
import type { Random } from '../support/random.js'

const TEXTS = ['', 'LOT-1', 'PPID "x" \\ y', 'a\tb\r\n', '\0\x7f', '日本語', 'é€😀', ' ', "it's"]
const JIS8_TEXTS = ['', 'ABC', 'ｱｲｳ', 'x\ny']
const FLOATS = [
  0,
  -0,
  1,
  -1.5,
  0.1,
  1e-45,
  3.4e38,
  1e-320,
  1.7e308,
  Number.NaN,
  Infinity,
  -Infinity,
  123456.789,
]

const LEAVES = FORMATS.filter((format) => format !== 'L')

/**
 * Any item, lists in lists. Unless it is `wild`, it is one that typed JSON tells the whole of: truths are 0 or
 * 1, J and C are text.
 */
export function randomItem(random: Random, wild: boolean, depth = 0): Item {
  if (depth < 6 && random(3) === 0) {
    return {
      format: 'L',
      items: Array.from({ length: random(5) }, () => randomItem(random, wild, depth + 1)),
    }
  }
  return randomLeaf(LEAVES[random(LEAVES.length)] ?? 'A', random, wild)
}

function randomLeaf(format: Exclude<Format, 'L'>, random: Random, wild: boolean): Item {
  switch (format) {
    case 'B':
      return bytesItem(format, randomBytes(random, 256))
    case 'BOOLEAN':
      return bytesItem(format, randomBytes(random, wild ? 256 : 2))
    case 'A':
      return { format, value: wire(random) }
    case 'J':
      return wild ? { format, value: wire(random) } : encodeText(format, pick(random, JIS8_TEXTS))
    case 'C':
      return wild ? { format, value: `\0${wire(random)}` } : encodeText(format, pick(random, TEXTS))
    default:
      return randomNumbers(format, random)
  }
}

const pick = (random: Random, texts: readonly string[]): string => texts[random(texts.length)] ?? ''

const randomBytes = (random: Random, bound: number): number[] =>
  Array.from({ length: random(5) }, () => random(bound))

/** Mostly what can be read, and any byte now and then. */
const wire = (random: Random): string =>
  String.fromCharCode(
    ...Array.from({ length: random(16) }, () => (random(8) === 0 ? random(256) : 0x20 + random(0x5f))),
  )

function randomNumbers(format: NumberFormat, random: Random): Item {
  const length = random(3) === 0 ? random(20) : 1
  if (format === 'F4' || format === 'F8') {
    const values = Array.from({ length }, () =>
      random(2) === 0 ? (random(2 ** 32) - 2 ** 31) / 2 ** random(30) : (FLOATS[random(FLOATS.length)] ?? 0),
    )
    return numberItem(format, format === 'F4' ? values.map(Math.fround) : values)
  }
  const { min, max } = INTEGER_RANGES[format]
  const any = (): bigint => (BigInt(random(2 ** 32)) << 32n) | BigInt(random(2 ** 32))
  return numberItem(
    format,
    Array.from({ length }, () =>
      random(4) === 0 ? (random(2) === 0 ? min : max) : min + (any() % (max - min)),
    ),
  )
}
