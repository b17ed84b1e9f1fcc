import { expect, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.js'
import { type Item, L } from '../../src/secs2/item.js'
import { MAX_DEPTH } from '../../src/secs2/limits.js'
import { Wire } from '../../src/simulator/wire.js'
import { selectedPair } from '../support/hsms-drivers.js'
import { message } from '../support/hsms-wire.js'

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
