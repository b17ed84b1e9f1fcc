import { Chance } from '../test/world/chance.js'

/** Numbers that look random and are the same for the same seed. */
export class Random extends Chance {
  chance(share: number): boolean {
    return this.is(share)
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256))
  }
}
