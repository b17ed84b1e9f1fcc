import { expect, test } from 'vitest'
import { EquipmentHealth, type LinkStatus } from '../../../src/gateway/equipment/equipment-health.js'
import { A, L } from '../../../src/secs2/item.js'
import { LiveGateway } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'

const READY: LinkStatus = {
  enabled: true,
  ready: true,
  connectionState: 'SELECTED',
  lastError: null,
  t3Ms: 45_000,
}
const MINUTE = 60_000

const healthAt = () => {
  const clock = new ManualClock()
  return { clock, health: new EquipmentHealth(clock) }
}

test('equipment that replies in time is ok', () => {
  const { health } = healthAt()
  health.replied(12)
  expect(health.verdict(READY)).toEqual({ health: 'ok', health_reason: null })
  expect(health.responsiveness).toMatchObject({ p99_ms: 12, t3_timeouts: 0, t6_timeouts: 0 })
})

test('equipment without the reports that were applied is degraded, whatever else there is', () => {
  const { health } = healthAt()
  const missing = { ...READY, reportsMissing: 'it has none: S2F35 was refused.' }
  expect(health.verdict(missing)).toEqual({
    health: 'degraded',
    health_reason: 'it has none: S2F35 was refused',
  })
  health.timedOut('t3')
  expect(health.verdict(missing).health_reason).toMatch(/S2F35 was refused; in the last .* T3 once$/)
  expect(health.verdict({ ...missing, enabled: false }).health).toBe('ok')
})

test('messages of a tap that are not recorded are named for 15 minutes, however many there are', () => {
  const { clock, health } = healthAt()
  for (let at = 0; at < 5000; at++) health.unrecorded(2)
  clock.advance(14 * MINUTE)
  health.unrecorded(1)
  expect(health.verdict(READY)).toEqual({
    ...{ health: 'degraded', health_reason: expect.stringMatching(/not recorded: 10001$/) },
  })
  clock.advance(2 * MINUTE)
  expect(health.verdict(READY).health_reason).toMatch(/not recorded: 1$/)
  clock.advance(14 * MINUTE)
  expect(health.verdict(READY)).toEqual({ health: 'ok', health_reason: null })
})

test('equipment that is not meant to be connected is ok, whatever its last error', () => {
  const { health } = healthAt()
  const status = {
    ...READY,
    enabled: false,
    ready: false,
    lastError: { detail: 'refused', at: '2026-01-01T00:00:00.000Z' },
  }
  expect(health.verdict(status).health).toBe('ok')
})

test('equipment that should be connected and is not fails with its last error; without one it is degraded', () => {
  const { health } = healthAt()
  const away = { ...READY, ready: false, connectionState: 'CONNECTING' }
  expect(
    health.verdict({ ...away, lastError: { detail: 'connection refused', at: '2026-01-01T00:00:00.000Z' } }),
  ).toEqual({
    health: 'failing',
    health_reason: 'CONNECTING: connection refused',
  })
  expect(health.verdict(away).health).toBe('degraded')
})

test('an error on a link that is ready degrades for 15 minutes, and no longer', () => {
  const { clock, health } = healthAt()
  const status = {
    ...READY,
    lastError: { detail: 'it speaks as device ID 5', at: clock.date().toISOString() },
  }
  expect(health.verdict(status)).toEqual({
    health: 'degraded',
    health_reason: 'in the last 15 minutes: it speaks as device ID 5',
  })
  clock.advance(15 * MINUTE - 1)
  expect(health.verdict(status).health).toBe('degraded')
  clock.advance(1)
  expect(health.verdict(status)).toEqual({ health: 'ok', health_reason: null })
})

test('one primary without a reply degrades, two in a row fail, and a reply mends that for 15 minutes only in part', () => {
  const { clock, health } = healthAt()
  health.replied(5)
  health.timedOut('t3')
  expect(health.verdict(READY)).toMatchObject({ health: 'degraded' })
  health.timedOut('t3')
  expect(health.verdict(READY)).toEqual({
    health: 'failing',
    health_reason: 'SELECTED, but no reply within T3 to the last 2 messages',
  })
  health.replied(5)
  expect(health.verdict(READY)).toEqual({
    health: 'degraded',
    health_reason: 'in the last 15 minutes: no reply within T3 2 times',
  })
  clock.advance(15 * MINUTE - 1)
  expect(health.verdict(READY).health).toBe('degraded')
  clock.advance(1)
  expect(health.verdict(READY).health).toBe('ok')
})

