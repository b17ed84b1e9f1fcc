import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { A, L } from '../../src/secs2/item.js'
import { HostSession } from '../simulator/host-session.js'
import { PseudoTerminal } from '../support/pseudo-terminal.js'
import { ended, lineOf, Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'

const secsctl = new Secsctl()
const run = (...args: string[]) => secsctl.run(['simulator', ...args])
afterAll(() => secsctl.remove())

test('a model that was shown and changed runs, takes commands at its port, and leaves a capture', async () => {
  const [file, capture] = [join(secsctl.home, 'mine.yaml'), join(secsctl.home, 'wire.pcapng')]
  const shown = await run('show', 'etcher')
  writeFileSync(file, shown.stdout.replace('name: etcher', 'name: mine'))
  const args = ['run', file, '--port', '0', '--control', '0', '--capture', capture, '--json']
  const simulator = secsctl.start(['simulator', ...args])
  const over = ended(simulator)
  const { control } = JSON.parse(await lineOf(simulator, /"control":\d+/)) as { control: number }
  const tell = (...words: string[]) => run('tell', String(control), ...words)
  const [done, refused, wrong, elsewhere] = await Promise.all([
    tell('status', '--json'),
    tell('drop'),
    tell('toast'),
    run('tell', '1', 'status'),
  ])
  expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, model: 'mine', connection_state: 'LISTENING' })
  expect([done, refused, wrong, elsewhere].map(({ code }) => code)).toEqual([0, 8, 2, 6])
  expect(refused.stderr).toContain('there is no session with a host: it is LISTENING')
  simulator.kill('SIGTERM')
  expect((await over).code).toBe(143)
  expect(existsSync(capture) && readFileSync(capture).readUInt32LE(0)).toBe(0x0a0d0d0a)
})

test('a control port that is taken is reported in words, with what to try', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, stderr } = await run('run', 'minimal', '--port', '0', '--control', String(port))
  other.close()
  expect(code).toBe(5)
  expect(stderr).toBe(
    `Error: cannot listen on 127.0.0.1:${port}: another program has the port\nTry: another --control, or 0 for a free one\n`,
  )
})

test('on a terminal its help says how to end it, and that ends it', async () => {
  const env = secsctl.environment({ TERM: 'xterm', LANG: 'C.UTF-8' })
  const terminal = new PseudoTerminal('node bin/run.js simulator run minimal --port 0', env)
  await terminal.shows('minimal> ')
  terminal.type('help\r')
  await terminal.shows('exit, quit, Ctrl-C or Ctrl-D end it')
  terminal.type('quit\r')
  expect(await terminal.ended()).toBe(130)
})

test('a model that is wrong says in which line', async () => {
  const file = join(secsctl.home, 'wrong.yaml')
  writeFileSync(file, 'name: wrong\nmdln: M\nsoftrev: 1\nevents:\n  - { id: 1, name: E, reports: [5] }\n')
  const { code, stderr } = await run('run', file, '--port', '0')
  expect(code).toBe(2)
  expect(stderr).toContain(`${file}:3:10 /softrev: 1 does not fit.`)
})

test('the models are listed, and their schema is JSON', async () => {
  const [models, schema] = await Promise.all([run('models'), run('schema')])
  expect(models.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
    'etcher',
    'track',
    'furnace',
    'minimal',
    'etch300',
    '',
  ])
  expect(JSON.parse(schema.stdout)).toMatchObject({ properties: { variables: { type: 'array' } } })
})

test('what a host was told to be stored outlives a kill -9', async () => {
  const state = join(secsctl.home, 'etcher.state')
  const started = async () => {
    const simulator = secsctl.start(['simulator', 'run', '--port', '0', '--state', state, '--json'])
    const { port } = JSON.parse(await lineOf(simulator, /"port":\d+/)) as { port: number }
    const session = new HostSession({ role: 'active', port })
    await session.start()
    await until(() => session.host.communicationState === 'COMMUNICATING')
    return { simulator, session }
  }
  const first = await started()
  const over = ended(first.simulator)
  const stored = await first.session.request({ stream: 7, function: 3, item: L(A('NEW'), A('STEP 1')) })
  first.simulator.kill('SIGKILL')
  expect(stored).toMatchObject({ kind: 'replied', item: { format: 'B', value: 0 } })
  await Promise.all([over, first.session.stop()])
  const second = await started()
  const fetched = await second.session.request({ stream: 7, function: 5, item: A('NEW') })
  expect(fetched).toMatchObject({ item: L(A('NEW'), A('STEP 1')) })
  const gone = ended(second.simulator)
  second.simulator.kill('SIGTERM')
  await Promise.all([gone, second.session.stop()])
  writeFileSync(state, readFileSync(state, 'utf8').slice(1))
  const { code, stderr } = await run('run', '--port', '0', '--state', state)
  expect([code, stderr]).toEqual([2, expect.stringContaining(`--state ${state}: it is damaged`)])
})

test('a serial port that cannot be opened is named, with the reason', async () => {
  const simulator = secsctl.start(['simulator', 'run', 'minimal', '--serial-port', '/dev/no-such'])
  const over = ended(simulator)
  let said = ''
  simulator.stderr?.on('data', (text) => {
    said += String(text)
  })
  await until(() => said.includes('cannot open /dev/no-such'))
  simulator.kill('SIGTERM')
  expect((await over).stdout).toContain('at /dev/no-such')
  const inJson = secsctl.start(['simulator', 'run', 'minimal', '--serial-port', '/dev/no-such', '--json'])
  const place = JSON.parse(await lineOf(inJson, /serial_port/))
  expect(place).toEqual({ model: 'minimal', serial_port: '/dev/no-such' })
  inJson.kill('SIGTERM')
})

test.each([
  [['--rty', '5'], '--rty and --master are of SECS-I'],
  [['--baud-rate', '9600'], '--baud-rate goes with --serial-port'],
  [['--transport', 'secs1-serial'], 'a serial line needs --serial-port PATH'],
  [['--transport', 'secs1-tcp', '--serial-port', '/dev/a'], 'does not go with --transport'],
  [['--serial-port', '/dev/a', '--active', '127.0.0.1:5000'], 'does not go with --active'],
  [['--timer', 't2'], 'NAME=VALUE'],
])('%j is wrong usage', async (args, said) => {
  const { code, stderr } = await run('run', 'minimal', '--port', '0', ...args)
  expect(code).toBe(2)
  expect(stderr).toContain(said)
})
