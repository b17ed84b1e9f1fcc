import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nextAfterFinding } from '../../src/cli/equipment/probe-output.js'
import { systemClock } from '../../src/kit/clock.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { FakeGateway } from '../support/fake-gateway.js'
import { freePort } from '../support/free-port.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
let simulator: Simulator
let coaterPort: number
let url: string
const IDLE = { ip_address: '127.0.0.1', connection_state: 'NOT_CONNECTED' } as const
const gateway = new FakeGateway({
  'GET /equipment': () => ({
    body: {
      items: [
        sampleEquipment({ name: 'mill', ip_address: '127.0.0.1', port: simulator.port }),
        sampleEquipment({ id: 'eq_1', name: 'oven', ...IDLE, port: simulator.port }),
        sampleEquipment({ id: 'eq_2', name: 'stepper', ...IDLE, port: simulator.port, device_id: 9 }),
        sampleEquipment({ id: 'eq_4', name: 'press', ...IDLE, port: simulator.port, transport: 'secs1-tcp' }),
        sampleEquipment({ id: 'eq_3', name: 'coater', ...IDLE, port: coaterPort, mode: 'active' }),
      ],
      next_cursor: null,
    },
  }),
})
const run = (...args: string[]) => secsctl.run(['equipment', ...args])

beforeAll(async () => {
  const model = shippedModel('minimal')
  if (!model) throw new Error('there is no such model')
  simulator = new Simulator(model, { role: 'passive', host: '127.0.0.1', port: 0 }, { clock: systemClock })
  await simulator.start()
  coaterPort = await freePort()
  url = await gateway.listen()
})
afterAll(async () => {
  await Promise.all([simulator.stop(), gateway.close()])
  secsctl.remove()
})

test('equipment list asks for several healths, with commas or the flag repeated', async () => {
  const env = { SECSCTL_URL: url, SECSCTL_TOKEN: 'token' }
  for (const words of [
    ['--health', 'degraded,failing'],
    ['--health', 'degraded', '--health', 'failing'],
  ]) {
    expect(await secsctl.run(['equipment', 'list', ...words], { env })).toMatchObject({ code: 0 })
    const asked = gateway.calls.filter(({ path }) => path === '/equipment').at(-1)
    expect(asked?.query.getAll('health').join().split(',')).toEqual(['degraded', 'failing'])
  }
  const wrong = await secsctl.run(['equipment', 'list', '--health', 'degraded,well'], { env })
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
})

