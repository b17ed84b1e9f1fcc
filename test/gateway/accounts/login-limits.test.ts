import { beforeEach, expect, test } from 'vitest'
import type { Problem } from '../../../src/contract/errors.js'
import { LoginLimits } from '../../../src/gateway/accounts/login-limits.js'
import { ManualClock } from '../../support/manual-clock.js'

const MINUTE = 60_000

let clock: ManualClock
let limits: LoginLimits

beforeEach(() => {
  clock = new ManualClock()
  limits = new LoginLimits(clock)
  clock.advance(MINUTE)
})

const fail = (times: number, email = 'ada', address = '10.0.0.1'): void => {
  for (let at = 0; at < times; at++) limits.failed(email, address)
}
/** Seconds to wait, 0 when a login may be tried. */
const wait = (email = 'ada', address = '10.0.0.1'): number => {
  try {
    limits.check(email, address)
    return 0
  } catch (error) {
    return (error as Problem).extra.retry_after ?? Number.NaN
  }
}

test('five failures in a minute end the guessing for an email from one address', () => {
  fail(4)
  expect(wait()).toBe(0)
  fail(1)
  expect(wait()).toBe(60)
})

test('failures that are a minute apart do not add up', () => {
  for (let at = 0; at < 10; at++) {
    fail(1)
    clock.advance(MINUTE / 4)
    expect(wait()).toBe(0)
  }
})

test('nobody is locked out by a stranger elsewhere, nor for another’s email', () => {
  fail(5)
  expect(wait('ada', '10.0.0.2')).toBe(0)
  expect(wait('bob', '10.0.0.1')).toBe(0)
})

test('twenty failures from one address end it for all emails from there', () => {
  for (let at = 0; at < 20; at++) fail(1, `user${at}`)
  expect(wait('somebody else')).toBeGreaterThan(0)
  expect(wait('somebody else', '10.0.0.2')).toBe(0)
})

test('attempts during the wait do not prolong it', () => {
  fail(5)
  for (let second = 0; second < 60; second++) {
    expect(wait()).toBe(60 - second)
    clock.advance(1000)
  }
  expect(wait()).toBe(0)
})

test('who waits as long as was said may try again', () => {
  fail(5)
  clock.advance(wait() * 1000)
  expect(wait()).toBe(0)
})

test.each([
  [0, 120],
  [15 * MINUTE - 1, 120],
  [15 * MINUTE, 60],
])('a caller that fails again %i ms after a wait of 60 s waits for %i s', (ms, seconds) => {
  fail(5)
  clock.advance(wait() * 1000 + ms)
  fail(5)
  expect(wait()).toBe(seconds)
})

test('the wait of a caller that fails again and again ends at 15 minutes', () => {
  for (let times = 0; times < 6; times++) {
    fail(5)
    clock.advance(15 * MINUTE - 1)
  }
  fail(5)
  expect(wait()).toBe(15 * 60)
  clock.advance(15 * MINUTE)
  expect(wait()).toBe(0)
})

test('of a wait for an email and one for its address the longer one is told', () => {
  fail(5)
  clock.advance(20_000)
  for (let at = 0; at < 15; at++) fail(1, `user${at}`)
  expect([wait(), wait('another')]).toEqual([60, 60])
})

test('a success forgets the failures of its email, not those of its address', () => {
  fail(4)
  limits.succeeded('ada', '10.0.0.1')
  fail(4)
  expect(wait()).toBe(0)
  for (let at = 0; at < 12; at++) fail(1, `user${at}`)
  expect(wait('bob')).toBeGreaterThan(0)
})

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'],
  ['2001:db8::1', '2001:db8::ffff:2'],
  ['::1', '::2'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
])('%s and %s are one place', (one, other) => {
  fail(5, 'ada', one)
  expect(wait('ada', other)).toBeGreaterThan(0)
})

test('a flood of addresses does not make the memory grow without end, nor free who is being refused now', () => {
  for (let at = 0; at < 30_000; at++) limits.failed('ada', `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)
  fail(5, 'eve', '192.0.2.1')
  expect(wait('eve', '192.0.2.1')).toBeGreaterThan(0)
  expect(limits.size).toBeLessThanOrEqual(20_000)
})
