import { expect, test } from 'vitest'
import { LockState } from '../../../src/gateway/equipment/lock-state.js'
import type { KeptLock } from '../../../src/gateway/records/equipment-record.js'
import { ManualClock } from '../../support/manual-clock.js'

const ADA = { id: 'usr_ada', email: 'ada@x' }
const BOB = { id: 'usr_bob', email: 'bob@x' }
const ETCHER = { id: 'eq_1', name: 'etcher' }
const REQUEST = { for_seconds: 60, reason: 'pump' }

const KEPT: KeptLock = {
  ...{
    by: 'ada@x',
    reason: 'pump',
    since: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-01-01T00:01:00.000Z',
  },
  ...{ holder_id: ADA.id, for_seconds: 60 },
}
const { holder_id: _, for_seconds: __, ...SHOWN } = KEPT

const isRefused = (lock: LockState, { id } = BOB): boolean => {
  try {
    lock.refuseOthers({ id }, ETCHER)
    return false
  } catch (error) {
    expect(error).toMatchObject({
      ...{ code: 'equipment_locked', message: expect.stringContaining('until 2026-01-01T00:01:00Z (pump)') },
      extra: { next: [{ operation: 'getEquipment', parameters: { id: 'eq_1' } }] },
    })
    return true
  }
}

test.each<[what: string, startMs: number, heldMs: number]>([
  ['is over at the start', 60_000, 0],
  ['has a second left at the start', 59_000, 1000],
  ['begins with the start', 0, 60_000],
  ['would be longer since the clock was set back', -3_600_000, 60_000],
])('a lock in the record that %s', (_, startMs, heldMs) => {
  const clock = new ManualClock()
  const date = clock.date.bind(clock)
  clock.date = () => new Date(date().getTime() + startMs)
  const lock = new LockState(clock, KEPT)
  expect([lock.shown, isRefused(lock)]).toEqual(heldMs > 0 ? [SHOWN, true] : [null, false])
  clock.advance(Math.max(0, heldMs - 1))
  expect(isRefused(lock)).toBe(heldMs > 0)
  clock.advance(1)
  expect([lock.shown, isRefused(lock)]).toEqual([null, false])
})

test('without a lock nobody is refused', () => {
  const lock = new LockState(new ManualClock(), undefined)
  expect([lock.shown, isRefused(lock)]).toEqual([null, false])
})

test('who holds a lock goes on with it; another one begins', () => {
  const clock = new ManualClock()
  const lock = new LockState(clock, undefined)
  expect(lock.wantedBy(ADA, REQUEST)).toEqual(KEPT)
  expect(lock.hold(KEPT)).toEqual(SHOWN)
  clock.advance(30_000)
  const at = '2026-01-01T00:00:30.000Z'
  const expires_at = '2026-01-01T00:01:30.000Z'
  expect(lock.wantedBy(ADA, REQUEST)).toEqual({ ...KEPT, expires_at })
  expect(lock.wantedBy(BOB, REQUEST)).toMatchObject({ since: at, by: 'bob@x', holder_id: BOB.id })
  clock.advance(30_000)
  expect(lock.wantedBy(ADA, REQUEST).since).toBe('2026-01-01T00:01:00.000Z')
})

test('a lock that is being written refuses others already, and is not shown', async () => {
  const lock = new LockState(new ManualClock(), undefined)
  const work = lock.whileSought(KEPT, async () => {
    expect([lock.shown, isRefused(lock), isRefused(lock, ADA)]).toEqual([null, true, false])
    return 7
  })
  expect(await work).toBe(7)
  expect(isRefused(lock)).toBe(false)
  const failing = lock.whileSought(KEPT, () => Promise.reject(new Error('no disk')))
  await expect(failing).rejects.toThrow('no disk')
  expect(isRefused(lock)).toBe(false)
})

test('who holds a lock is refused while another one is being written', async () => {
  const lock = new LockState(new ManualClock(), undefined)
  lock.hold({ ...KEPT, holder_id: BOB.id })
  await lock.whileSought(KEPT, async () => expect(isRefused(lock, BOB)).toBe(true))
})

test('what another process has written is taken, and so is that it released it', () => {
  const lock = new LockState(new ManualClock(), undefined)
  lock.take(KEPT)
  expect([lock.shown, isRefused(lock)]).toEqual([SHOWN, true])
  expect(lock.shown).toBe(lock.shown)
  lock.take(undefined)
  expect([lock.shown, isRefused(lock)]).toEqual([null, false])
})
