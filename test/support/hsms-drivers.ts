import { onTestFinished } from 'vitest'
import { HsmsDriver } from '../../src/hsms/driver.js'
import type { HsmsSettings } from '../../src/hsms/settings.js'
import { Listeners } from '../../src/hsms/tcp/listener.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import { deferred } from '../../src/kit/deferred.js'
import type { Signal } from '../../src/kit/signal.js'
import { beginningAt, SETTINGS } from './hsms-pair.js'
import { LOOPBACK } from './tcp.js'

/** A driver on the loopback that is stopped when the test is over. */
export function driver(
  settings: Partial<HsmsSettings>,
  listeners: Listeners = new Listeners(),
  clock: Clock = systemClock,
): HsmsDriver {
  const random = beginningAt(Math.random())
  const made = new HsmsDriver(
    { ...SETTINGS, host: LOOPBACK, port: 0, ...settings },
    { clock, listeners, random },
  )
  onTestFinished(() => made.stop())
  return made
}

/** A driver that listens, on a port of its own unless `settings` gives one. */
export async function passive(
  settings: Partial<HsmsSettings> = {},
  listeners?: Listeners,
): Promise<HsmsDriver> {
  const made = driver({ role: 'passive', ...settings }, listeners)
  await made.start()
  return made
}

export function portOf(made: HsmsDriver): number {
  if (made.boundPort === undefined) throw new Error('the port is not bound')
  return made.boundPort
}

export function next<T>(signal: Signal<T>, wanted: (value: T) => boolean = () => true): Promise<T> {
  const found = deferred<T>()
  const off = signal.on((value) => {
    if (!wanted(value)) return
    off()
    found.resolve(value)
  })
  return found.promise
}

export const reached = (made: HsmsDriver, state: HsmsDriver['state']): Promise<unknown> =>
  made.state === state ? Promise.resolve() : next(made.changed, ({ to }) => to === state)

/** Two drivers, SELECTED. */
export async function selectedPair(): Promise<{ host: HsmsDriver; equipment: HsmsDriver }> {
  const equipment = await passive()
  const host = driver({ port: portOf(equipment) })
  const both = Promise.all([reached(host, 'SELECTED'), reached(equipment, 'SELECTED')])
  await host.start()
  await both
  return { host, equipment }
}
