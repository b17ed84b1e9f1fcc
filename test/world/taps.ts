import type { Ownership } from '../../src/store/ownership.js'
import type { OpenTap } from '../../src/tap/observation.js'
import type { Network } from './network.js'
import type { Product } from './versions.js'
import { Host, type World } from './world.js'

/** The local socket of the process. */
const PATH = '/run/taps'
/** Milliseconds that the process takes to start. */
const START_MS = 200
/** Milliseconds after its start in which a daemon has all its taps, as the real one has it. */
const SETTLE_MS = 60_000

/** The process of the taps on a gateway's machine, which goes on while daemons come and go. */
export class Taps {
  host: Host | undefined
  /** Milliseconds by which the machine's clock is wrong. */
  #skew = 0
  #processes = 0

  constructor(
    readonly world: World,
    readonly network: Network,
    readonly ip: string,
  ) {}

  set skew(ms: number) {
    this.#skew = ms
    if (this.host) this.host.skew = ms
  }

  kill(withPower: boolean): void {
    const { host } = this
    if (!host?.alive) return
    host.alive = false
    this.network.abandon(host, withPower)
  }

  /** The side of a daemon on `host`. */
  clientOf(host: Host, product: Product, ownership: Ownership): { readonly openTap: OpenTap; close(): void } {
    const client = new product.TapClient({
      clock: host.clock,
      path: () => PATH,
      launch: () => this.#launch(product),
      failed: () => this.world.count('words of a daemon about its taps'),
      leaseMs: () => ownership.safeFor,
    })
    ownership.renewed.on(() => client.leased())
    const cancel = this.world.after(host, SETTLE_MS, () => client.settle())
    return {
      openTap: (id, settings) => client.open(id, settings),
      close: () => {
        cancel()
        client.close()
      },
    }
  }

  /** Of several that are started together the lock has one alone go on. Its version is that of who started it. */
  #launch({ TapProcess }: Product): void {
    if (this.host?.alive) return
    this.#processes += 1
    const host = new Host(`taps ${this.#processes} of ${this.ip}`, this.ip, this.world)
    host.skew = this.#skew
    this.host = host
    this.world.after(host, START_MS, () => {
      const taps = new TapProcess(host.clock)
      void taps.listen(PATH)
      this.world.count('starts of the process of the taps')
      void taps.ended.promise.then(() => {
        host.alive = false
        this.network.abandon(host, false)
      })
    })
  }
}
