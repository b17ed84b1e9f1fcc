import { Signal } from '../kit/signal.js'
import { type LeaseHolder, type Ownership, SITE_KEY, type StoreNode } from './ownership.js'

/** Of a store that one process works on: it owns everything, or nothing in standby. */
export class SoleOwnership implements Ownership {
  readonly self = null
  readonly changed = new Signal<string>()
  readonly renewed = new Signal<void>()
  readonly safeFor = undefined
  #holder: LeaseHolder | undefined
  #isStandby = false

  /** `keys`: the ids of the records in owned collections. */
  constructor(private readonly keys: () => Promise<readonly string[]>) {}

  owns(): boolean {
    return !this.#isStandby
  }

  ownerOf(): undefined {}

  async look(): Promise<void> {}

  nodes(): readonly StoreNode[] {
    return []
  }

  async start(holder: LeaseHolder | undefined): Promise<void> {
    this.#holder = holder
    this.#isStandby = holder === undefined
    await holder?.take([SITE_KEY, ...(await this.keys())])
  }

  readonly isCurrent = true

  async drain(): Promise<boolean> {
    return false
  }

  async announce(): Promise<void> {}

  publish(): void {}

  published(): undefined {}

  async stop(): Promise<void> {
    await this.#holder?.give([SITE_KEY, ...(await this.keys())], false)
  }
}
