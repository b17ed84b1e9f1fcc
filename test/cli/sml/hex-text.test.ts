import { describe, expect, test } from 'vitest'
import { isHex, readHex } from '../../../src/cli/sml/hex-text.js'
import { hexOf } from '../../support/vectors.js'

const read = (text: string): string[][] =>
  readHex(text).map((lines) => lines.map(({ bytes }) => hexOf(bytes)))

describe('hex', () => {
  test.each([
    ['0101b10400000001'],
    ['01 01 b1 04 00 00 00 01'],
    ['01:01:B1:04:00:00:00:01'],
    ['0x01 0x01 0xB1 0x04 0x00 0x00 0x00 0x01'],
    ['0x01, 0x01, 0xb1, 0x04, 0x00, 0x00, 0x00, 0x01,'],
    ['\\x01\\x01\\xb1\\x04\\x00\\x00\\x00\\x01'],
    ['01-01-B1-04-00-00-00-01'],
    ['0101 b104 0000 0001\r\n'],
    ['0x1, 0x1, 0xB1, 0x4, 0x0, 0x0, 0x0, 0x1'],
    ['{0x01, 0x01, 0xb1, 0x04, 0x00, 0x00, 0x00, 0x01};'],
    ['[0x01, 0x01, 0xb1, 0x04, 0x00, 0x00, 0x00, 0x01]'],
    ['b"\\x01\\x01\\xb1\\x04\\x00\\x00\\x00\\x01"'],
    ["b'\\x01\\x01\\xb1\\x04\\0\\000\\x00\\x01'"],
    ['"\\x01\\x01\\xb1\\x04\\x00\\x00\\x00\\x01";'],
    ['2026-11-21 13:00:01.250 0101b10400000001'],
    ['2026-11-21T13:00:01Z: 01 01 b1 04 00 00 00 01'],
    ['\n\n  0101b104\t00000001  \n'],
  ])('%j is read', (text) => {
    expect(isHex(text)).toBe(true)
    expect(read(text)).toEqual([['0101b10400000001']])
  })

  test('is parted into lines, and into paragraphs by blank lines', () => {
    expect(read('0100\r\n2100\r\n\r\n4100\r2500')).toEqual([
      ['0100', '2100'],
      ['4100', '2500'],
    ])
  })

  test('of a string of bytes has letters and escapes beside it', () => {
    expect(read(`b'A\\x0a\\n\\t\\\\\\'"~'`)).toEqual([['410a0a095c27227e']])
  })

  test('of an array over several lines is read line by line', () => {
    expect(read('{\n  0x01, 0x00,\n  0x21, 0x00\n}').flat().join('')).toBe('01002100')
  })

  test.each([
    ['b"\\x0g"', 'line 1, column 3: expected a byte such as \\x0a, found \\'],
    ['b"é"', 'line 1, column 3: expected a byte such as \\x0a, found é'],
    ['b"a"b"', 'line 1, column 4: expected a byte such as \\x0a, found "'],
    ['b"\\x00', 'line 1 is no string of bytes in quotes'],
    ['00 😀', 'line 1, column 4: expected hex, found 😀'],
    ['2026-11-21 13:00:01 RX 0100', 'line 1, column 21: expected hex, found R'],
    ['0100\n01 0g', 'line 2, column 5: expected hex, found g'],
    ['00 xx', 'line 1, column 4: expected hex, found x'],
    ['0100\n   zz', 'line 2, column 4: expected hex, found z'],
    ['0x0 1 0x1', 'line 1: an odd number of hex digits, 3'],
  ])('%j is refused with its place', (text, message) => {
    expect(() => readHex(text)).toThrow(message)
  })

  test.each(["'S1F1' W", 'S1F1 W', '<L>', 'Abc: S1F1', '{"L":[]}', '', '/* 00 */', 'ff <'])(
    '%j is none',
    (text) => {
      expect(isHex(text)).toBe(false)
    },
  )
})

