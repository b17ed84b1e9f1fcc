import { Signal } from '../../src/kit/signal.js'
import type { Ownership, StoreNode } from '../../src/store/ownership.js'

/** The owners of keys, as several gateways of a test see them. */
export class Owners {
  readonly nodes = new Map<string, StoreNode>()
  readonly owners = new Map<string, string>()
  readonly changed = new Signal<string>()

  give(key: string, node: string | undefined): void {
    if (node === undefined) this.owners.delete(key)
    else this.owners.set(key, node)
    this.changed.emit(key)
  }

  /** As the process `self` sees it. */
  of(self: string): Ownership {
    const ownerOf = (key: string): StoreNode | undefined => this.nodes.get(this.owners.get(key) ?? '')
    const announce = async (url: string): Promise<void> => {
      const known = this.nodes.get(self)
      if (known) this.nodes.set(self, { ...known, url })
    }
    this.nodes.set(self, {
      id: self,
      name: `node ${self}`,
      url: null,
      version: '1.2.3',
      started_at: '2026-01-01T00:00:00.000Z',
      expires_in: 9000,
      keys: 1,
      lag: 0,
    })
    return {
      self,
      owns: (key) => this.owners.get(key) === self,
      ownerOf,
      nodes: () => [...this.nodes.values()],
      start: async () => {},
      announce,
      publish: () => {},
      published: () => undefined,
      changed: this.changed,
      stop: async () => {},
    }
  }
}
