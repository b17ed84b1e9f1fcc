import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alarmColumns } from '../../../src/cli/alarms/alarm-output.js'
import { messageColumns } from '../../../src/cli/messages/message-output.js'
import { type Column, record, table, tsv } from '../../../src/cli/output/output.js'
import { widthOf } from '../../../src/kit/text/columns.js'
import { REPLIES } from '../../support/example-gateway.js'

type Row = readonly [string, string, string]
const COLUMNS: readonly Column<Row>[] = [
  { title: 'ID', text: (row) => row[0] },
  { title: 'NAME', text: (row) => row[1] },
  { title: 'WHAT', text: (row) => row[2] },
]

test('a table has a title line and columns under each other', async () => {
  const drawn = await table([['1', 'etcher', 'SELECTED']] as const, COLUMNS, 80)
  expect(drawn).toBe('ID  NAME    WHAT\n1   etcher  SELECTED\n')
})

test('a table is never wider than the terminal, whatever is in it', async () => {
  const cell = fc.string({ unit: 'grapheme-ascii', maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 }),
      fc.integer({ min: 20, max: 120 }),
      async (rows, width) => {
        const lines = (await table(rows, COLUMNS, width)).slice(0, -1).split('\n')
        expect(lines).toHaveLength(rows.length + 1)
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
      },
    ),
    { numRuns: 50 },
  )
})

test('tab-separated values are one line a row, with nothing cut', () => {
  const value = fc.string({ maxLength: 200 })
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value, value)), (rows) => {
      const lines = tsv(rows, COLUMNS).split('\n')
      expect(lines.pop()).toBe('')
      expect(lines.map((line) => line.split('\t').length)).toEqual(rows.map(() => 3))
    }),
  )
  expect(tsv([['a\tb', 'c\nd', '\\']] as const, COLUMNS)).toBe('a\\tb\tc\\nd\t\\\\\n')
})

test('a table that is too wide leaves out what is spare before it cuts anything', async () => {
  const columns = COLUMNS.map((column, at) => (at === 0 ? { ...column, spare: true as const } : column))
  const rows = [['eq_7f3k2m9qta', 'etcher', 'SELECTED']] as const
  expect(await table(rows, columns, 31)).toBe(
    'ID             NAME    WHAT\neq_7f3k2m9qta  etcher  SELECTED\n',
  )
  expect(await table(rows, columns, 30)).toBe('NAME    WHAT\netcher  SELECTED\n')
})

test('a column that wraps continues below instead of being cut', async () => {
  const columns = COLUMNS.map((column, at) => (at === 2 ? { ...column, wraps: true as const } : column))
  const rows = [['1', 'etcher', 'S1F2, S1F14, S2F18']] as const
  expect(await table(rows, columns, 24)).toBe(
    'ID  NAME    WHAT\n1   etcher  S1F2, S1F14,\n            S2F18\n',
  )
})

test('a long name leaves room for a number beside it', async () => {
  const rows = [['1001', 'N'.repeat(80), '18446744073709551615']] as const
  const drawn = await table(rows, COLUMNS, 80)
  expect(drawn).toContain(' 18446744073709551615\n')
  expect(drawn).toMatch(/ N{20,}…N{20,} /)
  const names = [['1001', 'N'.repeat(30), 'w'.repeat(60)]] as const
  expect(await table(names, COLUMNS, 60)).toContain('N'.repeat(30))
})

/** All that steers a terminal or turns text round. */
const CONTROLS = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, at) => 0x7f + at),
  ...Array.from({ length: 5 }, (_, at) => 0x202a + at),
  ...Array.from({ length: 4 }, (_, at) => 0x2066 + at),
]
  .map((code) => String.fromCharCode(code))
  .join('')
const STEERING = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

test('no control of a value gets into a table, a record or tab-separated values', async () => {
  const rows = [[CONTROLS, `etcher${CONTROLS}`, CONTROLS]] as const
  const fields = [['model', CONTROLS]] as const
  const outputs = [
    await table(rows, COLUMNS, 2000),
    tsv(rows, COLUMNS).replaceAll('\t', ''),
    record(fields, { isTerminal: true, width: 80 }),
    record(fields, { isTerminal: false, width: 80 }).replaceAll('\t', ''),
  ]
  for (const output of outputs) {
    expect(output.replaceAll('\n', '')).not.toMatch(STEERING)
    for (const shown of ['\\x00', '\\x1b', '\\x7f', '\\x9b', '\\u202e', '\\u2069'])
      expect(output).toContain(shown)
  }
  expect(tsv([['a\x1b[2J', '\x9b31m', '']], COLUMNS)).toBe('a\\x1b[2J\t\\x9b31m\t\n')
})

