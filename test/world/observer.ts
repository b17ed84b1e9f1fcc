import type { World } from './world.js'

/** What a reader must see of an event, whoever it is and whenever it reads. */
interface Shown {
  readonly id: number
  readonly digest: string
}

/** Events and acknowledgements that are remembered at least, for comparison with what is shown later. */
const REMEMBERED = 200_000

/** The last values by their keys, the oldest half of which is forgotten at once: to look for the oldest one in a map is slow. */
class Recent<K, V> {
  #newer = new Map<K, V>()
  #older = new Map<K, V>()

  get(key: K): V | undefined {
    const value = this.#newer.get(key)
    return value === undefined ? this.#older.get(key) : value
  }

  set(key: K, value: V): void {
    if (this.#newer.size >= REMEMBERED) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(key, value)
  }

  forget(which: (key: K) => boolean): void {
    for (const values of [this.#newer, this.#older])
      for (const key of values.keys()) if (which(key)) values.delete(key)
  }
}

/** A sentence of the documentation that did not hold. */
export class Violation extends Error {
  override readonly name = 'Violation'

  constructor(
    readonly sentence: string,
    readonly detail: string,
  ) {
    super(`${sentence}\n  ${detail}`)
  }
}

/** Sees what callers and equipment see, and compares. */
export class Observer {
  readonly #shown = new Recent<number, string>()
  readonly #comments = new Recent<string, string | null>()
  /** What is shown may be gone, and gateways do not know it yet. */
  isSuspended = false

  constructor(
    readonly world: World,
    /** Sentences that are known not to hold: they are counted, and the run goes on. */
    readonly excepted: ReadonlySet<string> = new Set(),
  ) {}

  count(what: string, by = 1): void {
    this.world.count(what, by)
  }

  /** Throws unless `holds`, but where what is shown may be gone. */
  require(holds: boolean, sentence: string, detail: () => string): void {
    if (!this.isSuspended) this.requireNow(holds, sentence, detail)
  }

  /** Throws unless `holds`, whatever is gone. */
  requireNow(holds: boolean, sentence: string, detail: () => string): void {
    if (holds) return
    if (this.excepted.has(sentence)) return this.count(`violations: ${sentence}`)
    throw new Violation(sentence, `${this.world.time}: ${detail()}`)
  }

  /** An event was shown to somebody: under its id nobody is ever shown another one. */
  show({ id, digest }: Shown): void {
    const known = this.#shown.get(id)
    this.require(
      known === undefined || known === digest,
      'An id names one event for ever.',
      () => `${id} was ${known} and is ${digest}`,
    )
    if (known === undefined) this.#shown.set(id, digest)
  }

  /** A backup of the journal up to this entry was restored: what had higher numbers is gone. */
  restored(last: number): void {
    this.#shown.forget((id) => id > last)
    this.#comments.forget(() => true)
  }

  /** Somebody acknowledged an alarm, and was told whose comment it has. */
  acknowledged(id: string, comment: string | null): void {
    const first = this.#comments.get(id)
    this.require(
      first === undefined || first === comment,
      'An alarm is acknowledged once.',
      () => `alarm ${id} was acknowledged with "${first}" and with "${comment}"`,
    )
    this.#comments.set(id, comment)
  }
}
