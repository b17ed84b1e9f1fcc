import { expect, test } from 'vitest'
import { FakeGateway, problem, served } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'
import { Secsctl } from '../../support/secsctl.js'

const secsctl = new Secsctl()
const many = Array.from({ length: 300 }, (_, at) =>
  sampleEquipment({
    id: `eq_many${at}`,
    name: `tool-${at}`,
    connection_state: 'CONNECTING',
    communication_state: 'NOT_COMMUNICATING',
    last_error: { code: 'connection_refused', detail: 'nothing listens', at: '2026-03-01T08:00:00.000Z' },
  }),
)
let allowed = true
const gateway = new FakeGateway(({ path }) => {
  if (path === '/equipment') return { body: { items: many, next_cursor: null } }
  const id = /^\/equipment\/(\w+)/.exec(path)?.[1]
  if (!allowed) return { status: 403, body: problem(403, 'forbidden', 'This needs the role operator.') }
  return { status: 202, body: many.find((one) => one.id === id) }
})
const env = served(gateway, secsctl)
const run = (...args: string[]) => secsctl.run(args, { env })

/** What each call to connect waits, in their order. */
const waits = (): string[] =>
  gateway.calls.filter(({ path }) => path.endsWith('/connect')).map(({ query }) => query.get('wait') ?? '')

test('all of much equipment begins to connect before any is waited for; ten reasons are told, and how many more', async () => {
  allowed = true
  const { code, stderr } = await run('equipment', 'connect', '--all', '--wait', '50ms')
  expect(code).toBe(7)
  expect(waits().slice(0, many.length)).toEqual(many.map(() => '0'))
  expect(waits().length).toBeGreaterThanOrEqual(2 * many.length)
  expect(stderr).toContain('0 of 300 communicate.')
  expect(stderr.match(/did not connect within/g)).toHaveLength(10)
  expect(stderr).toContain('and 290 more\n')
})

test('a reason that all have is told once', async () => {
  allowed = false
  const { code, stderr } = await run('equipment', 'connect', '--all')
  expect(code).toBe(4)
  expect(stderr.match(/This needs the role operator/g)).toHaveLength(1)
})