test('a record’s further lines stand below the first on a terminal', () => {
  const fields = [
    ['id', '7'],
    ['SML', 'S1F2\n<A "x">.'],
  ] as const
  expect(record(fields, { isTerminal: true, width: 80 })).toBe('id   7\nSML  S1F2\n     <A "x">.\n')
})

test('in 40 columns names stay whole as long as they fit, and are cut in the middle', async () => {
  const rows = [1, 2].map((at) => ({
    name: `etch-chamber-line-0${at}`,
    state: 'NOT_CONNECTED',
    control: 'UNKNOWN',
  }))
  type Row = (typeof rows)[number]
  const columns: readonly Column<Row>[] = [
    { title: 'NAME', text: ({ name }) => name },
    { title: 'CONNECTION', text: ({ state }) => state },
    { title: 'CONTROL', text: ({ control }) => control, spare: 'narrow' },
    { title: 'HEALTH', text: () => 'ok' },
  ]
  const wide = await table(rows, columns, 40)
  for (const { name } of rows) expect(wide).toContain(name)
  expect(wide).not.toContain('CONTROL')
  const lines = (await table(rows, columns, 22)).trimEnd().split('\n').slice(1)
  expect(new Set(lines).size).toBe(2)
  expect(lines[0]).toMatch(/^etch.*…\S*01/)
})

test('a name of characters that are two columns wide is whole where it fits, and no line is wider than the terminal', async () => {
  const rows = [
    ['1', 'エッチング装置1号機', '温度が高い'],
    ['2', '☕⚡', 'ok'],
    ['3', 'etcher', 'ok'],
  ] as const
  expect(await table(rows, COLUMNS, 80)).toBe(
    [
      'ID  NAME                 WHAT',
      '1   エッチング装置1号機  温度が高い',
      '2   ☕⚡                 ok',
      '3   etcher               ok\n',
    ].join('\n'),
  )
  for (const width of [20, 24, 30]) {
    const lines = (await table(rows, COLUMNS, width)).trimEnd().split('\n')
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
    expect(lines[1]).toMatch(/^1 +エ.*….*機 /)
  }
})

test('the values of a record stand below each other after names that are two columns wide', () => {
  const fields = [
    ['温度', '1'],
    ['name', 'etcher'],
  ] as const
  expect(record(fields, { isTerminal: true, width: 80 })).toBe('温度  1\nname  etcher\n')
})

test('an address that is cut keeps its end, by which those of one machine are told apart', async () => {
  const rows = [['etch-bay00-chamber-0001', '127.0.0.1:20001']] as const
  const columns = [
    { title: 'NAME', text: (row: readonly [string, string]) => row[0] },
    { title: 'ADDRESS', text: (row: readonly [string, string]) => row[1] },
  ]
  expect(await table(rows, columns, 35)).toContain('  127.0…0001\n')
})

const [alarm] = REPLIES.listAlarms.items
const PLAIN = [(one: string) => one, (at: string | null) => at?.slice(11, 19) ?? ''] as const

test.each([
  ['messages', messageColumns(...PLAIN), { ...REPLIES.getMessage, latency_ms: 12 }],
  ['alarms', alarmColumns(...PLAIN), alarm],
] as const)(
  'at 40 columns %s are told apart by their whole ids and names, and no line is wider',
  async (_, columns, shown) => {
    const named = { equipment_id: 'eq_1', equipment_name: 'etcher-100' }
    const rows = ['42593', '42594'].map((id) => ({ ...shown, id, ...named })) as never[]
    const lines = (await table(rows, columns as readonly Column<never>[], 40)).trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40)
    expect(lines[1]).toMatch(/^42593 .*etcher-100 /)
    expect(lines[2]).toMatch(/^42594 .*etcher-100 /)
  },
)

test('a column without a text in any row gives its room to one that would be cut', async () => {
  const columns: readonly Column<string>[] = [
    { title: 'TEXT', text: (row) => row },
    { title: 'ACKNOWLEDGED', text: () => '', spare: 'narrow' },
    { title: 'STATE', text: () => 'active' },
  ]
  const text = 'Chamber pressure above its limit'
  expect(await table([text], columns, 41)).toBe(`TEXT${' '.repeat(30)}STATE\n${text}  active\n`)
  expect(await table([text], columns, 80)).toContain('ACKNOWLEDGED')
})