describe('a hex dump', () => {
  const BYTES = '0000001affff81010000000000014142434445464748494a4b4c4d4e4f50'

  test.each([
    [
      'xxd',
      '00000000: 0000 001a ffff 8101 0000 0000 0001 4142  ..............AB\n00000010: 4344 4546 4748 494a 4b4c 4d4e 4f50       CDEFGHIJKLMNOP\n',
    ],
    [
      'hexdump -C',
      '00000000  00 00 00 1a ff ff 81 01  00 00 00 00 00 01 41 42  |..............AB|\n00000010  43 44 45 46 47 48 49 4a  4b 4c 4d 4e 4f 50        |CDEFGHIJKLMNOP|\n0000001e\n',
    ],
    [
      'Wireshark’s packet bytes',
      '0000   00 00 00 1a ff ff 81 01 00 00 00 00 00 01 41 42   ..............AB\n0010   43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f 50         CDEFGHIJKLMNOP\n',
    ],
    [
      'text that looks like hex beside it',
      '00000000: 0000 001a ffff 8101 0000 0000 0001 4142  abcd12341234abcd\r\n00000010: 4344 4546 4748 494a 4b4c 4d4e 4f50       deadbeefdeadbe\r\n',
    ],
  ])('of %s is read without its offsets and its text', (_, text) => {
    expect(isHex(text)).toBe(true)
    expect(read(text)).toEqual([[BYTES]])
  })

  test('of a stream that Wireshark follows is read in runs of one direction', () => {
    const text = [
      '00000000  00 00 00 0a ff ff 00 00  00 01 00 00 00 01        ........ ......',
      '    00000000  00 00 00 0a ff ff 00 00  00 02 00 00 00 01        ........ ......',
      '0000000E  00 00 00 0a ff ff 00 00  00 05 00 00 00 02        ........ ......',
      '    0000000E  00 00 00 0a ff ff 00 00  00 06 00 00 00 02        ........ ......',
    ].join('\n')
    expect(read(text)).toEqual([
      ['0000000affff00000001' + '00000001'],
      ['0000000affff00000002' + '00000001'],
      ['0000000affff00000005' + '00000002'],
      ['0000000affff00000006' + '00000002'],
    ])
  })

  const FIRST = '00 00 01 00 ff ff 81 01  00 00 00 00 00 01 b2 00'
  const ZEROS = '00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00'
  const REPEATED = `${FIRST.replaceAll(' ', '')}${'00'.repeat(64)}41`

  test.each([
    ['hexdump -C', `00000000  ${FIRST}\n00000010  ${ZEROS}\n*\n00000050  41\n00000051\n`],
    ['od', `0000000 ${FIRST}\n0000020 ${ZEROS}\n*\n0000120 41\n0000121\n`.replaceAll('  ', ' ')],
    ['od -Ad', `0000000 ${FIRST}\n0000016 ${ZEROS}\n*\n0000080 41\n0000081\n`.replaceAll('  ', ' ')],
    ['od -Ax', `000000 ${FIRST}\n000010 ${ZEROS}\n*\n000050 41\n000051\n`.replaceAll('  ', ' ')],
  ])('of %s has * for lines that are the same', (_, text) => {
    expect(isHex(text)).toBe(true)
    expect(read(text)).toEqual([[REPEATED]])
  })

  test('may end with lines that are the same', () => {
    expect(read(`00000000  ${ZEROS}\n*\n00000030\n`)).toEqual([['00'.repeat(48)]])
  })

  test.each([
    [`00000000  ${ZEROS}\n*\n`, 'line 2: * stands for repeated lines, but'],
    [`00000000  ${ZEROS}\n*\n00000018\n`, 'line 2: * stands for repeated lines, but'],
    [`00000000  ${ZEROS}\n*\n00000010\n`, 'line 2: * stands for repeated lines, but'],
    [`00000000  ${ZEROS}\n*\nfffffff0\n`, 'line 2: * stands for 4294967264 bytes: 33554432 are taken'],
    ['0000000 0000 0a00 ffff 0000 0100 0000 0100\n000000e', 'hexdump without -C swaps bytes; use -C'],
    ['0000000 000000 005000 177777\n0000006', 'hexdump without -C swaps bytes; use -C'],
  ])('%j is refused', (text, message) => {
    expect(() => readHex(text)).toThrow(message)
  })

  const SELECT = '00 00 00 0a ff ff 00 00 00 01 00 00 00 01'
  test.each([
    ['Wireshark', `0000  ${SELECT}`],
    ['a tab', `0000\t${SELECT}`],
    ['one space', `0000 ${SELECT}`],
    ['od -tx1', `0000000 ${SELECT}`],
    ['od -tx1z', `0000000 ${SELECT}        >..............<`],
    ['od -tx1 of macOS', `0000000    ${SELECT.replaceAll(' ', '  ')}`],
    ['od -Ax -tx1', `000000 ${SELECT}`],
    ['the midst of a dump', `00000020  ${SELECT}`],
    ['the midst of a dump, by Wireshark', `0020   ${SELECT}   ..............`],
  ])('of one line has its offset left out: %s', (_, text) => {
    expect(read(text)).toEqual([['0000000affff0000000100000001']])
  })

  test.each([
    ['a length, and what it counts', '0000000a  ffff 0000 0001 0000 0001'],
    ['the same in bytes', '0000000a  ff ff 00 00 00 01 00 00 00 01'],
    ['words', '0000  000a ffff 0000 0001 0000 0001'],
  ])('is not %s', (_, text) => {
    expect(read(text)).toEqual([['0000000affff0000000100000001']])
  })

  test('is not a body a line, whose first bytes look like offsets', () => {
    expect(read('4101 61\n4102 6162')).toEqual([['410161', '41026162']])
  })

  test('with a line that is none is refused', () => {
    expect(() => readHex('0000   00 00\nS1F1 W')).toThrow('line 2 is not a line of a hex dump')
  })

  test('is no plain hex that begins with noughts', () => {
    expect(read('0000 000a ffff 0000 0001 0000 0001')).toEqual([['0000000affff0000000100000001']])
  })
})