describe('equipment test', () => {
  test('names equipment on standard output, and what to type next on standard error', async () => {
    const address = `127.0.0.1:${simulator.port}`
    const { code, stdout, stderr } = await run('test', address)
    expect(code).toBe(0)
    expect(stdout).toContain('found\tGEM equipment, online\n')
    expect(stderr).toBe(`Next: secsctl equipment add NAME --address ${address}\n`)
  })

  test('takes the name of registered equipment, says where it went, and what the record has wrong', async () => {
    const named = (...args: string[]) =>
      secsctl.run(['equipment', 'test', ...args], { env: { SECSCTL_URL: url, SECSCTL_TOKEN: 'token' } })
    const { code, stdout, stderr } = await named('oven')
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Next: secsctl equipment connect oven\n' })
    expect(stdout).toContain(`tested\t127.0.0.1:${simulator.port}\n`)
    // The record has device ID 9: the equipment refuses it.
    const wrong = await named('stepper')
    expect(wrong).toMatchObject({ code: 8, stderr: expect.stringContaining('--device-id 0') })
    const right = await named('stepper', '--device-id', '0')
    expect(right).toMatchObject({ code: 0, stderr: 'Next: secsctl equipment update stepper --device-id 0\n' })
    // HSMS answers where the record has SECS-I, and the reverse.
    expect(await named('press', '--timeout', '1s')).toMatchObject({
      code: 8,
      stderr: 'Next: secsctl equipment update press --transport hsms\n',
    })
    const oven = sampleEquipment({ name: 'oven', transport: 'hsms' })
    const tested = { role: 'active', host: '127.0.0.1', port: 4001, deviceId: 0, registered: oven } as const
    expect(nextAfterFinding(tested, { found: 'secs1', detail: '', remarks: [] })).toContain(
      'secsctl equipment update oven --transport secs1-tcp',
    )
    const dialsIn = await named('coater', '--wait', '100ms', '--json')
    expect(JSON.parse(dialsIn.stdout)).toMatchObject({
      tested: `port ${coaterPort} of this machine`,
      found: 'nobody',
    })
    expect(await named('nobody')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no equipment "nobody"'),
    })
    expect(await named('mill')).toMatchObject({ code: 5, stderr: expect.stringContaining('check mill') })
    expect(await named('mill', '--listen', '5001')).toMatchObject({ code: 2 })
    // A name is asked for at a gateway, an address is not.
    expect(await run('test', 'mill')).toMatchObject({ code: 6, stderr: expect.stringContaining('daemon') })
  })

  test('tells programs what was found, also where the exit code is not 0', async () => {
    const { code, stdout, stderr } = await run('test', `localhost:${await freePort()}`, '--json')
    expect({ code, stderr }).toEqual({ code: 6, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({
      found: 'refused',
      model: null,
      next: [expect.any(String), expect.stringContaining('--listen')],
    })
  })

  test('another device ID is found out, with the test to repeat', async () => {
    const { code, stderr } = await run('test', `127.0.0.1:${simulator.port}`, '--device-id', '9')
    expect(code).toBe(8)
    expect(stderr).toBe(`Next: secsctl equipment test 127.0.0.1:${simulator.port} --device-id 0\n`)
  })

  test('SECS-I is found out, and the command that adds the equipment says so', async () => {
    const model = shippedModel('minimal')
    if (!model) throw new Error('there is no such model')
    const options = { role: 'passive', host: '127.0.0.1', port: 0, deviceId: 4, line: {} } as const
    const line = new Simulator(model, options, { clock: systemClock })
    await line.start()
    const address = `127.0.0.1:${line.port}`
    const found = await run('test', address, '--device-id', '4')
    const wrong = await run('test', address, '--transport', 'secs1-tcp', '--timeout', '1s')
    await line.stop()
    expect(found).toMatchObject({
      code: 0,
      stderr: `Next: secsctl equipment add NAME --address ${address} --transport secs1-tcp --device-id 4\n`,
    })
    expect(found.stdout).toContain('transport\tsecs1-tcp\n')
    const next = `Next: secsctl equipment test ${address} --transport secs1-tcp --device-id 4\n`
    expect(wrong).toMatchObject({ code: 8, stderr: next })
  })

  test('a serial port that is not there is said so', async () => {
    const { code, stdout } = await run('test', '/dev/no-such-port', '--baud-rate', '19200', '--json')
    expect(code).toBe(6)
    expect(JSON.parse(stdout)).toMatchObject({
      found: 'no_port',
      transport: 'secs1-serial',
      baud_rate: 19200,
    })
  })

  test('leaves alone the session that a gateway of this machine has', async () => {
    const env = { SECSCTL_URL: url, SECSCTL_TOKEN: 'token' }
    const address = `127.0.0.1:${simulator.port}`
    const { code, stderr } = await secsctl.run(['equipment', 'test', address], { env })
    expect(code).toBe(5)
    expect(stderr).toContain('Try: secsctl equipment check mill')
  })

  test('waits for somebody who dials in, and not for longer than it was told', async () => {
    const { code, stdout } = await run(
      'test',
      '--listen',
      String(await freePort()),
      '--wait',
      '100ms',
      '--json',
    )
    expect(code).toBe(7)
    expect(JSON.parse(stdout)).toMatchObject({ found: 'nobody' })
  })

  test.each([
    [[], 'which address?'],
    [['10.0.0.5'], 'HOST:PORT'],
    [['10.0.0.5:5000', '--listen', '5001'], 'no address'],
    [['10.0.0.5:5000', '--baud-rate', '9600'], 'a baud rate goes with a serial port'],
    [['10.0.0.5:5000', '--master', 'host'], 'add --transport secs1-tcp'],
    [['/dev/ttyS0', '--baud-rate', '9601'], '--baud-rate is one of 300, 600'],
    [['/dev/ttyS0', '--transport', 'secs1-tcp'], 'leave --transport out'],
  ])('%j is wrong usage', async (args, said) => {
    const { code, stdout, stderr } = await run('test', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(said)
  })
})
