import { expect, test } from 'vitest'
import { printedWire } from '../../../src/cli/wire/wire-printer.js'
import type { WireRecord } from '../../../src/contract/topics/wire.js'

const AT = '2026-03-01T08:00:00.123Z'
const FRAME: WireRecord = {
  at: AT,
  kind: 'frame',
  direction: 'out',
  header: {
    session_id: 0,
    stream: 1,
    function: 3,
    w_bit: true,
    byte_2: 0x81,
    byte_3: 3,
    p_type: 0,
    s_type: 0,
    s_type_name: 'data',
    system_bytes: 7,
  },
  name: 'S1F3 Selected Equipment Status Request',
  detail: null,
  length: 15,
  sml: 'S1F3 W\n<L [1]\n  <U1 5>\n>.',
  hex: '0000000f00008103000000000007010 1a50105'.replace(' ', ''),
  cut: false,
}
const print = (record: WireRecord, format: 'table' | 'tsv' | 'sml', hex = false): string =>
  printedWire(record, { format, hex, formatTime: (at) => at.slice(11, 23) })

test('a message is a line with its way, its name and its numbers, and its items below', () => {
  expect(print(FRAME, 'table')).toBe(
    [
      '08:00:00.123 -> S1F3 W Selected Equipment Status Request  session=0 system=7 length=15',
      '  <L [1]',
      '    <U1 5>',
      '  >.',
      '',
    ].join('\n'),
  )
  expect(print(FRAME, 'table', true)).toContain(
    '  000000  00 00 00 0f 00 00 81 03 00 00 00 00 00 07 01 01  ................\n  000010  a5 01 05',
  )
})

test('of tapped equipment it is said who sent a message, and to whom', () => {
  if (FRAME.kind !== 'frame') throw new Error('it is a frame')
  const host: WireRecord = { ...FRAME, from: 'host', to: 'equipment' }
  const reply: WireRecord = { ...FRAME, direction: 'in', from: 'equipment', to: 'gateway' }
  expect(print(host, 'table')).toContain('08:00:00.123 host -> equipment S1F3 W')
  expect(print(reply, 'table')).toContain('08:00:00.123 equipment -> gateway S1F3 W')
  expect(print(host, 'sml')).toContain('H->E')
  expect(print(reply, 'sml')).toContain('G<-E')
  expect(print(reply, 'tsv').trimEnd().split('\t').slice(-2)).toEqual(['equipment', 'gateway'])
})

test('as SML it stands after a comment with its time and way', () => {
  expect(print(FRAME, 'sml')).toBe(`/* ${AT} H->E */\nS1F3 W\n<L [1]\n  <U1 5>\n>.\n`)
  expect(print({ at: AT, kind: 'closed', detail: 'separated' }, 'sml')).toBe('')
  expect(print({ at: AT, kind: 'gap', lost: 12 }, 'sml')).toBe(`/* ${AT} 12 lost */\n`)
})

test.each<[WireRecord, string]>([
  [{ at: AT, kind: 'watching', local: null, remote: null }, '-- watching; not connected'],
  [{ at: AT, kind: 'opened', local: 'a:1', remote: 'b:2' }, '-- opened, a:1 to b:2'],
  [{ at: AT, kind: 'closed', detail: 't7' }, '-- closed: t7'],
  [{ at: AT, kind: 'gap', lost: 12 }, '-- 12 lost: they came faster than they were taken'],
  [
    {
      at: AT,
      kind: 'unreadable',
      direction: 'in',
      detail: 'it speaks TLS',
      length: 5,
      hex: '1603010000',
      cut: false,
    },
    '<- 5 bytes that are no HSMS: it speaks TLS',
  ],
])('%j is told in a line', (record, line) => {
  expect(print(record, 'table')).toBe(`08:00:00.123 ${line}\n`)
})

test('tab-separated values have the bytes where they are asked for', () => {
  expect(print(FRAME, 'tsv', true).trimEnd().split('\t').at(-1)).toBe(FRAME.kind === 'frame' && FRAME.hex)
})

test.each(['table', 'tsv', 'sml'] as const)(
  'what a peer says does not steer the terminal, as %s',
  (format) => {
    const foreign = '\x1b[2J\x07\x9b31m\u202e'
    for (const record of [
      { ...FRAME, name: `S1F3 ${foreign}`, detail: foreign, sml: `S1F3 W\n<A "${foreign}">.` },
      { at: AT, kind: 'closed', detail: foreign } as const,
    ]) {
      expect(print(record, format).replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\u202E]/u)
    }
  },
)
