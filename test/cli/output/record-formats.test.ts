import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runCommand } from '../../support/command.js'
import { REPLIES } from '../../support/example-gateway.js'
import { FakeGateway, served } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const FLEET = ['etch-1', 'etch-2'].map((name, at) => sampleEquipment({ id: `eq_${at}`, name }))
const [key] = REPLIES.listKeys.items
const [sink] = REPLIES.listSinks.items
const values = { body: REPLIES.readVariables }
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: FLEET, next_cursor: null } }),
  'GET /equipment/eq_0/clock': () => ({ body: REPLIES.getClock }),
  'GET /equipment/eq_1/clock': () => ({ body: REPLIES.getClock }),
  'GET /equipment/eq_0/jobs/PJ-1': () => ({ body: REPLIES.getProcessJob }),
  'GET /equipment/eq_0/control-jobs/CJ-1': () => ({ body: REPLIES.getControlJob }),
  'GET /equipment/eq_0/carriers/FOUP7': () => ({ body: REPLIES.getCarrier }),
  'GET /equipment/eq_0/performance': () => ({ body: REPLIES.getPerformance }),
  'GET /equipment/eq_0/substrates/W1': () => ({ body: REPLIES.getSubstrate }),
  'GET /equipment/eq_0/spool': () => ({ body: REPLIES.getSpool }),
  'GET /equipment/eq_0/reports': () => ({ body: REPLIES.getReports }),
  'GET /equipment/eq_0/variables/values': () => values,
  'GET /equipment/eq_1/variables/values': () => values,
  'GET /keys': () => ({ body: REPLIES.listKeys }),
  'GET /sinks': () => ({ body: REPLIES.listSinks }),
  [`GET /sinks/${sink?.id}`]: () => ({ body: sink }),
  'GET /messages/42': () => ({ body: REPLIES.getMessage }),
})
served(gateway)
const run = (...args: string[]) => runCommand(args, { gateway })

/** What is shown by each `show`. Those that print a file of its own kind are left out: `reports`, `scenario` and `simulator`. */
const SHOWN: Readonly<Record<string, string>> = {
  'carriers:show': 'etch-1 FOUP7',
  'clock:show': 'etch-1',
  'control-jobs:show': 'etch-1 CJ-1',
  'equipment:show': 'etch-1',
  'jobs:show': 'etch-1 PJ-1',
  'keys:show': key?.name ?? '',
  'messages:show': '42',
  'performance:show': 'etch-1',
  'profiles:show': 'local',
  'sinks:show': sink?.name ?? '',
  'spool:show': 'etch-1',
  'substrates:show': 'etch-1 W1',
}
const { commands } = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as { commands: object }

const LISTS = [
  'constants:show',
  'gem300:show',
  'reports:show',
  'scenario:show',
  'simulator:show',
  'variables:show',
]
test('every show of a record prints YAML', () => {
  const shows = Object.keys(commands).filter((id) => id.endsWith(':show'))
  expect(shows.filter((id) => !LISTS.includes(id)).sort()).toEqual(Object.keys(SHOWN))
})

test.each(Object.entries(SHOWN))('%s prints the same record as YAML and as JSON', async (id, what) => {
  const words = [...id.split(':'), ...what.split(' ')]
  const [yaml, json] = [await run(...words, '-o', 'yaml'), await run(...words, '-o', 'json')]
  expect([yaml.exitCode, json.exitCode], yaml.stderr).toEqual([0, 0])
  expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout))
})

test('the records of several equipment are one YAML document', async () => {
  const { stdout } = await run('clock', 'show', 'etch-*', '-o', 'yaml')
  expect(parse(stdout)).toEqual({ 'etch-1': REPLIES.getClock, 'etch-2': REPLIES.getClock })
})

const TITLES = 'ID,NAME,VALUE,UNIT'
test('variables show prints CSV with titles, with the equipment where there are several', async () => {
  const one = await run('variables', 'read', 'etch-1', '-o', 'csv')
  expect(one.stdout).toBe(`${TITLES}\r\n1010,ChamberPressure,12.5,mtorr\r\n`)
  const several = await run('variables', 'read', 'etch-*', '-o', 'csv')
  expect(several.stdout).toBe(
    `EQUIPMENT,${TITLES}\r\netch-1,1010,ChamberPressure,12.5,mtorr\r\netch-2,1010,ChamberPressure,12.5,mtorr\r\n`,
  )
})

test('variables show --watch prints the titles of its CSV once', async () => {
  const { stdout } = await run('variables', 'read', 'etch-1', '--watch', '100ms', '--count', '2', '-o', 'csv')
  const lines = stdout.trimEnd().split('\r\n')
  expect(lines[0]).toBe(`AT,${TITLES}`)
  expect(lines.slice(1).map((line) => line.replace(/^[^,]+Z,/, 'Z,'))).toEqual([
    'Z,1010,ChamberPressure,12.5,mtorr',
    'Z,1010,ChamberPressure,12.5,mtorr',
  ])
})
