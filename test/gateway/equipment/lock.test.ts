import { expect, test } from 'vitest'
import type { Clock } from '../../../src/kit/clock.js'
import { L, U4 } from '../../../src/secs2/item.js'
import { LiveGateway } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'

const ADA = { id: 'usr_ada', email: 'ada@fab.example' }
const BOB = { id: 'usr_bob', email: 'bob@fab.example' }
const TEN_MINUTES = { for_seconds: 600, reason: 'pump exchange' }
const MINUTE = 60_000

/** A clock whose wall clock can be set. */
class SetClock extends ManualClock {
  setBy = 0

  override date(): Date {
    return new Date(super.date().getTime() + this.setBy)
  }
}

async function locked(clock: Clock) {
  const live = await LiveGateway.open({ clock })
  const { id } = await live.gateway.equipment.create({ name: 'etcher', ip_address: '192.0.2.5', port: 5000 })
  const lock = await live.gateway.equipment.lock(id, ADA, TEN_MINUTES)
  const isLocked = (): boolean => {
    try {
      live.gateway.equipment.refuseLocked(id, BOB)
      return false
    } catch {
      return true
    }
  }
  return { live, id, lock, isLocked }
}

test('a lock is shown with the equipment until it ends, and is no revision of it', async () => {
  const clock = new SetClock()
  const { live, id, lock } = await locked(clock)
  const { equipment } = live.gateway
  const shown = await equipment.get(id)
  expect(shown).toMatchObject({ lock, revision: 1, updated_at: shown.created_at })
  expect(lock).toEqual({
    by: ADA.email,
    reason: 'pump exchange',
    since: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-01-01T00:10:00.000Z',
  })
  expect(await equipment.get(id)).toBe(shown)
  expect((await equipment.list({})).items).toMatchObject([{ lock }])
  expect(await equipment.update(id, { name: 'coater' }, ['1'])).toMatchObject({ lock, revision: 2 })
  clock.advance(10 * MINUTE - 1)
  expect((await equipment.get(id)).lock).toEqual(lock)
  clock.advance(1)
  expect((await equipment.get(id)).lock).toBeNull()
  expect((await equipment.list({})).items).toMatchObject([{ lock: null }])
  expect(() => equipment.refuseLocked(id, BOB)).not.toThrow()
  expect(await equipment.lock(id, BOB, TEN_MINUTES)).toMatchObject({ by: BOB.email })
})

test('the holder is not refused, whatever the name is now', async () => {
  const { live, id } = await locked(new SetClock())
  expect(() => live.gateway.equipment.refuseLocked(id, { id: ADA.id })).not.toThrow()
  await live.gateway.equipment.update(id, { name: 'coater' })
  expect(() => live.gateway.equipment.refuseLocked(id, BOB)).toThrow(
    'coater is locked by ada@fab.example until 2026-01-01T00:10:00Z (pump exchange).',
  )
})

test('a lock holds after a restart of the gateway for the rest of its time', async () => {
  const clock = new SetClock()
  const { live, id, lock, isLocked } = await locked(clock)
  clock.advance(4 * MINUTE)
  await live.reopen()
  expect((await live.gateway.equipment.get(id)).lock).toEqual(lock)
  expect(() => live.gateway.equipment.refuseLocked(id, { id: ADA.id })).not.toThrow()
  clock.advance(6 * MINUTE - 1)
  expect(isLocked()).toBe(true)
  clock.advance(1)
  expect(isLocked()).toBe(false)
})

test('a lock that ended while the gateway was off is over, as is one that was released before', async () => {
  const clock = new SetClock()
  const { live, id, isLocked } = await locked(clock)
  clock.advance(10 * MINUTE)
  await live.reopen()
  expect(isLocked()).toBe(false)
  await live.gateway.equipment.lock(id, ADA, TEN_MINUTES)
  await live.gateway.equipment.unlock(id, ADA, false)
  await live.reopen()
  expect((await live.gateway.equipment.get(id)).lock).toBeNull()
})

