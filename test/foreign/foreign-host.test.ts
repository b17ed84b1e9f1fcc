import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Listeners } from '../../src/hsms/tcp/listener.js'
import { systemClock } from '../../src/kit/clock.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { until } from '../support/until.js'
import { type ForeignHost, startForeignHost } from './foreign-host.js'

describe.each(['active', 'passive'] as const)('a foreign host that is %s with our simulator', (role) => {
  const deviceId = 3
  let host: ForeignHost
  let simulator: Simulator

  beforeEach(async () => {
    const model = shippedModel('etcher')
    if (!model) throw new Error('the etcher is missing')
    const world = { clock: systemClock, listeners: new Listeners() }
    const shared = { host: '127.0.0.1', deviceId, establishDelay: 200 }
    if (role === 'active') {
      simulator = new Simulator(model, { ...shared, role: 'passive', port: 0 }, world)
      await simulator.start()
      host = await startForeignHost({ role, deviceId, port: simulator.port })
    } else {
      host = await startForeignHost({ role, deviceId })
      simulator = new Simulator(model, { ...shared, role: 'active', port: host.port }, world)
      await simulator.start()
    }
    await until(() => simulator.equipment.communicationState === 'COMMUNICATING')
  })

  afterEach(async () => {
    await simulator.stop()
    await host.stop()
    expect(host.peer.errors).toEqual([])
  })

  test('receives what the equipment is, asked from either side', async () => {
    expect(host.received[0]).toMatchObject({
      stream: 1,
      function: 13,
      sml: expect.stringContaining('ETCHER'),
    })
    const answer = await host.establish()
    expect(answer).toMatchObject({ stream: 1, function: 14 })
    expect(answer.sml).toMatch(/<B.*0x00>.*"ETCHER".*"2\.4\.1"/)
    expect((await host.areYouThere()).sml).toMatch(/"ETCHER".*"2\.4\.1"/)
  })

  test('starts a lot and receives its S6F11, with the lot in its report', async () => {
    const answer = await host.command('START', 'LOT-5')
    expect(answer).toMatchObject({ stream: 2, function: 42, sml: expect.stringMatching(/<B.*0x00>/) })
    const event = await until(() => host.received.find(({ stream }) => stream === 6))
    expect(event).toMatchObject({ function: 11, wait: true })
    expect(event.sml).toMatch(/3010.*"LOT-5".*"OXIDE-ETCH-01"/)
    expect((await host.command('START', 'LOT-6')).sml).toMatch(/<B.*0x02>/)
    expect((await host.command('JUMP', 'LOT-6')).sml).toMatch(/<B.*0x01>/)
  })

  test('acknowledges an alarm by S5F2', async () => {
    await expect(simulator.equipment.changeAlarm('4002', true)).resolves.toBe(true)
    await expect(simulator.equipment.changeAlarm('4002', false)).resolves.toBe(true)
    expect(host.received.filter(({ stream }) => stream === 5).map(({ sml }) => sml)).toEqual([
      expect.stringMatching(/0x84.*4002.*"RF reflected power high"/i),
      expect.stringMatching(/0x04.*4002/),
    ])
  })

  test('receives a stream 9 message for what the equipment does not know', async () => {
    void host.peer.request(42, 1).catch(() => {})
    const complaint = await until(() => host.received.find(({ stream }) => stream === 9))
    expect(complaint).toMatchObject({ function: 3, wait: false, sml: expect.stringMatching(/0xAA 0x01/i) })
  })

  test('has its Linktest answered, and its Separate ends the connection', async () => {
    await host.peer.linktest()
    await host.peer.separate()
    await until(() => simulator.equipment.communicationState === 'NOT_COMMUNICATING')
  })
})
