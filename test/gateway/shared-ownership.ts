import { Signal } from '../../src/kit/signal.js'
import type { JsonObject } from '../../src/kit/text/json.js'
import type { LeaseHolder, Ownership, StoreNode } from '../../src/store/ownership.js'

/** Who owns what among the processes of a test. */
export class Site {
  readonly #owners = new Map<string, string>()
  readonly #members: SharedOwnership[] = []

  /** A process of the site whose host is `host`. */
  join(host: string): SharedOwnership {
    const member = new SharedOwnership(this, `node-${this.#members.length + 1}`, `http://${host}:7327`)
    this.#members.push(member)
    return member
  }

  /** In order, as when a process stops. Undefined: nobody owns it any more. */
  async give(key: string, to: SharedOwnership | undefined): Promise<void> {
    await this.ownerOf(key)?.holder?.give([key], false)
    if (to) this.#owners.set(key, to.self)
    else this.#owners.delete(key)
    for (const { changed } of this.#members) changed.emit(key)
    await to?.holder?.take([key])
  }

  /** Marks it, and moves nothing. */
  drain(id: string, draining: boolean): boolean {
    const member = this.#members.find(({ self }) => self === id)
    if (member) member.draining = draining
    return member !== undefined
  }

  /** The keys that a process owns. */
  keysOf({ self }: SharedOwnership): readonly string[] {
    return [...this.#owners].filter(([, owner]) => owner === self).map(([key]) => key)
  }

  ownerOf(key: string): SharedOwnership | undefined {
    return this.#members.find(({ self }) => self === this.#owners.get(key))
  }

  nodes(): readonly StoreNode[] {
    return this.#members.map(({ node }) => node)
  }
}

/** One process of a site. It takes nothing by itself: the test says who owns what. */
export class SharedOwnership implements Ownership {
  readonly changed = new Signal<string>()
  readonly renewed = new Signal<void>()
  readonly safeFor = 10_000
  isCurrent = true
  draining = false
  url: string | null
  holder: LeaseHolder | undefined

  constructor(
    readonly site: Site,
    readonly self: string,
    url: string,
  ) {
    this.url = url
  }

  get node(): StoreNode {
    const { self: id, url } = this
    return {
      id,
      name: id,
      url,
      version: '1',
      started_at: '2026-01-01T00:00:00.000Z',
      draining: this.draining,
      expires_in: 10_000,
      keys: this.site.keysOf(this).length,
      lag: 0,
    }
  }

  owns(key: string): boolean {
    return this.site.ownerOf(key) === this
  }

  ownerOf(key: string): StoreNode | undefined {
    return this.site.ownerOf(key)?.node
  }

  async look(): Promise<void> {}

  nodes(): readonly StoreNode[] {
    return this.site.nodes()
  }

  async start(holder: LeaseHolder): Promise<void> {
    this.holder = holder
    await holder.take(this.site.keysOf(this))
  }

  async announce(url: string): Promise<void> {
    this.url = url
  }

  async drain(id: string, draining: boolean): Promise<boolean> {
    return this.site.drain(id, draining)
  }

  publish(): void {}

  published(): JsonObject | undefined {
    return undefined
  }

  async stop(): Promise<void> {
    await this.holder?.give(this.site.keysOf(this), false)
  }
}
