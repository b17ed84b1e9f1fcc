import { expect, test } from 'vitest'
import type { HostPrimary } from '../../src/gem/equipment/equipment.js'
import { systemClock } from '../../src/kit/clock.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { A, type Item, L } from '../../src/secs2/item.js'
import { MAX_DEPTH } from '../../src/secs2/limits.js'
import { Wire } from '../../src/simulator/wire.js'
import { next, selectedPair } from '../support/hsms-pair.js'
import { message } from '../support/hsms-wire.js'
import { ManualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'

/** What no message can hold. */
const BEYOND = Array.from({ length: MAX_DEPTH }).reduce<Item>((inner) => L(inner), L())

test('an answer that no message can hold is an abort', async () => {
  const { host, equipment } = await selectedPair()
  const wire = new Wire(equipment, systemClock, () => ({
    kind: 'reply',
    message: { stream: 1, function: 2, item: BEYOND },
  }))
  const sent: string[] = []
  wire.log.on(({ direction, sml }) => direction === 'sent' && sent.push(sml))
  const systemBytes = host.reserve() ?? 0
  expect(await host.request(message({ stream: 1, function: 1, systemBytes }))).toMatchObject({
    kind: 'aborted',
  })
  expect(sent).toEqual(['S1F0.'])
})

test('a request that no message can hold is lost, and holds no transaction', async () => {
  const { equipment } = await selectedPair()
  const wire = new Wire(equipment, systemClock, () => ({ kind: 'none' }))
  const requests = Array.from({ length: equipment.settings.maxOpen }, () =>
    wire.request({ stream: 6, function: 11, item: BEYOND }),
  )
  expect(new Set((await Promise.all(requests)).map(({ kind }) => kind))).toEqual(new Set(['lost']))
  expect(equipment.reserve()).toBeDefined()
})

test('what wants no answer is sent without W-bit, and holds no transaction', async () => {
  const { host, equipment } = await selectedPair()
  const wire = new Wire(equipment, systemClock, () => ({ kind: 'none' }))
  const heard = next(host.received)
  for (let count = 0; count < equipment.settings.maxOpen; count += 1) {
    wire.sendOneWay({ stream: 10, function: 7, item: { format: 'B', value: 1 } })
  }
  expect(await heard).toMatchObject({ kind: 'primary', message: { stream: 10, function: 7, wait: false } })
  expect(equipment.reserve()).toBeDefined()
  await host.stop()
  await until(() => equipment.state !== 'SELECTED')
  wire.sendOneWay({ stream: 10, function: 7, item: BEYOND })
})

test('a primary comes with the length of its body, and one that is too long is reported by S9F11', async () => {
  const { host, equipment } = await selectedPair()
  const lengths: HostPrimary['length'][] = []
  new Wire(equipment, systemClock, ({ length }) => {
    lengths.push(length)
    return { kind: 'fault', fault: 'too_long' }
  })
  const body = encodeBody(A('12345'))
  const systemBytes = host.reserve() ?? 0
  void host.request(message({ stream: 1, function: 3, systemBytes, body }))
  const { message: complaint } = await next(host.received)
  expect(complaint).toMatchObject({ stream: 9, function: 11, wait: false })
  expect([lengths, complaint.body.length]).toEqual([[7], 12])
})

test('no more than a thousand primaries wait to be late, and none for a link that is gone', async () => {
  const { host, equipment } = await selectedPair()
  const clock = new ManualClock()
  let taken = 0
  let came = 0
  const answer = (): { kind: 'abort' } => {
    taken += 1
    return { kind: 'abort' }
  }
  new Wire(equipment, clock, answer, { late: 5000 }).log.on(() => {
    came += 1
  })
  for (let systemBytes = 1; systemBytes <= 1001; systemBytes += 1)
    host.send(message({ wait: false, systemBytes }))
  await until(() => came === 1001)
  expect(clock.scheduled).toBe(1000)
  await host.stop()
  await until(() => equipment.state !== 'SELECTED')
  expect(clock.scheduled).toBe(0)
  expect(taken).toBe(0)
})
