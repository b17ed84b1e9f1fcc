import { describe, expect, test } from 'vitest'
import { unitsOfHex } from '../../../src/cli/sml/hex-units.js'
import { commentsOfBroken, hexOfUnit, jsonOfUnit, smlOfUnit } from '../../../src/cli/sml/print-units.js'
import { readUnits } from '../../../src/cli/sml/read-units.js'
import type { Unit } from '../../../src/cli/sml/unit.js'
import { bodyVectors, vectors } from '../../support/vectors.js'

const unitOf = (text: string): Unit => {
  const [unit] = readUnits(text)
  if (!unit || unit.kind === 'broken') throw new Error(`${text} holds nothing whole`)
  return unit
}
const plain = (hex: string): string => hex.replaceAll(' ', '')

const S1F13 = '0000000c 0001 81 0d 00 00 00000003 0100'

describe('an HSMS message is explained', () => {
  test('in comments before its SML', () => {
    expect(smlOfUnit(unitOf(S1F13), {})).toBe(
      [
        '// S1F13 Establish Communications Request',
        '// length        12: header 10, body 2',
        '// session ID    1',
        '// stream        1',
        '// function      13',
        '// W-bit         1: the sender expects a reply',
        '// PType         0: SECS-II',
        '// SType         0: data',
        '// system bytes  0x00000003',
        'S1F13 W',
        '<L [0]>.',
      ].join('\n'),
    )
  })

  test('when it is a control message', () => {
    const lines = smlOfUnit(unitOf('0000000a 0001 00 04 00 07 80000000'), {}).split('\n')
    expect(lines).toEqual([
      '// Reject.req',
      '// length        10: header 10, body 0',
      '// session ID    1',
      '// byte 2        0',
      '// byte 3        4',
      '// PType         0: SECS-II',
      '// SType         7: Reject.req',
      '// system bytes  0x80000000',
      '// reason 4: not selected',
    ])
  })

  test.each([
    ['0000000a ffff 00 00 00 01 00000001', 'Select.req', null],
    ['0000000a ffff 00 01 00 02 00000001', 'Select.rsp', 'status 1: already active'],
    ['0000000a ffff 00 00 00 03 00000001', 'Deselect.req', null],
    ['0000000a ffff 00 02 00 04 00000001', 'Deselect.rsp', 'status 2: busy'],
    ['0000000a ffff 00 00 00 05 ffffffff', 'Linktest.req', null],
    ['0000000a ffff 00 00 00 06 ffffffff', 'Linktest.rsp', null],
    ['0000000a 0001 63 01 00 07 00000001', 'Reject.req', 'reason 1: SType not supported'],
    ['0000000a 0001 05 02 00 07 00000001', 'Reject.req', 'reason 2: PType not supported'],
    ['0000000a 0001 00 03 00 07 00000001', 'Reject.req', 'reason 3: transaction not open'],
    ['0000000a 0001 00 09 00 07 00000001', 'Reject.req', 'reason 9: unknown to SEMI E37'],
    ['0000000a ffff 00 00 00 09 00000010', 'Separate.req', null],
    ['0000000c ffff 00 00 00 05 00000010 0100', 'Linktest.req', 'a body of 2 bytes, where none belongs'],
    ['0000000a ffff 00 00 00 08 00000010', 'SType 8', null],
    ['0000000a 0000 00 00 01 00 00000010', 'PType 1', null],
    ['0000000a 0000 81 00 00 00 00000010', 'S1F0 Abort Transaction', null],
    ['0000000a 0001 ff ff 00 00 00000004', 'S127F255', null],
  ])('%s is %s', (hex, name, detail) => {
    expect(jsonOfUnit(unitOf(hex), {})).toMatchObject({ name, detail, hex: plain(hex) })
  })

  test('as an object with the API’s names', () => {
    expect(jsonOfUnit(unitOf(S1F13), {})).toEqual({
      header: {
        session_id: 1,
        stream: 1,
        function: 13,
        w_bit: true,
        byte_2: 0x81,
        byte_3: 13,
        p_type: 0,
        s_type: 0,
        s_type_name: 'data',
        system_bytes: 3,
      },
      name: 'S1F13 Establish Communications Request',
      detail: null,
      length: 12,
      body: { L: [] },
      sml: 'S1F13 W\n<L [0]>.',
      hex: plain(S1F13),
    })
  })

  test('when its body cannot be read, which stands in hex', () => {
    const unit = unitOf('0000000c 0001 81 0d 00 00 00000003 0101')
    expect(smlOfUnit(unit, {}).split('\n').slice(-2)).toEqual([
      '// the body is no SECS-II: a list of 1 item, but 0 bytes are left (at byte 0)',
      '// 0101',
    ])
    expect(jsonOfUnit(unit, {})).toMatchObject({
      body: null,
      sml: null,
      detail: expect.stringContaining('no SECS-II'),
    })
  })

  test.each([
    [
      '0000000c 0001 81 0d 00 00 00000003 01',
      [
        'S1F13 Establish Communications Request, cut',
        'length        12: 11 there, 1 missing',
        'session ID    1',
        'stream        1',
        'function      13',
        'W-bit         1: the sender expects a reply',
        'PType         0: SECS-II',
        'SType         0: data',
        'system bytes  0x00000003',
        '0000000c0001810d00000000000301',
      ],
    ],
    [
      '0000000a ffff 00 00 00 05 00',
      [
        'an HSMS message, cut in its header',
        'length        10: 7 there, 3 missing',
        'session ID    65535',
        'byte 2        0',
        'byte 3        0',
        'PType         0',
        'SType         5',
        '0000000affff0000000500',
      ],
    ],
    ['0000000a', ['an HSMS message, cut in its header', 'length        10: 0 there, 10 missing', '0000000a']],
  ])('as far as it goes when it is cut: %s', (hex, lines) => {
    const [broken] = unitsOfHex(hex)
    if (broken?.kind !== 'broken') throw new Error(`${hex} is not broken`)
    expect(commentsOfBroken(broken)).toBe(lines.map((line) => `// ${line}`).join('\n'))
  })

  test.each(vectors<{ hex: string }>('frames.json'))('and is the same again: $why', ({ hex }) => {
    const unit = unitOf(hex)
    expect(hexOfUnit(unit)).toBe(plain(hex))
    expect(readUnits(JSON.stringify(jsonOfUnit(unit, {})))).toEqual([unit])
    expect(() => readUnits(smlOfUnit(unit, {}), 'sml')).not.toThrow()
  })
})

describe('any notation gives any other', () => {
  const few = bodyVectors.filter((_, at) => at % 5 === 0)

  test.each(few)('$file, $why', ({ message, minimal, hex, sml, json_hex }) => {
    const bytes = minimal ?? hex
    const unit = unitOf(sml)
    expect(hexOfUnit(unit)).toBe(bytes)
    if (message === undefined) expect(unitsOfHex(hex)).toEqual([unit])
    expect(readUnits(smlOfUnit(unit, { width: 40 }))).toEqual([unit])
    const fromJson = unitOf(JSON.stringify(jsonOfUnit(unit, {}), null, 2))
    expect(hexOfUnit(fromJson)).toBe(json_hex ?? bytes)
  })
})
