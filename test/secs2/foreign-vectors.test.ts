import {
  A,
  type AbstractSecs2Item,
  B,
  BOOLEAN,
  F4,
  F8,
  I1,
  I2,
  I4,
  I8,
  L,
  SmlParser,
  U1,
  U2,
  U4,
  U8,
} from 'secs4js'
import { describe, expect, test } from 'vitest'
import { bodyVectors } from '../support/vectors.js'

const NUMBERS = { F4, F8, I1, I2, I4, U1, U2, U4 }
const LONG_NUMBERS = { I8, U8 }

/** The item of typed JSON as secs4js makes it, by its own constructors. */
function made(json: unknown): AbstractSecs2Item {
  const [[format, value] = ['', null]] = Object.entries(json as Record<string, unknown>)
  if (format === 'A') return A(String(value))
  const values = value as readonly unknown[]
  if (format === 'L') return L(...values.map(made))
  if (format === 'B') return B(Buffer.from(values.map(Number)))
  if (format === 'BOOLEAN') return BOOLEAN(...values.map(Boolean))
  if (format === 'I8' || format === 'U8')
    return LONG_NUMBERS[format](...values.map((one) => BigInt(String(one))))
  return NUMBERS[format as keyof typeof NUMBERS](...values.map(Number))
}

/**
 * What its parser reads: not 64-bit integers, which it makes a Number first, nor bytes as truths, escaped
 * quotes and exponents.
 */
const isReadable = (sml: string): boolean => !/[IU]8 -?\d{16}|<BOOLEAN|\\"|\de[+-]/.test(sml)

const theirs = bodyVectors.filter(({ file }) => file === 'secs4js.json')

describe('the vectors that secs4js made', () => {
  test.each(theirs)('it makes them still: $message, $why', ({ hex, json }) => {
    expect(made(json).toBuffer().toString('hex')).toBe(hex)
  })

  test.each(theirs.filter(({ sml }) => isReadable(sml)))(
    'it reads our SML: $message, $why',
    ({ hex, sml }) => {
      expect(SmlParser.parse(sml).body?.toBuffer().toString('hex')).toBe(hex)
    },
  )

  test('are many', () => {
    expect(theirs.length).toBeGreaterThan(60)
    expect(theirs.filter(({ sml }) => isReadable(sml)).length).toBeGreaterThan(60)
  })
})
