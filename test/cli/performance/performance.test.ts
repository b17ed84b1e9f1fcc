import { expect, test } from 'vitest'
import { runCommand } from '../../support/command.js'
import { REPLIES } from '../../support/example-gateway.js'
import { FakeGateway, served } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const etcher = sampleEquipment()
const [chamber] = REPLIES.getPerformance.items
const doing = { task: 'R1', task_type: 'PROCESS', blocked_reason: 'ERROR_CONDITION', blocked_text: 'door' }
const stretches = [
  { from: '2026-01-31T08:00:00.000Z', to: '2026-01-31T08:30:00.000Z', state: 'BLOCKED', ...doing },
  {
    ...{ from: '2026-01-31T08:30:00.000Z', to: '2026-01-31T09:00:00.000Z', state: 'UNKNOWN' },
    ...{ task: null, task_type: null, blocked_reason: null, blocked_text: null },
  },
]
let note: string | null = null
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher], next_cursor: null } }),
  [`GET /equipment/${etcher.id}/performance`]: ({ query }) => ({
    body: query.has('stretches')
      ? {
          ...REPLIES.getPerformance,
          items: [
            { ...chamber, stretches },
            { ...chamber, module: 'A', stretches },
          ],
        }
      : { ...REPLIES.getPerformance, items: query.get('module') === 'none' ? [] : [chamber], note },
  }),
})
served(gateway)

const run = (...args: string[]) => runCommand(['performance', ...args], { gateway })
const last = () => gateway.calls.at(-1)?.query

test('Modules are shown with their states and shares of a day, unless another time is given', async () => {
  expect((await run('show', etcher.name)).stdout).toBe(
    'Chamber1\tBUSY\t2026-01-31T08:45:00.000Z\tOXIDE-ETCH-01\t25.0 %\t50.0 %\t0.0 %\t25.0 %\t\n',
  )
  expect(Math.round((Date.now() - Date.parse(last()?.get('from') ?? '')) / 3_600_000)).toBe(24)
  note = 'Not known is the state of Chamber1'
  expect((await run('show', etcher.name, 'Chamber1', '--since', '8h')).stderr).toContain(note)
  expect(last()?.get('module')).toBe('Chamber1')
  expect(JSON.parse((await run('show', etcher.name, '--json')).stdout)).toMatchObject({ items: [{}], note })
  expect((await run('show', etcher.name, 'none')).stderr).toContain('none')
})

test('Stretches are rows in the order of time', async () => {
  const { stdout } = await run('history', etcher.name)
  const rows = stdout.trimEnd().split('\n')
  expect(rows.map((row) => row.split('\t').slice(2, 5).join(' '))).toEqual([
    'Chamber1 BLOCKED 1800',
    'A BLOCKED 1800',
    'Chamber1 UNKNOWN 1800',
    'A UNKNOWN 1800',
  ])
  expect(rows[0]).toContain('R1\tPROCESS\tERROR_CONDITION: door')
})
