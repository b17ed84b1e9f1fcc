import { expect, test } from 'vitest'
import { encodeFrame } from '../../../src/hsms/frame/frame.js'
import { dataHeader } from '../../../src/hsms/frame/header.js'
import { Listeners } from '../../../src/hsms/tcp/listener.js'
import { Timer } from '../../../src/hsms/timers/timer.js'
import type { Cancel, Clock } from '../../../src/kit/clock.js'
import { driver, next, portOf } from '../../support/hsms-pair.js'
import { message } from '../../support/hsms-wire.js'
import { ManualClock } from '../../support/manual-clock.js'
import { RawPeer } from '../../support/tcp.js'

/** Counts the timers that are set. */
class CountingClock extends ManualClock {
  timers = 0

  override at(at: number, run: () => void): Cancel {
    this.timers += 1
    return super.at(at, run)
  }
}

/** Stands still, and then is behind by as much as it was held up: its timers fire when told to. */
class HeldUpClock implements Clock {
  time = 0
  readonly timers: { readonly at: number; readonly run: () => void }[] = []

  now(): number {
    return this.time
  }

  date(): Date {
    return new Date(this.time)
  }

  at(at: number, run: () => void): Cancel {
    const timer = { at, run }
    this.timers.push(timer)
    return () => void this.timers.splice(this.timers.indexOf(timer), 1)
  }

  /** The process comes back at `time`, and looks at its timers before anything else. */
  fireLate(time: number): void {
    this.time = time
    for (const timer of this.timers.splice(0)) {
      if (timer.at <= time) timer.run()
      else this.timers.push(timer)
    }
  }
}

test('the deadline that was set last is kept to, also when an earlier one was set before', () => {
  const clock = new ManualClock()
  const woken: number[] = []
  const wake = new Timer(clock, () => {
    woken.push(clock.now())
    if (clock.now() < 500) wake.set(500)
  })
  wake.set(100)
  wake.set(500)
  clock.advance(499)
  expect(woken).toEqual([100]) // early, and nothing was due
  clock.advance(1)
  expect(woken).toEqual([100, 500])
})

test('an earlier deadline takes the place of a later one', () => {
  const clock = new ManualClock()
  const woken: number[] = []
  const wake = new Timer(clock, () => woken.push(clock.now()))
  wake.set(500)
  wake.set(100)
  clock.advance(1_000)
  expect(woken).toEqual([100])
})

test('deadlines that come and go before they are reached share one timer', () => {
  const clock = new CountingClock()
  const wake = new Timer(clock, () => {})
  for (let round = 0; round < 1_000; round += 1) {
    wake.set(clock.now() + 45_000)
    wake.set(undefined)
    clock.advance(1)
  }
  expect(clock.timers).toBe(1)
})

test('after a cancel nothing is woken, also when the timer was late already', async () => {
  const clock = new HeldUpClock()
  let woken = 0
  const wake = new Timer(clock, () => {
    woken += 1
  })
  wake.set(100)
  clock.fireLate(300)
  wake.cancel()
  await new Promise((resolve) => setImmediate(resolve))
  expect(woken).toBe(0)
})

test('T8 is not held against a peer whose bytes came while the process was held up', async () => {
  const clock = new HeldUpClock()
  const equipment = driver({ role: 'passive' }, new Listeners(), clock)
  await equipment.start()
  const peer = (await RawPeer.dial(portOf(equipment))).control('selectReq')
  await peer.frame()
  peer.socket.setNoDelay()
  const bytes = encodeFrame({ header: dataHeader(message({ systemBytes: 5 })), body: Uint8Array.of(1, 0) })
  peer.socket.write(bytes.subarray(0, 9))
  await until(() => clock.timers.some(({ at }) => at === 5_000)) // T8 runs
  const arrived = next(equipment.received)
  peer.socket.write(bytes.subarray(9)) // in our socket at once; nobody has read it
  clock.fireLate(20_000)
  expect((await arrived).message.systemBytes).toBe(5)
  expect(equipment.state).toBe('SELECTED')
})

test('T8 ends a connection whose peer said nothing, however late it is looked at', async () => {
  const clock = new HeldUpClock()
  const equipment = driver({ role: 'passive' }, new Listeners(), clock)
  await equipment.start()
  const peer = (await RawPeer.dial(portOf(equipment))).control('selectReq')
  await peer.frame()
  peer.socket.write(Uint8Array.of(0, 0, 0))
  await until(() => clock.timers.some(({ at }) => at === 5_000))
  const dropped = next(equipment.changed)
  clock.fireLate(20_000)
  expect(await dropped).toMatchObject({ fault: { code: 't8' } })
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}