test.each([
  ['ahead', 400 * 24 * 60 * MINUTE],
  ['back', -400 * 24 * 60 * MINUTE],
])('a wall clock that is set %s changes nothing while the gateway runs', async (_, by) => {
  const clock = new SetClock()
  const { isLocked } = await locked(clock)
  clock.setBy = by
  clock.advance(10 * MINUTE - 1)
  expect(isLocked()).toBe(true)
  clock.advance(1)
  expect(isLocked()).toBe(false)
})

test('a wall clock that was set back before a restart makes a lock last once more its time at most', async () => {
  const clock = new SetClock()
  const { live, isLocked } = await locked(clock)
  clock.setBy = -400 * 24 * 60 * MINUTE
  await live.reopen()
  clock.advance(10 * MINUTE - 1)
  expect(isLocked()).toBe(true)
  clock.advance(1)
  expect(isLocked()).toBe(false)
})

test('a wall clock that is set while a lock is written does not change how long it lasts', async () => {
  const clock = new SetClock()
  const { live, id, isLocked } = await locked(clock)
  const writing = live.gateway.equipment.lock(id, ADA, TEN_MINUTES)
  await Promise.resolve()
  clock.setBy = 400 * 24 * 60 * MINUTE
  await writing
  clock.advance(10 * MINUTE - 1)
  expect(isLocked()).toBe(true)
  clock.advance(1)
  expect(isLocked()).toBe(false)
})

test('calls that come while a lock is written, or waits for a change to end, are refused', async () => {
  const live = await LiveGateway.open({ clock: new SetClock() })
  const { equipment } = live.gateway
  const { id } = await equipment.create({ name: 'etcher', ip_address: '192.0.2.5', port: 5000 })
  const done: string[] = []
  const changing = equipment.update(id, { name: 'coater' }).then(() => done.push('change'))
  const locking = equipment.lock(id, ADA, TEN_MINUTES).then(() => done.push('lock'))
  expect(() => equipment.refuseLocked(id, BOB)).toThrow('is locked by ada@fab.example')
  await Promise.all([changing, locking])
  expect(done).toEqual(['change', 'lock'])
})

test('who locks again while the lock is released holds it, or is told who does', async () => {
  const { live, id } = await locked(new SetClock())
  const { equipment } = live.gateway
  const ends = await Promise.allSettled([
    equipment.unlock(id, ADA, false),
    equipment.lock(id, ADA, TEN_MINUTES),
    equipment.unlock(id, ADA, false).then(() => equipment.lock(id, BOB, TEN_MINUTES)),
  ])
  const holder = (await equipment.get(id)).lock?.by
  const locks = [
    ends[1].status === 'fulfilled' ? ADA.email : '',
    ends[2].status === 'fulfilled' ? BOB.email : '',
  ]
  expect(locks).toContain(holder)
  await live.reopen()
  expect((await live.gateway.equipment.get(id)).lock?.by).toBe(holder)
})

test('of two who lock at once one holds it', async () => {
  const live = await LiveGateway.open({ clock: new SetClock() })
  const { equipment } = live.gateway
  const { id } = await equipment.create({ name: 'etcher', ip_address: '192.0.2.5', port: 5000 })
  const ends = await Promise.allSettled([ADA, BOB].map((caller) => equipment.lock(id, caller, TEN_MINUTES)))
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect((await equipment.get(id)).lock?.by).toBe(ADA.email)
})

test('while equipment is locked, the gateway answers its reports and connects to it again', async () => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  await live.gateway.equipment.lock(id, ADA, TEN_MINUTES)
  const answered = (): number =>
    equipment.received.filter(({ stream, function: fn }) => stream === 6 && fn === 12).length
  const report = (): number => equipment.send(6, 11, L(U4(0), U4(100), L()))
  report()
  await until(() => answered() === 1)
  equipment.cut()
  await until(async () => {
    const { communication_state } = await live.gateway.equipment.get(id)
    return equipment.connections === 2 && communication_state === 'COMMUNICATING'
  })
  report()
  await until(() => answered() === 2)
  expect((await live.gateway.equipment.get(id)).lock?.by).toBe(ADA.email)
})

test('a lock goes with its equipment', async () => {
  const { live, id } = await locked(new SetClock())
  await live.gateway.equipment.delete(id)
  expect(() => live.gateway.equipment.refuseLocked(id, BOB)).not.toThrow()
  expect(await live.collection.all()).toEqual([])
})
