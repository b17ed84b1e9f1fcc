import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.js'
import { Fleet } from '../../src/simulator/fleet.js'
import type { FleetOptions } from '../../src/simulator/fleet-member.js'
import { Latencies } from '../../src/simulator/latencies.js'
import type { Model } from '../../src/simulator/model.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { freePort } from '../support/free-port.js'
import { LiveGateway } from '../support/live-gateway.js'
import { LOOPBACK } from '../support/tcp.js'
import { until } from '../support/until.js'

function fleetOf(options: Partial<FleetOptions>): Fleet {
  const given: FleetOptions = {
    role: 'passive',
    host: LOOPBACK,
    port: 0,
    count: 3,
    name: 'etcher',
    rate: 400,
    seed: 7,
    timers: { t5: 20 },
    ...options,
  }
  const fleet = new Fleet(shippedModel('etcher') as Model, given, systemClock)
  onTestFinished(() => fleet.stop())
  return fleet
}

test('a fleet reports events and alarms, evenly, and every one is acknowledged and recorded', async () => {
  const live = await LiveGateway.open()
  const fleet = fleetOf({})
  await fleet.start()
  expect(fleet.members.map(({ name }) => name)).toEqual(['etcher-001', 'etcher-002', 'etcher-003'])
  const connected = fleet.members.map(({ simulator }) => live.connect({ port: simulator.port }))
  const ids = (await Promise.all(connected)).map(({ id }) => id)
  fleet.report()
  await until(() => fleet.members.every(({ acknowledged }) => acknowledged > 25))
  await fleet.quiet()
  const { sent, acknowledged, unacknowledged, open, selected, p50_ms, p99_ms } = fleet.figures
  expect({ acknowledged, unacknowledged, open, selected }).toEqual({
    acknowledged: sent,
    unacknowledged: 0,
    open: 0,
    selected: 3,
  })
  expect(p50_ms).toBeGreaterThan(0)
  expect(p99_ms).toBeGreaterThanOrEqual(p50_ms ?? 0)
  const shares = fleet.members.map((member) => member.sent)
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
  for (const [at, equipment_id] of ids.entries()) {
    const { items } = await live.gateway.messages.list({ equipment_id, direction: 'received', limit: 1000 })
    const of = (stream: number, fn: number) =>
      items.filter((message) => message.stream === stream && message.function === fn).length
    expect(of(6, 11) + of(5, 1)).toBe(shares[at])
    expect(of(5, 1)).toBeGreaterThan(0)
  }
})

test('links that are cut come up again, and the reports continue', async () => {
  const live = await LiveGateway.open()
  const fleet = fleetOf({ count: 2 })
  await fleet.start()
  await Promise.all(fleet.members.map(({ simulator }) => live.connect({ port: simulator.port })))
  fleet.report()
  await until(() => fleet.figures.acknowledged > 10)
  let selected = 0
  for (const { simulator } of fleet.members) {
    simulator.connectionChanged.on(({ to }) => {
      if (to === 'SELECTED') selected += 1
    })
  }
  fleet.cut()
  await until(() => selected === 2)
  const { acknowledged } = fleet.figures
  await until(() => fleet.figures.acknowledged > acknowledged + 10)
})

test.runIf(process.platform === 'linux')('equipment that dials in has an address each', async () => {
  const live = await LiveGateway.open()
  const port = await freePort()
  const fleet = fleetOf({ role: 'active', port })
  const addresses = fleet.members.map(({ address }) => address ?? '')
  expect(addresses).toEqual(['127.0.1.1', '127.0.1.2', '127.0.1.3'])
  const connected = addresses.map((ip_address) => live.connect({ ip_address, port, mode: 'active' }))
  await fleet.start()
  await Promise.all(connected)
  // The gateway may know it a moment before the equipment, whose S1F14 is still under way.
  await until(() => fleet.figures.communicating === 3)
})

test('one port that is taken, and none of the fleet listens', async () => {
  const first = fleetOf({ count: 1 })
  await first.start()
  const taken = first.members[0]?.simulator.port ?? 0
  const second = fleetOf({ count: 2, port: taken - 1 })
  await expect(second.start()).rejects.toThrow(`cannot listen on ${LOOPBACK}:`)
  expect(second.members.map(({ simulator }) => simulator.connectionState)).toEqual([
    'NOT_CONNECTED',
    'NOT_CONNECTED',
  ])
})

test('quantiles of latencies are right within two percent', () => {
  const latencies = new Latencies()
  expect(latencies.quantile(0.5)).toBeNull()
  for (let value = 1; value <= 1000; value++) latencies.add(value / 10)
  for (const share of [0.01, 0.5, 0.99, 1]) {
    const exact = share * 100
    expect(latencies.quantile(share)).toBeGreaterThanOrEqual(exact * 0.9999)
    expect(latencies.quantile(share)).toBeLessThan(exact * 1.0201)
  }
  latencies.add(1e9)
  expect(latencies.quantile(1)).toBeGreaterThan(599_999)
})
