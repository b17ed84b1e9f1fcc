import { FORMAT_CODES, type Format, isNumberFormat, NUMBER_WIDTHS } from '../secs2/format.js'
import type { Entry } from './explanation.js'

/** What a format holds, and how one looks in SML and in JSON. */
const FORMATS: Readonly<Record<Format, readonly [meaning: string, sml: string, json: string]>> = {
  L: ['A list of items.', '<L <U4 1> <A "x">>', '{"L":[{"U4":[1]},{"A":"x"}]}'],
  B: ['Bytes.', '<B 0x00 0xFF>', '{"B":[0,255]}'],
  BOOLEAN: ['Truths, a byte each.', '<BOOLEAN TRUE>', '{"BOOLEAN":[true]}'],
  A: [
    'Text, a byte a character; Latin-1 unless the equipment has a text_encoding.',
    '<A "START">',
    '{"A":"START"}',
  ],
  J: ['Text in JIS-8.', '<J "START">', '{"J":"START"}'],
  C: [
    'Text of two-byte characters, with the number of their encoding in front.',
    '<C 0x00 0x02 "START">',
    '{"C":"START"}',
  ],
  I8: ['Signed integers of 8 bytes.', '<I8 -1>', '{"I8":[-1]}'],
  I1: ['Signed integers of 1 byte.', '<I1 -1>', '{"I1":[-1]}'],
  I2: ['Signed integers of 2 bytes.', '<I2 -1>', '{"I2":[-1]}'],
  I4: ['Signed integers of 4 bytes.', '<I4 -1>', '{"I4":[-1]}'],
  F8: ['Floating-point numbers of 8 bytes.', '<F8 1.5>', '{"F8":[1.5]}'],
  F4: ['Floating-point numbers of 4 bytes.', '<F4 1.5>', '{"F4":[1.5]}'],
  U8: ['Unsigned integers of 8 bytes.', '<U8 1>', '{"U8":[1]}'],
  U1: ['Unsigned integers of 1 byte.', '<U1 1>', '{"U1":[1]}'],
  U2: ['Unsigned integers of 2 bytes.', '<U2 1>', '{"U2":[1]}'],
  U4: ['Unsigned integers of 4 bytes.', '<U4 1>', '{"U4":[1]}'],
}

/** The largest and smallest value of an integer format. */
function range(format: Format): string | undefined {
  if (!isNumberFormat(format) || format.startsWith('F')) return undefined
  const bits = BigInt(NUMBER_WIDTHS[format] * 8)
  if (format.startsWith('U')) return `0 to ${2n ** bits - 1n}`
  return `${-(2n ** (bits - 1n))} to ${2n ** (bits - 1n) - 1n}`
}

/** The formats of SECS-II items (SEMI E5). */
export const FORMAT_WORDS: readonly Entry[] = Object.entries(FORMATS).map(([name, [meaning, sml, json]]) => {
  const format = name as Format
  const values = range(format)
  return {
    word: format,
    kind: 'SECS-II format',
    meaning,
    facts: [
      ['code', `0o${FORMAT_CODES[format].toString(8).padStart(2, '0')}`],
      ...(values === undefined ? [] : [['range', values] as const]),
      ['SML', sml],
      ['JSON', json],
    ],
    also: [],
    next: 'Much equipment accepts an item in one format only. Where this is not the format that the catalogue uses first, the record of the equipment can name it.',
    commands: [
      `echo '${sml}' | secsctl sml encode`,
      ...(isNumberFormat(format) ? [`secsctl equipment update EQ --format SVID=${format}`] : []),
    ],
  }
})
