import { expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/contract/topics/audit.js'
import { runCommand } from '../../support/command.js'
import { REPLIES } from '../../support/example-gateway.js'
import { FakeGateway, served } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const etcher = sampleEquipment()
const [example] = REPLIES.listAudit.items as AuditEntry[]
const entry = (id: number, given: Partial<AuditEntry> = {}): AuditEntry => ({
  ...(example as AuditEntry),
  equipment_id: etcher.id,
  id: String(id),
  ...given,
})
const ENTRIES = [
  entry(1),
  entry(2, { action: 'updateUser', equipment_id: null, reason: null, details: { fields: ['password'] } }),
  entry(3, { action: 'login', user: null, equipment_id: null, reason: null, details: {}, count: 40 }),
  entry(4, { status: null }),
]
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher], next_cursor: null } }),
  'GET /audit': ({ query }) => {
    const after = Number(query.get('after') ?? query.get('cursor') ?? 0)
    const asc = query.get('order') === 'asc'
    const items = asc ? ENTRIES.filter(({ id }) => Number(id) > after).slice(0, 2) : [...ENTRIES].reverse()
    const last = items.at(-1)
    const isLast = !asc || last === undefined || last.id === '4'
    return { body: { items, next_cursor: isLast ? null : last.id } }
  },
})

served(gateway)

const audit = (...args: string[]) => runCommand(['audit', ...args], { gateway })

test('audit list prints who did what, on which equipment, and how it ended', async () => {
  const { stdout, exitCode } = await audit('list')
  expect(exitCode).toBe(0)
  expect(stdout.split('\n').map((line) => line.split('\t').slice(4))).toEqual([
    ['sendCommand', etcher.name, 'pending', 'command=PAUSE "Particles on the last wafer"'],
    ['login', '', 'done', '40 calls'],
    ['updateUser', '', 'done', 'password (not shown)'],
    ['sendCommand', etcher.name, 'done', 'command=PAUSE "Particles on the last wafer"'],
    [],
  ])
})

test('audit list passes its filters on', async () => {
  await audit('list', '--equipment', etcher.name, '--user', 'ada@example.com', '--action', 'login', '-n', '7')
  const query = gateway.calls.find(({ path }) => path === '/audit')?.query
  expect(Object.fromEntries(query ?? [])).toEqual({
    equipment_id: etcher.id,
    user: 'ada@example.com',
    action: 'login',
    limit: '7',
  })
})

test('audit export prints all entries as lines of JSON, oldest first', async () => {
  const { stdout } = await audit('export')
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(ENTRIES)
})

test('audit tail continues after the last entry', async () => {
  const { stdout } = await audit('tail', '--since', '1h', '--count', '4', '--json')
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(['1', '2', '3', '4'])
  expect(gateway.calls.map(({ query }) => query.get('after')).filter(Boolean)).toEqual(['2'])
})
