import type { EventReport, PeerNames } from './peer-names.js'

/** Reports that are asked for over one link. */
const MAX_REPORTS = 1000

/** Reports that came over one link and whose variables the host does not know: each is asked for once. */
export class UnknownReports {
  readonly #met = new Set<string>()
  #waiting: string[] = []
  #givenUp = false

  /** True when the event brought one that is to be asked for. */
  add({ REPORTS }: EventReport, names: PeerNames): boolean {
    if (this.#givenUp) return false
    const before = this.#waiting.length
    for (const { RPTID, V = [] } of REPORTS) {
      const id = String(RPTID)
      if (V.length === 0 || this.#met.has(id) || this.#met.size >= MAX_REPORTS) continue
      if (names.variablesOf(id, Number.MAX_SAFE_INTEGER)) continue
      this.#met.add(id)
      this.#waiting.push(id)
    }
    return this.#waiting.length > before
  }

  /** The RPTID that waits longest; undefined when none does. */
  next(): string | undefined {
    return this.#waiting.shift()
  }

  /** None is asked for over this link any more. */
  giveUp(): void {
    this.#givenUp = true
    this.#waiting = []
  }

  /** The link has ended. */
  clear(): void {
    this.#givenUp = false
    this.#met.clear()
    this.#waiting = []
  }
}
