import { expect, test } from 'vitest'
import type { Caller } from '../../../src/gateway/accounts/caller.js'
import { RecognisedCallers } from '../../../src/gateway/accounts/recognised-callers.js'
import { deferred } from '../../../src/kit/deferred.js'
import { ManualClock } from '../../support/manual-clock.js'

const clock = new ManualClock()
const callerUntil = (tokenExpires: number) => ({ tokenId: 't', tokenExpires }) as Caller
const ALWAYS = Number.POSITIVE_INFINITY

test.each([
  ['the wall clock', clock.date().getTime() + 1000, ALWAYS],
  ['the clock that never goes back', ALWAYS, clock.now() + 1000],
])('a caller is known until the token ends by %s', async (_, tokenExpires, expiry) => {
  const own = new ManualClock()
  const callers = new RecognisedCallers(own)
  const caller = callerUntil(tokenExpires)
  expect(await callers.add('a', async () => ({ caller, expiry }))).toBe(caller)
  own.advance(999)
  expect([callers.get('a'), callers.get('b')]).toEqual([caller, undefined])
  own.advance(1)
  expect(callers.get('a')).toBeUndefined()
})

test('nobody is known after a change, also one that was verified while it was made', async () => {
  const callers = new RecognisedCallers(clock)
  const recognised = { caller: callerUntil(ALWAYS), expiry: ALWAYS }
  await callers.add('a', async () => recognised)
  const verified = deferred<typeof recognised>()
  const adding = callers.add('b', () => verified.promise)
  callers.forget()
  verified.resolve(recognised)
  expect(await adding).toBe(recognised.caller)
  expect([callers.get('a'), callers.get('b')]).toEqual([undefined, undefined])
  await expect(callers.add('c', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(callers.get('c')).toBeUndefined()
})

test('4,096 are remembered, and then it begins anew', async () => {
  const callers = new RecognisedCallers(clock)
  const recognised = { caller: callerUntil(ALWAYS), expiry: ALWAYS }
  for (let n = 0; n < 4096; n++) await callers.add(String(n), async () => recognised)
  expect([callers.get('0'), callers.get('4095')]).toEqual([recognised.caller, recognised.caller])
  await callers.add('one more', async () => recognised)
  expect([callers.get('0'), callers.get('one more')]).toEqual([undefined, recognised.caller])
})
