import { expect, test } from 'vitest'
import { runCommand } from '../../support/command.js'
import { REPLIES } from '../../support/example-gateway.js'
import { FakeGateway, served } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const etcher = sampleEquipment()
const path = `/equipment/${etcher.id}/substrates`
const [change] = REPLIES.listSubstrateHistory.items
const history = [
  { ...change, id: '90', from: null, to: 'AT_SOURCE', details: { location: 'FOUP7.01' } },
  { ...change, state: 'processing', from: 'NEEDS_PROCESSING', to: 'IN_PROCESS', details: {} },
  { ...change, to: 'NO_STATE', result: 'unknown' },
]
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher], next_cursor: null } }),
  [`GET ${path}`]: () => ({ body: REPLIES.listSubstrates }),
  [`GET ${path}/W1`]: () => ({ body: REPLIES.getSubstrate }),
  [`GET ${path}/W1/history`]: ({ query }) => ({
    body: query.get('cursor')
      ? { items: history.slice(2), next_cursor: null }
      : { items: history.slice(0, 2), next_cursor: 'more' },
  }),
  [`GET ${path}/W2/history`]: () => ({ body: { items: [], next_cursor: null } }),
})
served(gateway)

const run = (...args: string[]) => runCommand(['substrates', ...args], { gateway })

test('Substrates are listed and shown', async () => {
  expect((await run('list', etcher.name)).stdout).toBe(
    'W1\tL1\tChamber1\tAT_WORK\tIN_PROCESS\tFOUP7.01\tFOUP7.01\n',
  )
  const { stdout } = await run('show', etcher.name, 'W1')
  expect(stdout).toContain('visit\tChamber1 2026013108000200\n')
  expect(stdout).toContain('SubstState\t1\n')
})

test('A way is printed oldest first, to its end, and all that is kept unless told otherwise', async () => {
  const { stdout } = await run('history', etcher.name, 'W1')
  expect(stdout.split('\n').map((line) => line.split('\t').slice(1, 5).join(' '))).toEqual([
    'FOUP7.01 state AT_SOURCE ',
    ' processing IN_PROCESS NEEDS_PROCESSING',
    'Aligner state NO_STATE (unknown) AT_SOURCE',
    '',
  ])
  const { query } = gateway.calls.at(-1) ?? { query: new URLSearchParams() }
  expect(query.get('order')).toBe('asc')
  const { length } = JSON.parse((await run('history', etcher.name, 'W1', '--json')).stdout)
  expect(length).toBe(3)
  expect(query.has('from')).toBe(false)
  await run(
    'history',
    etcher.name,
    'W1',
    '--since',
    '2026-01-30T00:00:00Z',
    '--until',
    '2026-01-31T00:00:00Z',
  )
  expect(gateway.calls.at(-1)?.query.get('to')).toBe('2026-01-31T00:00:00.000Z')
})

test('A substrate of which nothing is recorded is said to be one', async () => {
  const { stderr, exitCode } = await run('history', etcher.name, 'W2')
  expect(exitCode).toBe(0)
  expect(stderr).toContain('W2')
})
