import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/cli/errors/failure.js'
import { textOf } from '../../../src/cli/input/standard-input.js'
import { smlOfUnit } from '../../../src/cli/sml/print-units.js'
import { notationOf, readUnits } from '../../../src/cli/sml/read-units.js'
import { A, L, U4 } from '../../../src/secs2/item.js'
import { textCodec } from '../../../src/secs2/text.js'

const S1F3 = { kind: 'message', stream: 1, function: 3, wait: true, item: L(U4(1)) }

describe('the notation', () => {
  test.each([
    ['S1F3 W <L <U4 1>>.', 'sml'],
    ['  <L>', 'sml'],
    ['// 01 00\n<L>', 'sml'],
    ['\ufeff{"L":[]}', 'json'],
    [' [{"L":[]}]', 'json'],
    ['0100', 'hex'],
    ['\n 0x01 0x00', 'hex'],
    ['00000000: 0100  ..', 'hex'],
    ['{0x01, 0x00}', 'hex'],
    ['[\n  0x01,\n  0x00\n]', 'hex'],
    ['b"\\x01\\x00"', 'hex'],
    ['[{"A":"0x"}]', 'json'],
  ])('of %j is told by the text', (text, notation) => {
    expect(notationOf(text)).toBe(notation)
  })

  test('may be told instead', () => {
    expect(() => readUnits('0100', 'sml')).toThrow('this is not SML: line 1, column 1')
    expect(() => readUnits('S1F1 <')).toThrow('this is not SML: line 1')
    expect(() => readUnits('zz')).toThrow('this is neither hex nor SML: line 1, column 1')
    expect(() => readUnits('<L>', 'json')).toThrow('this is not JSON')
    expect(() => readUnits('<L>', 'hex')).toThrow('line 1, column 1: expected hex, found <')
  })

  test.each(['', ' \r\n', '\ufeff', '// nothing\n'])('of nothing, %j, gives nothing', (text) => {
    expect(readUnits(text)).toEqual([])
  })
})

describe('SML', () => {
  test('is messages, or one item', () => {
    expect(readUnits('S1F3 W <L <U4 1>>. S1F3 W <L <U4 1>>')).toEqual([S1F3, S1F3])
    expect(readUnits('* a comment\n# another\n/* one more */ <A "x">.')).toEqual([
      { kind: 'body', item: A('x') },
    ])
  })

  test('is in an encoding', () => {
    const [unit] = readUnits('<A "中">', undefined, textCodec('gb18030'))
    expect(unit).toEqual({ kind: 'body', item: A('\xd6\xd0') })
  })
})

describe('typed JSON', () => {
  const body = { L: [{ U4: [1] }] }

  test.each([
    ['an item', JSON.stringify(body), [{ kind: 'body', item: L(U4(1)) }]],
    ['a message', JSON.stringify({ stream: 1, function: 3, w_bit: true, body }), [S1F3]],
    ['a request', JSON.stringify({ stream: 1, function: 3, wait_for_reply: true, body }), [S1F3]],
    [
      'a header-only message',
      '{"stream":1,"function":1,"body":null}',
      [{ kind: 'message', stream: 1, function: 1, wait: false, item: undefined }],
    ],
    [
      'a record of the API, pretty',
      JSON.stringify({ id: '42', stream: 1, function: 3, w_bit: true, sml: 'x', body }, null, 2),
      [S1F3],
    ],
    [
      'an array',
      JSON.stringify([body, { A: 'x' }]),
      [
        { kind: 'body', item: L(U4(1)) },
        { kind: 'body', item: A('x') },
      ],
    ],
    [
      'one a line',
      '{"A":"x"}\r\n\r\n{"A":"y"}\r\n',
      [
        { kind: 'body', item: A('x') },
        { kind: 'body', item: A('y') },
      ],
    ],
  ])('is %s', (_, text, units) => {
    expect(readUnits(text)).toEqual(units)
  })

  test.each([
    ['{"L":[', 'this is not JSON'],
    ['{"L":[]}\n{"U1":x}', 'line 2: this is not JSON'],
    ['{"L":[{"U1":[1,256]}]}', '/L/0/U1/1: 256 is outside U1: 0 to 255'],
    ['[{"A":"x"},{"A":1}]', '/1: /A: text is a string'],
    ['{"A":"x"}\n{"A":1}', 'line 2: /A: text is a string'],
    ['{"stream":1,"function":3,"body":{"U1":[300]}}', '/body/U1/0: 300 is outside U1'],
    ['{"stream":128,"function":3,"body":null}', '/stream: an integer of 0 to 127'],
    ['{"stream":1,"function":"3","body":null}', '/function: an integer of 0 to 255'],
    ['{"stream":1,"function":3}', '/body: a message has a body'],
    ['{"stream":1,"function":3,"body":null,"decode_error":"cut"}', '/body: it is no SECS-II: cut'],
    ['[1]', 'an item is an object of one key'],
  ])('%j is refused with its place', (text, message) => {
    expect(() => readUnits(text)).toThrow(message)
  })
})

describe('the text of a file', () => {
  test.each([
    ['UTF-8', Buffer.from('<A "é">')],
    ['UTF-8 with a mark', Buffer.from('\ufeff<A "é">')],
    ['UTF-16 as PowerShell writes it', Buffer.from('\ufeff<A "é">', 'utf16le')],
    ['UTF-16, big-endian', Buffer.from('\ufeff<A "é">', 'utf16le').swap16()],
  ])('is %s', (_, bytes) => {
    expect(textOf(bytes, 'x.sml')).toBe('<A "é">')
  })

  test('that is none is refused, not mended', () => {
    expect(() => textOf(Buffer.from([0x41, 0x02, 0xe9, 0x41]), 'x.sml')).toThrow('x.sml is not UTF-8')
  })
})

test('any text is read or refused in words, and what is read prints as SML that is read again', () => {
  const pieces = [
    '00',
    '0000000a',
    'ffff',
    '0x',
    '\\x',
    'b"',
    '*',
    ':',
    '  ',
    '\n',
    'g',
    '{',
    '}',
    '[',
    '"L"',
    '<L',
    '>',
    'S1F1',
    '.',
  ]
  const piece = fc.oneof(
    fc.constantFrom(...pieces),
    fc.stringMatching(/^[0-9a-f]{0,6}$/),
    fc.string({ maxLength: 2 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
      try {
        for (const unit of readUnits(parts.join(''))) {
          if (unit.kind !== 'broken') readUnits(smlOfUnit(unit, {}), 'sml')
          else expect(unit.fault).toMatch(/^line \d+: /)
        }
      } catch (error) {
        expect(error).toBeInstanceOf(Failure)
      }
    }),
    { numRuns: 2000 },
  )
})