test('equipment that stays silent stays failing after the window has passed', () => {
  const { clock, health } = healthAt()
  health.timedOut('t3')
  health.timedOut('t3')
  clock.advance(60 * MINUTE)
  expect(health.verdict(READY).health).toBe('failing')
})

test('T6 timeouts and slow replies degrade', () => {
  const { clock, health } = healthAt()
  health.timedOut('t6')
  expect(health.verdict(READY).health_reason).toBe(
    'in the last 15 minutes: no reply to a control message within T6 once',
  )
  clock.advance(15 * MINUTE)
  for (let reply = 0; reply < 99; reply++) health.replied(10)
  health.replied(30_000)
  expect(health.verdict(READY).health).toBe('ok')
  health.replied(30_000)
  expect(health.verdict(READY).health_reason).toBe(
    'in the last 15 minutes: slow replies (p99 30000 ms, T3 is 45000 ms)',
  )
})

test('the numbers are one object until they change, and no more than 256 of each are remembered', () => {
  const { clock, health } = healthAt()
  health.replied(1)
  const before = health.responsiveness
  clock.advance(MINUTE)
  expect(health.responsiveness).toBe(before)
  for (let timeout = 0; timeout < 1000; timeout++) health.timedOut('t3')
  expect(health.responsiveness.t3_timeouts).toBe(256)
})

test('the record of a tool that is selected and silent says so, until it replies', async () => {
  const clock = new ManualClock()
  const live = await LiveGateway.open({ clock })
  const { equipment, id } = await live.connectScripted({ timers: { t3: 10 } })
  const ask = () => live.gateway.messages.send(id, { stream: 1, function: 1 }).catch((error) => error.code)
  const askInVain = async () => {
    const asked = ask()
    await equipment.next()
    clock.advance(10_000)
    return asked
  }
  const record = () => live.gateway.equipment.get(id)
  expect(await record()).toMatchObject({ health: 'ok', health_reason: null })
  expect([await askInVain(), await askInVain()]).toEqual(['reply_timeout', 'reply_timeout'])
  expect(await record()).toMatchObject({
    connection_state: 'SELECTED',
    communication_state: 'COMMUNICATING',
    health: 'failing',
    responsiveness: { t3_timeouts: 2 },
  })
  equipment.reply = () => ({ function: 2, item: L(A('SCRIPT'), A('0.1')) })
  await ask()
  expect(await record()).toMatchObject({ health: 'degraded' })
})

test.each([
  ['stood still', (clock: ManualClock) => clock.standStill(60_000), 'ok'],
  ['ran', (clock: ManualClock) => clock.advance(40_000), 'degraded'],
])('a reply for which this process %s for long', async (_, pass, health) => {
  const clock = new ManualClock()
  const live = await LiveGateway.open({ clock })
  const { equipment, id } = await live.connectScripted()
  equipment.reply = () => {
    pass(clock)
    return { function: 2, item: L(A('SCRIPT'), A('0.1')) }
  }
  await live.gateway.messages.send(id, { stream: 1, function: 1 })
  expect(await live.gateway.equipment.get(id)).toMatchObject({ health })
})

test('a caller that waits shorter than T3 says nothing about the equipment', async () => {
  const live = await LiveGateway.open()
  const { id } = await live.connectScripted()
  const ask = () =>
    live.gateway.messages.send(id, { stream: 1, function: 1 }, { timeout: 0.05 }).catch((error) => error.code)
  expect([await ask(), await ask()]).toEqual(['reply_timeout', 'reply_timeout'])
  expect(await live.gateway.equipment.get(id)).toMatchObject({ health: 'ok' })
})

test('equipment that answers everything with Reject.req fails, until it gives a reply', () => {
  const { health } = healthAt()
  health.rejected()
  expect(health.verdict(READY).health).toBe('ok')
  health.rejected()
  expect(health.verdict(READY)).toMatchObject({
    health: 'failing',
    health_reason: expect.stringContaining('Reject.req'),
  })
  health.replied(5)
  expect(health.verdict(READY).health).toBe('ok')
})

test('equipment that is treated as one without S1F13 is degraded, and its silence to S1F13 counts no more', () => {
  const { health } = healthAt()
  for (let count = 0; count < 2; count += 1) health.timedOut('t3')
  health.excuse()
  const verdict = health.verdict({ ...READY, withoutS1F13: 'the equipment answered S1F13 with S1F0' })
  expect(verdict).toMatchObject({ health: 'degraded', health_reason: expect.stringContaining('S1F0') })
})

