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
  ])('%j is wrong usage', async (args, said) => {
    const { code, stdout, stderr } = await run('test', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(said)
  })
})
