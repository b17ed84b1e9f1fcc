import { BoundedMap, type MemoryBudget } from '../bounded-map.js'

/** Who has said what a definition is: the host of tapped equipment on the line, somebody by hand, or the gateway's own messages. */
export type DefinitionOrigin = 'line' | 'by_hand' | 'gateway'

/** Where the definitions of one kind come from, by their ids. */
export class DefinitionOrigins {
  readonly byHand: BoundedMap<true>
  readonly ofHost: BoundedMap<true>

  constructor(most: number, allowance: MemoryBudget) {
    this.byHand = new BoundedMap<true>(most, allowance)
    this.ofHost = new BoundedMap<true>(most, allowance)
  }

  of(id: string): DefinitionOrigin {
    if (this.byHand.entries.has(id)) return 'by_hand'
    return this.ofHost.entries.has(id) ? 'line' : 'gateway'
  }

  set(id: string, origin: DefinitionOrigin): void {
    this.delete(id)
    if (origin === 'by_hand') this.byHand.set(id, true)
    if (origin === 'line') this.ofHost.set(id, true)
  }

  delete(id: string): void {
    this.byHand.delete(id)
    this.ofHost.delete(id)
  }

  clear(): void {
    this.byHand.clear()
    this.ofHost.clear()
  }
}
