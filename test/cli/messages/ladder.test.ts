import { expect, test } from 'vitest'
import { FakeGateway, served } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'
import { Secsctl } from '../../support/secsctl.js'

const etcher = sampleEquipment()
const TOTAL = 130
/** Newest first, as the gateway lists them. */
const messages = Array.from({ length: TOTAL }, (_, at) => ({
  ...{ id: String(TOTAL - at), equipment_id: etcher.id, equipment_name: 'etcher', direction: 'received' },
  ...{
    stream: 6,
    function: 11,
    name: 'S6F11 Event Report Send',
    w_bit: true,
    session_id: 0,
    system_bytes: 1,
  },
  ...{ sent_by: null, data: null, body: null, collection_event: null, reply_to: null },
  ...{ sml: '<A "<b>">', at: new Date(1_772_000_000_000 - at * 100).toISOString() },
}))
const secsctl = new Secsctl()
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher], next_cursor: null } }),
  'GET /messages': ({ query }) => {
    const from = Number(query.get('cursor') ?? 0)
    const end = from + Math.min(Number(query.get('limit')), 90)
    const found = query.has('to') ? [] : messages.slice(from, end)
    return { body: { items: found, next_cursor: query.has('to') || end >= TOTAL ? null : String(end) } }
  },
})
const env = served(gateway, secsctl)
const ladder = (...args: string[]) => secsctl.run(['messages', 'ladder', 'etcher', ...args], { env })

test('the newest messages are drawn, oldest first, and it says that there are more', async () => {
  const { code, stdout, stderr } = await ladder()
  const ids = stdout
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => Number(line.split(' ').at(-1)))
  expect(code).toBe(0)
  expect(ids).toEqual(Array.from({ length: 100 }, (_, at) => at + 31))
  expect(stderr).toMatch(/newest 100 .* more/)
  const all = await ladder('-n', String(TOTAL), '--json')
  expect(JSON.parse(all.stdout).map(({ id }: { id: string }) => id)).toEqual(
    messages.map(({ id }) => id).reverse(),
  )
  expect(all.stderr).toBe('')
})

test('the range is that of the flags, under both names, and an empty one is said', async () => {
  for (const [since, until] of [
    ['--since', '--until'],
    ['--from', '--to'],
  ] as const) {
    const { code, stdout, stderr } = await ladder(since, '2026-02-01', until, '2026-03-01')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain('No messages with etcher')
    const { query } = gateway.calls.findLast(({ path }) => path === '/messages') ?? {}
    expect(query?.get('from')).toBe(new Date('2026-02-01T00:00').toISOString())
    expect(query?.get('equipment_id')).toBe(etcher.id)
  }
  expect(await ladder('--since', '2026-03-01', '--until', '2026-02-01')).toMatchObject({ code: 2 })
  expect(await ladder('-n', '5001')).toMatchObject({ code: 2 })
})

test('a page has the SML of each message as text, and a picture is one SVG element', async () => {
  const page = (await ladder('-o', 'html', '-n', '3')).stdout
  expect(page).toMatch(/^<!doctype html>/)
  expect(page.match(/&lt;A &quot;&lt;b&gt;&quot;&gt;/g)).toHaveLength(3)
  expect((await ladder('-o', 'svg', '-n', '3')).stdout).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
})
