import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeGateway } from '../support/fake-gateway.js'
import { PseudoTerminal } from '../support/pseudo-terminal.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { Secsctl } from '../support/secsctl.js'

const CTRL_C = '\x03'
const CTRL_D = '\x04'

const secsctl = new Secsctl()
const equipment = sampleEquipment()
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [equipment], next_cursor: null } }),
  [`DELETE /equipment/${equipment.id}`]: () => ({ status: 204 }),
})
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  const url = await gateway.listen()
  env = secsctl.environment({ TERM: 'xterm', LANG: 'C.UTF-8', SECSCTL_URL: url, SECSCTL_TOKEN: 'secret' })
})
afterAll(async () => {
  await gateway.close()
  secsctl.remove()
})

const removed = (): number => gateway.calls.filter(({ method }) => method === 'DELETE').length

test.each([
  ['Ctrl-D', 'equipment remove etcher', 'Remove', CTRL_D],
  ['Ctrl-C', 'equipment remove etcher', 'Remove', CTRL_C],
  ['Ctrl-D', 'login', 'Email', CTRL_D],
  ['Ctrl-D', 'login --email ann@fab.example', 'Password', CTRL_D],
])('%s at a question of %s ends with 130, nothing is done, and the terminal is as before', async (...row) => {
  const [, command, question, keys] = row
  const terminal = new PseudoTerminal(`node bin/run.js ${command}; echo "ended $?"; stty -a`, env)
  await terminal.shows(question)
  await terminal.shows(/\[\d+G$/)
  terminal.type(keys)
  await terminal.shows(/ended 130\r\n/)
  expect(await terminal.ended()).toBe(0)
  expect(terminal.text).toMatch(/ icanon /)
  expect(terminal.text).toMatch(/ echo /)
  // The line of the question is ended, and the cursor is shown.
  expect(terminal.text).toMatch(/\n\S*ended 130/)
  expect(removed()).toBe(0)
})

test('an answer is taken as before', async () => {
  const terminal = new PseudoTerminal('node bin/run.js equipment remove etcher', env)
  await terminal.shows('Remove')
  await terminal.shows(/\[\d+G$/)
  terminal.type('y\r')
  expect(await terminal.ended()).toBe(0)
  expect(removed()).toBe(1)
})

test('what a shell has put in the background is not stopped by its terminal: it asks nothing', async () => {
  const before = removed()
  const command = `bash -c 'set -m; node bin/run.js simulator run minimal --port 0 & node bin/run.js equipment remove etcher & wait $!; echo "removed $?"; jobs; kill %1; wait %1; echo "ended $?"'`
  const terminal = new PseudoTerminal(command, env)
  await terminal.shows(/removed 2\r\n/)
  await terminal.shows(/ended (130|143)\r\n/)
  expect(terminal.text).toMatch(/\[1\].*Running/)
  expect(terminal.text).not.toContain('Stopped')
  expect(removed()).toBe(before)
})
