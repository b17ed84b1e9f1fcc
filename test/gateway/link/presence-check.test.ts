import { expect, test } from 'vitest'
import { PresenceCheck } from '../../../src/gateway/link/presence-check.js'
import { nextTurn } from '../../../src/kit/turns.js'
import { LiveGateway, TIMERS } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'

test('silent equipment is asked a period after its last message, and then every period', async () => {
  const clock = new ManualClock()
  const asked: number[] = []
  let period = 60_000
  const check = new PresenceCheck(
    clock,
    () => period,
    async () => void asked.push(clock.now()),
  )
  clock.advance(100_000)
  expect(asked).toEqual([])
  check.begin()
  clock.advance(50_000)
  check.received() // at 150,000
  clock.advance(59_999)
  expect(asked).toEqual([])
  clock.advance(1)
  await nextTurn()
  expect(asked).toEqual([210_000])
  clock.advance(60_000)
  await nextTurn()
  expect(asked).toEqual([210_000, 270_000])
  period = 0
  check.reconsider()
  clock.advance(600_000)
  expect(asked).toHaveLength(2)
  period = 1_000
  check.reconsider()
  check.end()
  clock.advance(600_000)
  expect(asked).toHaveLength(2)
  expect(clock.scheduled).toBe(0)
})

test('equipment that falls silent fails health by its presence check, which can be set while it is connected', async () => {
  const live = await LiveGateway.open()
  const { simulator, id } = await live.connectSimulator({ timers: { ...TIMERS, t3: 0.2 } })
  simulator.faults.silent = true
  await live.gateway.equipment.update(id, { timers: { presence: 0.1 } })
  const known = () => live.gateway.equipment.get(id)
  await until(async () => (await known()).health === 'failing')
  expect((await known()).connection_state).toBe('SELECTED')
  expect((await known()).responsiveness.last_message_at).not.toBeNull()
})
