import { afterEach, expect, test } from 'vitest'
import { frame } from '../../../src/cli/top/frame.js'
import { lacksRates, type Printed, stateOnce } from '../../../src/cli/top/once.js'
import type { TopState } from '../../../src/cli/top/top-state.js'
import { GatewayClient } from '../../../src/client/client.js'
import { FakeGateway } from '../../support/fake-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { sampleEquipment } from '../../support/sample-equipment.js'
import { untilLater } from '../../support/until.js'
import { trafficOf } from './top-samples.js'

const TOOLS = 220
const TERMINAL = { columns: 80, rows: 23 }
/** A rate after the last state, perhaps with a graph. */
const RATE = / ONLINE_REMOTE +[\d.]+( +\S+)? *$/
const many = Array.from({ length: TOOLS }, (_, at) => sampleEquipment({ id: `eq_${at}`, name: `tool ${at}` }))

let gateway: FakeGateway
afterEach(() => gateway.close())

/** What is printed of many tools, and how often the traffic of each was asked for. Each call tells of one message more. */
async function once(printed: Printed, given: Partial<TopState> = {}) {
  const asked = new Map<string, number>()
  const traffic = (id: string) => () => {
    asked.set(id, (asked.get(id) ?? 0) + 1)
    return { body: trafficOf(asked.get(id) ?? 0, 0) }
  }
  const none = () => ({ body: { items: [], next_cursor: null } })
  gateway = new FakeGateway({
    'GET /equipment': () => ({ body: { items: many, next_cursor: null } }),
    ...{ 'GET /events': none, 'GET /sinks': none, 'GET /alarms': none },
    'GET /alarms/summary': () => ({ body: { as_of: '9', items: [], incomplete: [] } }),
    ...Object.fromEntries(many.map(({ id }) => [`GET /equipment/${id}/traffic`, traffic(id)])),
  })
  const client = new GatewayClient({ url: await gateway.listen(), token: 'any' })
  const clock = new ManualClock()
  let state: TopState | undefined
  const reading = stateOnce({
    ...{ client, clock, interval: 1000, printed, signal: new AbortController().signal },
    renew: async () => client,
    start: (first) => ({ ...first, ...given }),
  }).then((read) => {
    state = read
  })
  await Promise.race([untilLater(clock, () => state !== undefined, 1000), reading])
  await reading
  if (!state) throw new Error('nothing was read')
  return { state, asked }
}

const pipe = ({ equipment }: TopState) => ({ columns: 120, rows: equipment.size + 15 })

test('on a terminal, the traffic of what it shows is read twice, and of nothing else', async () => {
  const { state, asked } = await once({ sizeOf: () => TERMINAL })
  const lines = frame(state, { ...TERMINAL, ascii: false, still: true })
  const rows = lines.filter((row) => /^ {2}tool \d+ /.test(row))
  expect(rows.length).toBeGreaterThan(3)
  for (const row of rows) expect(row).toMatch(RATE)
  expect([...asked.values()]).toEqual(rows.map(() => 2))
  expect(lacksRates(state, { ...TERMINAL, ascii: false })).toBe(false)
})

test('in a pipe, the first 200 have a rate', async () => {
  const { state, asked } = await once({ sizeOf: pipe })
  expect([...asked]).toHaveLength(200)
  expect(new Set(asked.values())).toEqual(new Set([2]))
  const view = { ...pipe(state), ascii: false, still: true }
  const rows = frame(state, view).filter((row) => /^ {2}tool \d+ /.test(row))
  expect(rows.map((row) => RATE.test(row))).toEqual(many.map((_, at) => at < 200))
  expect(lacksRates(state, view)).toBe(true)
  expect(lacksRates({ ...state, filter: 'tool 19' }, view)).toBe(false)
})

test('the rates of all are read where they decide the order', async () => {
  const { state, asked } = await once({ sizeOf: () => TERMINAL }, { sort: 'rate' })
  expect([...asked.values()]).toEqual(many.map(() => 2))
  expect(lacksRates(state, { ...pipe(state), ascii: false })).toBe(false)
})

test('counts are read once, of all that the filter leaves', async () => {
  const { state, asked } = await once('counts', { filter: 'tool 1' })
  expect([...asked.values()]).toEqual(many.filter(({ name }) => name.startsWith('tool 1')).map(() => 1))
  expect(state.rates.get('eq_1')?.traffic.in.frames).toBe(1)
})
