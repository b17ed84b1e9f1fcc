import type { TapLink } from '../../contract/topics/equipment/equipment-tap.js'
import type { Counters, TapRefusal } from '../../hsms/counters/counters.js'
import { instantText } from '../../kit/time-text.js'

/** How a tap stands, as the API shows it. */
export class TapLinkState {
  #shown: TapLink

  constructor(private readonly counters: Pick<Counters, 'refused' | 'tapped'>) {
    this.#shown = {
      state: 'closed',
      since: null,
      host: null,
      last_refused: null,
      ...countedBy(counters),
    }
  }

  /** The same object until something changes. */
  get shown(): TapLink {
    const counted = countedBy(this.counters)
    const { refused, unrecorded } = this.#shown
    if (counted.refused !== refused || counted.unrecorded !== unrecorded)
      this.#shown = { ...this.#shown, ...counted }
    return this.#shown
  }

  /** `at`: milliseconds since 1970. `host`: where the host is, while it is connected. */
  became(state: TapLink['state'], at: number, host: string | null = null): void {
    if (state !== this.#shown.state || host !== this.#shown.host)
      this.#shown = { ...this.#shown, state, since: instantText(at), host }
  }

  /** `address`: of the last of so many connections. */
  refused(address: string, reason: TapRefusal, connections: number, at: number): void {
    this.counters.refused(reason, connections)
    this.#shown = { ...this.#shown, last_refused: { address, reason, at: instantText(at) } }
  }
}

function countedBy({ tapped }: Pick<Counters, 'tapped'>): Pick<TapLink, 'refused' | 'unrecorded'> {
  const { unrecorded, refused } = tapped
  return { unrecorded, refused: refused.stranger + refused.in_use }
}
