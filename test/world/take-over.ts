import crypto, { type webcrypto } from 'node:crypto'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import type { Cancel } from '../../src/kit/clock.js'
import type { Network } from './network.js'
import type { Product } from './versions.js'
import type { Host, World } from './world.js'

/**
 * Gives the whole process over to a world: time, timers, random numbers and sockets are the world's from now on, for
 * our code and for libraries. For a process that does nothing else; there is no way back.
 */
export function takeOver(world: World, network: Network, products: readonly Pick<Product, 'turns'>[]): void {
  takeTime(world)
  takeTimers(world)
  for (const { turns } of products) takeTurns(world, turns)
  takeUndici(world)
  takeChance(world)
  takeThreads(world)
  takeSocketTimers()
  Object.assign(net, {
    connect: (...[given]: Parameters<Network['connect']>) => network.connect(given),
    createConnection: (...[given]: Parameters<Network['connect']>) => network.connect(given),
    createServer: (...given: unknown[]) => {
      const { allowHalfOpen } = given[0] as { readonly allowHalfOpen?: boolean }
      return network.createServer(given.at(-1) as Parameters<Network['createServer']>[0], allowHalfOpen)
    },
  })
  syncBuiltinESMExports()
}

function takeTime(world: World): void {
  const RealDate = Date
  // Whole milliseconds, as of the real one.
  const now = (): number => Math.trunc(world.timeOf(world.current))
  const made = (given: readonly unknown[]): Date => {
    if (given.length === 0) return new RealDate(now())
    // To spread takes several times as long.
    return given.length === 1 ? new RealDate(given[0] as string) : new RealDate(...(given as [string]))
  }
  // A function, which is much faster than a proxy.
  function MadeUpDate(...given: readonly unknown[]): Date | string {
    return new.target ? made(given) : made(given).toString()
  }
  Object.setPrototypeOf(MadeUpDate, RealDate)
  globalThis.Date = Object.assign(MadeUpDate, {
    prototype: RealDate.prototype,
    now,
  }) as unknown as DateConstructor
  Object.defineProperty(performance, 'now', { value: () => world.now })
}

function takeTimers(world: World): void {
  const timer = (cancel: () => void): object => {
    const made = { ref: () => made, unref: () => made, hasRef: () => true, cancel, close: cancel }
    return made
  }
  const clear = (made: { readonly cancel?: () => void } | undefined): void => made?.cancel?.()
  const every = (run: (...given: unknown[]) => void, ms: number, given: unknown[]): object => {
    const host = world.current
    let cancel = (): void => {}
    const again = (): void => {
      cancel = world.after(host, Math.max(1, ms), () => {
        again()
        run(...given)
      })
    }
    again()
    return timer(() => cancel())
  }
  Object.assign(globalThis, {
    setTimeout: (run: (...given: unknown[]) => void, ms = 1, ...given: unknown[]) =>
      timer(world.after(world.current, Math.max(1, ms), () => run(...given))),
    setInterval: (run: (...given: unknown[]) => void, ms = 1, ...given: unknown[]) => every(run, ms, given),
    setImmediate: (run: (...given: unknown[]) => void, ...given: unknown[]) => {
      const entry = world.immediately(() => run(...given))
      return timer(() => {
        entry.run = undefined
      })
    },
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  })
}

/** Those of a process who wait for a turn are gone with it. */
function takeTurns(world: World, turns: Product['turns']): void {
  const waiting = new WeakMap<Host, Product['turns']['waiting']>()
  Object.defineProperty(turns, 'waiting', {
    get: () => {
      const { current } = world
      const own = waiting.get(current) ?? { journal: [], equipment: [], others: [] }
      waiting.set(current, own)
      return own
    },
  })
}

/** undici has one timer for all of its connections: here each connection has one, of its own process. */
function takeUndici(world: World): void {
  const after = (run: (given: unknown) => void, ms: number, given: unknown): object => {
    const set = (): Cancel => world.after(host, ms, () => run(given))
    const host = world.current
    let cancel = set()
    return {
      cancel: () => cancel(),
      refresh: () => {
        cancel()
        cancel = set()
      },
    }
  }
  Object.assign(createRequire(import.meta.url)('undici/lib/util/timers.js'), {
    setTimeout: after,
    setFastTimeout: after,
    clearTimeout: globalThis.clearTimeout,
    clearFastTimeout: globalThis.clearTimeout,
  })
}

function takeChance(world: World): void {
  const chance = world.chance.fork('process')
  const fill = <T extends ArrayBufferView>(view: T): T => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    for (let at = 0; at < bytes.length; at++) bytes[at] = chance.below(256)
    return view
  }
  Math.random = () => chance.next()
  Object.defineProperty(process, 'pid', { value: 1 })
  const randomUUID = (): string => {
    const hex = fill(Buffer.alloc(16)).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  Object.assign(crypto, {
    randomBytes: (length: number, done?: (error: null, bytes: Buffer) => void) => {
      const bytes = fill(Buffer.alloc(length))
      if (!done) return bytes
      world.immediately(() => done(null, bytes))
      return undefined
    },
    randomFillSync: fill,
    randomInt: (low: number, high?: number) =>
      high === undefined ? chance.below(low) : low + chance.below(high - low),
    randomUUID,
  })
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: randomUUID })
  Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: fill })
}

/**
 * Node's own timers of sockets show the real time. With TLS over a made-up connection one ends each handshake during which
 * the machine stood still.
 */
function takeSocketTimers(): void {
  net.Socket.prototype.setTimeout = function () {
    return this
  }
}

/** What Node computes on threads, whose time nobody can make up, is computed at once. */
function takeThreads(world: World): void {
  const { scryptSync } = crypto
  Object.assign(crypto, {
    scrypt: (...given: unknown[]) => {
      const done = given.pop() as (error: null, key: Buffer) => void
      const key = (scryptSync as (...given: unknown[]) => Buffer)(...given)
      world.immediately(() => done(null, key))
    },
  })
  const hmac = (key: webcrypto.CryptoKey, data: Uint8Array): Buffer =>
    crypto.createHmac('sha256', crypto.KeyObject.from(key)).update(data).digest()
  const subtle = {
    sign: async (_: unknown, key: webcrypto.CryptoKey, data: Uint8Array) => hmac(key, data),
    verify: async (_: unknown, key: webcrypto.CryptoKey, signature: Uint8Array, data: Uint8Array) =>
      hmac(key, data).equals(signature),
  }
  for (const [name, value] of Object.entries(subtle)) {
    Object.defineProperty(globalThis.crypto.subtle, name, { value })
  }
}
