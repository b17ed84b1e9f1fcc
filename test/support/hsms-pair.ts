import { onTestFinished } from 'vitest'
import { HsmsDriver } from '../../src/hsms/hsms-driver.js'
import { HsmsProtocol } from '../../src/hsms/hsms-protocol.js'
import type { HsmsInput, HsmsOutput } from '../../src/hsms/io.js'
import { HSMS_DEFAULTS, type HsmsSettings } from '../../src/hsms/settings.js'
import { Listeners } from '../../src/hsms/tcp/listener.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import { deferred } from '../../src/kit/deferred.js'
import type { Signal } from '../../src/kit/signal.js'
import type { Side } from '../../src/tap/side.js'
import { LineBetween } from './line-between.js'
import { LOOPBACK } from './tcp.js'

/** Settings of the active side; the passive side's differ in the role alone. */
export const SETTINGS: HsmsSettings = {
  ...HSMS_DEFAULTS,
  role: 'active',
  host: '127.0.0.1',
  port: 5000,
  deviceId: 1,
  timers: { ...HSMS_DEFAULTS.timers, linktest: 0 },
}

export type { Side }
export type Seen = HsmsOutput & { readonly side: Side; readonly at: number }

const OTHER = { host: 'equipment', equipment: 'host' } as const satisfies Record<Side, Side>

/** System bytes begin at this share of their range, and nothing is added to T5. */
export function beginningAt(share: number): () => number {
  const given = [share]
  return () => given.shift() ?? 0
}

/** Two HSMS entities and the network between them, in one thread and on made-up time. The host is active. */
export class HsmsPair {
  readonly host: HsmsProtocol
  readonly equipment: HsmsProtocol
  /** Everything that came out of either side, in order, with its time. */
  readonly seen: Seen[] = []
  now = 0
  /** What this side writes is lost on the way. */
  muted: Side | undefined
  /** False: dials are not answered by themselves. */
  network = true
  #up = false
  #line = this.#newLine()

  constructor(settings: Partial<HsmsSettings> = {}) {
    this.host = new HsmsProtocol({ ...SETTINGS, ...settings }, beginningAt(0.25))
    this.equipment = new HsmsProtocol({ ...SETTINGS, ...settings, role: 'passive' }, beginningAt(0.75))
  }

  #newLine(): LineBetween {
    return new LineBetween((at, bytes) => this.feed(at, { kind: 'bytes', bytes }))
  }

  feed(side: Side, input: HsmsInput): void {
    for (const output of this[side].handle(input, this.now)) {
      this.seen.push({ ...output, side, at: this.now })
      this.#carry(side, output)
    }
  }

  /** Starts both sides; unless `network` is off, they are SELECTED afterwards. */
  connect(): this {
    for (const side of ['equipment', 'host'] as const) this.feed(side, { kind: 'start' })
    return this
  }

  /** TCP goes down under both. */
  cut(): void {
    this.#up = false
    for (const side of ['host', 'equipment'] as const)
      this.feed(side, { kind: 'disconnected', detail: 'cut' })
  }

  /** Moves time to each deadline of either side, until `until`. */
  advance(until: number): void {
    for (;;) {
      const next = Math.min(
        this.host.deadline ?? Number.POSITIVE_INFINITY,
        this.equipment.deadline ?? Number.POSITIVE_INFINITY,
      )
      if (next > until) break
      this.now = next
      this.feed('host', { kind: 'tick' })
      this.feed('equipment', { kind: 'tick' })
    }
    this.now = until
  }

  of<K extends HsmsOutput['kind']>(side: Side, kind: K): Extract<Seen, { kind: K }>[] {
    return this.seen.filter(
      (seen): seen is Extract<Seen, { kind: K }> => seen.side === side && seen.kind === kind,
    )
  }

  #carry(side: Side, output: HsmsOutput): void {
    switch (output.kind) {
      case 'listen':
        this.feed(side, { kind: 'listening' })
        break
      case 'dial':
        if (!this.network || this[OTHER[side]].state !== 'LISTENING') return
        this.#up = true
        this.#line = this.#newLine()
        this.feed(OTHER[side], { kind: 'connected' })
        this.feed(side, { kind: 'connected' })
        break
      case 'write':
        if (!this.#up || this.muted === side) break
        this.#line.pass(side, output.bytes)
        if (output.body) this.#line.pass(side, output.body)
        break
      case 'close':
        if (!this.#up) return
        this.#up = false
        this.feed(OTHER[side], { kind: 'disconnected', detail: 'the peer closed the connection' })
    }
  }
}

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