test('equipment that takes longer than slow_reply for half of its replies is degraded', () => {
  const { health } = healthAt()
  const status = { ...READY, slowMs: 2_000 }
  for (let count = 0; count < 4; count += 1) health.replied(3_000)
  expect(health.verdict(status)).toMatchObject({
    health: 'degraded',
    health_reason: expect.stringContaining('slow_reply is 2000 ms'),
  })
  expect(health.verdict({ ...status, slowMs: 4_000 }).health).toBe('ok')
  for (let count = 0; count < 5; count += 1) health.replied(10)
  expect(health.verdict(status).health).toBe('ok')
})

test('the time of the last message is known to the second', () => {
  const { clock, health } = healthAt()
  expect(health.responsiveness.last_message_at).toBeNull()
  clock.advance(1_500)
  health.received()
  expect(health.responsiveness.last_message_at).toBe('2026-01-01T00:00:01.000Z')
  clock.advance(400)
  health.received()
  const shown = health.responsiveness
  clock.advance(400)
  expect(health.responsiveness).toBe(shown)
  clock.advance(60_000)
  health.received()
  expect(health.responsiveness.last_message_at).toBe('2026-01-01T00:01:02.000Z')
})

const COUNTS = { t3_timeouts: 0, t6_timeouts: 0 }

test.each<[code: string, counts: object, reason: RegExp | null]>([
  ['t6', { t6_timeouts: 1 }, /T6 once/],
  ['linktest_timeout', { t6_timeouts: 1 }, /T6 once/],
  ['retry_limit', {}, /RTY retries once/],
  ['t7', {}, null],
])('a connection that ended by %s counts for 15 minutes', (code, counts, reason) => {
  const { clock, health } = healthAt()
  health.lost({ code } as never)
  expect(health.responsiveness).toMatchObject({ ...COUNTS, ...counts })
  const reasonNow = () => health.verdict(READY).health_reason
  if (reason === null) return expect(reasonNow()).toBeNull()
  expect(reasonNow()).toMatch(reason)
  clock.advance(15 * MINUTE - 1)
  expect(reasonNow()).toMatch(reason)
  clock.advance(1)
  expect([reasonNow(), health.responsiveness.t6_timeouts]).toEqual([null, 0])
})

test('each latency leaves after 15 minutes, the last reply stays', () => {
  const { clock, health } = healthAt()
  health.replied(30_000)
  clock.advance(MINUTE)
  for (let reply = 0; reply < 3; reply++) health.replied(30)
  expect(health.responsiveness.p99_ms).toBe(30_000)
  clock.advance(14 * MINUTE)
  expect(health.responsiveness.p99_ms).toBe(30)
  clock.advance(MINUTE)
  expect(health.responsiveness).toMatchObject({ p99_ms: null, last_reply_at: '2026-01-01T00:01:00.000Z' })
})

test('the last 256 latencies are remembered', () => {
  const { health } = healthAt()
  health.replied(1000)
  for (let reply = 0; reply < 255; reply++) health.replied(1)
  expect(health.responsiveness.p99_ms).toBe(1)
  health.replied(1000)
  for (let reply = 0; reply < 2; reply++) health.replied(1000)
  expect(health.responsiveness.p99_ms).toBe(1000)
})

test.each([
  ['half of the replies are slow', [10, 21, 22], 'half of them take 21 ms'],
  ['fewer than half are slow', [10, 20, 21], null],
  ['p99 is half of T3', [20], null],
  ['p99 is more than half of T3', [20, 51], 'p99 51 ms'],
])('where %s', (_, latencies, reason) => {
  const { health } = healthAt()
  for (const latency of latencies) health.replied(latency)
  const { health_reason } = health.verdict({ ...READY, t3Ms: 100, slowMs: 20 })
  if (reason === null) expect(health_reason).toBeNull()
  else expect(health_reason).toContain(reason)
})

test('one rejection, or one primary without a reply that is excused, is no failure', () => {
  const { health } = healthAt()
  health.timedOut('t3')
  health.excuse()
  health.timedOut('t3')
  expect(health.verdict(READY).health).toBe('degraded')
  health.rejected()
  health.timedOut('t3')
  expect(health.verdict(READY).health).toBe('degraded')
  health.rejected()
  expect(health.verdict(READY).health).toBe('failing')
  health.replied(1)
  expect(health.verdict(READY).health).toBe('degraded')
})
