import { expect, test } from 'vitest'
import { runCommand } from '../../support/command.js'
import { REPLIES } from '../../support/example-gateway.js'
import { FakeGateway, served } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const etcher = sampleEquipment()
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [etcher], next_cursor: null } }),
  'GET /carriers': () => ({ body: REPLIES.listKnownCarriers }),
  'GET /jobs': ({ query }) => ({
    body: query.get('cursor') ? REPLIES.listKnownJobs : { ...REPLIES.listKnownJobs, next_cursor: 'more' },
  }),
  'GET /substrates': () => ({ body: REPLIES.listKnownSubstrates }),
  [`GET /equipment/${etcher.id}/jobs`]: () => ({ body: REPLIES.listProcessJobs }),
})
served(gateway)

const run = (...args: string[]) => runCommand(args, { gateway })
const paths = () => gateway.calls.map(({ path }) => path).filter((path) => path !== '/equipment')
const last = () => gateway.calls.at(-1)?.query

test('Without equipment a list has what the gateway knows of all, to its last page', async () => {
  expect((await run('carriers', 'list')).stdout).toBe('etcher\tFOUP7\tLP1\tID_VERIFICATION_OK\t\t\t\n')
  expect((await run('substrates', 'list')).stdout).toBe('etcher\tW1\tL1\tChamber1\tAT_WORK\tIN_PROCESS\t\t\n')
  const row = 'etcher\tPJ-1\tPROCESSING\t2026-01-31T08:00:02.000Z\tOXIDE-ETCH-01\n'
  expect((await run('jobs', 'list')).stdout).toBe(row + row)
  expect(JSON.parse((await run('jobs', 'list', '--json')).stdout)).toHaveLength(2)
  expect((await run('jobs', 'list', '-o', 'csv', '--columns', 'job,equipment')).stdout).toContain(
    'PJ-1,etcher',
  )
})

test('A filter is of what is known, also of named equipment', async () => {
  await run('carriers', 'list', '--object', 'FOUP7', '--state', 'waiting-for-host', '--state', 'unknown 7')
  expect(paths()).toEqual(['/carriers'])
  expect(last()?.getAll('object_id')).toEqual(['FOUP7'])
  expect(last()?.getAll('state')).toEqual(['WAITING_FOR_HOST', 'unknown (7)'])
  await run('jobs', 'list', etcher.name, '--known')
  expect(last()?.getAll('equipment_id')).toEqual([etcher.id])
  await run('substrates', 'list', '--known', '-l', 'area=etch')
  expect(last()?.get('label_selector')).toBe('area=etch')
  await run('jobs', 'list', '--equipment', etcher.name, '--state', 'processing')
  expect(last()?.getAll('equipment_id')).toEqual([etcher.id])
})

test('Named equipment is asked, and a state that is none is wrong usage', async () => {
  await run('jobs', 'list', etcher.name)
  expect(paths()).toEqual([`/equipment/${etcher.id}/jobs`])
  for (const flags of [['--state', 'procesing'], ['--space']])
    expect(await run('jobs', 'list', ...flags)).toMatchObject({ exitCode: 2 })
  expect(await run('jobs', 'show')).toMatchObject({ exitCode: 2 })
})
