import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { FakeGateway } from '../support/fake-gateway.js'
import { freePort } from '../support/free-port.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
let simulator: Simulator
let url: string
const gateway = new FakeGateway({
  'GET /equipment': () => ({
    body: {
      items: [sampleEquipment({ name: 'mill', ip_address: '127.0.0.1', port: simulator.port })],
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
  url = await gateway.listen()
})
afterAll(async () => {
  await Promise.all([simulator.stop(), gateway.close()])
  secsctl.remove()
})

describe('equipment test', () => {
  test('names equipment on standard output, and what to type next on standard error', async () => {
    const address = `127.0.0.1:${simulator.port}`
    const { code, stdout, stderr } = await run('test', address)
    expect(code).toBe(0)
    expect(stdout).toContain('found\tGEM equipment, on line\n')
    expect(stderr).toBe(`Next: secsctl equipment add NAME --address ${address}\n`)
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
