import { expect, test } from 'vitest'
import { Problem } from '../../src/contract/errors.js'
import { LeasedReplies } from '../../src/scenario/run/leased-replies.js'
import { ManualClock } from '../support/manual-clock.js'
import { turns } from '../support/until.js'

const ONE = { S6F11: 'S6F12 <B 1>.' }
const OTHER = { S6F11: 'S6F12 <B 2>.' }

/** A gateway that takes replies when it is told to, or refuses them. */
class Gateway {
  readonly #waiting: ((fails: boolean) => void)[] = []
  isSlow = false
  given: object = {}
  calls = 0
  async setReplies(replies: object): Promise<void> {
    this.calls += 1
    if (this.isSlow && (await new Promise<boolean>((resolve) => this.#waiting.push(resolve))))
      throw new Problem('store_unavailable', 'away')
    this.given = replies
  }
  /** Takes the call that came last, or first. */
  take(which: 'pop' | 'shift', fails = false): void {
    this.#waiting[which]()?.(fails)
  }
}

test('replies of the next step are set after a renewal that is under way', async () => {
  const clock = new ManualClock()
  const gateway = new Gateway()
  const replies = new LeasedReplies(gateway, clock)
  await replies.want(ONE)
  gateway.isSlow = true
  clock.advance(20_000)
  const wanted = replies.want(OTHER)
  await turns()
  // A gateway may take the one that came last first.
  for (let calls = 0; calls < 2; calls++) {
    gateway.take('pop')
    await turns()
  }
  await wanted
  expect(gateway.given).toEqual(OTHER)
})

test('after replies could not be set, those of before are set again and renewed', async () => {
  const clock = new ManualClock()
  const gateway = new Gateway()
  const replies = new LeasedReplies(gateway, clock)
  await replies.want(ONE)
  gateway.isSlow = true
  const wanted = replies.want(OTHER)
  await turns()
  gateway.take('shift', true)
  await expect(wanted).rejects.toThrow('away')
  gateway.isSlow = false
  const { calls } = gateway
  await replies.want(ONE)
  expect(gateway.calls).toBe(calls + 1)
  clock.advance(20_000)
  expect(gateway.calls).toBe(calls + 2)
})
