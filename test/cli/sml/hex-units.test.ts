import { describe, expect, test } from 'vitest'
import { unitsOfHex } from '../../../src/cli/sml/hex-units.js'
import { A, L, U4 } from '../../../src/secs2/item.js'
import { hexOf } from '../../support/vectors.js'

const SELECT = '0000000a ffff 00 00 00 01 00000001'
const S1F13 = '0000000c 0001 81 0d 00 00 00000003 0100'

const told = (text: string): string[] =>
  unitsOfHex(text).map((unit) =>
    unit.kind === 'broken'
      ? unit.fault
      : unit.kind === 'frame'
        ? `frame ${unit.header.sType} ${hexOf(unit.body)}`
        : unit.kind,
  )

describe('hex is', () => {
  test.each([
    ['a body', '0101b10400000001', ['body']],
    ['a body a line', '0100\n2100\n\n4100', ['body', 'body', 'body']],
    ['a body over several lines', '0101\nb104\n00000001', ['body']],
    ['two bodies over several lines, parted by a blank one', '0101\n0100\n\n4102\n6162', ['body', 'body']],
    ['an HSMS message', SELECT, ['frame 1 ']],
    [
      'HSMS messages behind each other',
      `${SELECT}${S1F13}${SELECT}`,
      ['frame 1 ', 'frame 0 0100', 'frame 1 '],
    ],
    ['HSMS messages, one a line', `${SELECT}\n${S1F13}`, ['frame 1 ', 'frame 0 0100']],
    ['an HSMS message over several lines', S1F13.replaceAll(' ', '\n'), ['frame 0 0100']],
    ['a body and an HSMS message', `0100\n${SELECT}`, ['body', 'frame 1 ']],
    ['a control message without its length', 'ffff0000000100000001', ['frame 1 ']],
    ['a data message without its length', '0001810d0000000000030100', ['frame 0 0100']],
    ['a header-only one', '00008101000000000002', ['frame 0 ']],
    ['an HSMS message whose body is none', '0000000c 0001 81 0d 00 00 00000003 0101', ['frame 0 0101']],
    ['an HSMS message of an unknown SType', '0000000b 0001 02 03 04 ff 00000005 06', ['frame 255 06']],
    ['nothing', '\n \n', []],
  ])('%s', (_, text, expected) => {
    expect(told(text)).toEqual(expected)
  })

  test('a body where it could be a header as well, also when it is a broken one', () => {
    expect(told('410800000000000000aa')).toEqual(['body'])
    expect(told('0101b104000000010102')).toEqual([
      'line 1: no SECS-II body: 2 bytes after the end of the item (at byte 8)',
    ])
  })

  test('the items that it says', () => {
    expect(unitsOfHex('0101b10400000001\n410178')).toEqual([
      { kind: 'body', item: L(U4(1)) },
      { kind: 'body', item: A('x') },
    ])
  })
})

describe('what is broken is reported with line and byte', () => {
  test.each([
    ['0100\n0101', 'line 2: no SECS-II body: a list of 1 item, but 0 bytes are left (at byte 0)'],
    ['0102410161710100', 'line 1: no SECS-II body: I4 of 1 byte: no multiple of 4 (at byte 5)'],
    ['0000000cffff0000000100000001', 'line 1: an HSMS message of 12 bytes, but 10 are left (at byte 0)'],
    [`${SELECT}0000000a`, 'line 1: an HSMS message of 10 bytes, but 0 are left (at byte 14)'],
    [`${SELECT}0000`, 'line 1: HSMS wants 4 bytes of length, but 2 are left (at byte 14)'],
    [
      '00000009ffff00000001000000',
      'line 1: an HSMS message of 9 bytes has no room for its header (at byte 0)',
    ],
    ['00000000: 0000 000a ffff  ......', 'line 1: an HSMS message of 10 bytes, but 2 are left (at byte 0)'],
  ])('%j', (text, message) => {
    expect(unitsOfHex(text).flatMap((unit) => (unit.kind === 'broken' ? unit.fault : []))).toEqual([message])
  })
})

describe('what is whole is read beside what is broken', () => {
  const CUT = S1F13.slice(0, -2)
  const missing = 'an HSMS message of 12 bytes, but 11 are left'

  test.each([
    ['a message that is cut at the end', `${SELECT}${CUT}`, ['frame 1 ', `line 1: ${missing} (at byte 14)`]],
    [
      'a line that is cut between others',
      `${SELECT}\n${CUT}\n${SELECT}`,
      ['frame 1 ', `line 2: ${missing} (at byte 0)`, 'frame 1 '],
    ],
    [
      'messages folded as xxd -p folds them',
      `${SELECT}${SELECT}0000\n000c 0001 81 0d 00 00 00000003 01`,
      ['frame 1 ', 'frame 1 ', `line 1: ${missing} (at byte 28)`],
    ],
    [
      'a message folded within its header',
      '0000000c 0001\n81 0d 00 00 00000003 01',
      [`line 1: ${missing} (at byte 0)`],
    ],
    ['a body', '0100\n0101\n2100', ['body', expect.stringMatching(/^line 2: no SECS-II body/), 'body']],
  ])('%s', (_, text, expected) => {
    expect(told(text)).toEqual(expected)
  })
})
