import type { Cancel, Clock } from '../../kit/clock.js'
import { type Deferred, deferred } from '../../kit/deferred.js'
import type { JsonObject } from '../../kit/text/json.js'
import { certain } from '../../store/failure.js'
import type { Journal } from '../../store/journal.js'
import { TOLD_PATIENCE_MS } from '../owed-entries.js'
import { TAP_GAP } from '../records/journal-kinds.js'

/** Milliseconds that messages are counted before they are told as one gap, and after which a gap is told again. */
const TOGETHER_MS = 1000

interface Gap {
  readonly messages: number
  /** Milliseconds since 1970. */
  readonly since: number
  readonly until: number
  /** Resolves once the store has taken it. */
  readonly taken: Deferred<void>
}

/** Messages that passed through a tap and are not recorded: the line does not wait for the record. */
export class TapGaps {
  #gap: Gap | undefined
  /** The last one that was given to the store. */
  #last: Gap | undefined
  #cancel: Cancel = () => {}
  #isWaiting = false
  /** Until when one that the store does not take is told again, on the clock that never goes back. */
  #until = Number.POSITIVE_INFINITY
  /** The store may still take one. */
  #isUncertain = false
  #told: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly equipmentId: string,
    private readonly journal: Pick<Journal, 'appendAll'>,
    private readonly clock: Clock,
    /** Called with each number of messages that are not recorded. */
    private readonly onMissed: (messages: number) => void,
  ) {}

  start(): void {
    this.#until = Number.POSITIVE_INFINITY
  }

  /** `since` and `until`: milliseconds since 1970. */
  add(messages: number, since: number, until: number): void {
    this.onMissed(messages)
    this.#keep({ messages, since, until, taken: deferred() })
  }

  /** Resolves once all that was counted so far is in the journal: a process that ends before leaves it to others to count. */
  told(): Promise<void> {
    return (this.#gap ?? this.#last)?.taken.promise ?? Promise.resolve()
  }

  #keep(gap: Gap): void {
    const before = this.#gap
    this.#gap = before ? joined(before, gap) : gap
    if (!this.#isWaiting) this.#later()
  }

  /** The line has ended: what was not told yet is told now, or once the store is there again, if that is soon. */
  async end(): Promise<void> {
    this.#cancel()
    this.#isWaiting = false
    this.#until = this.clock.now() + TOLD_PATIENCE_MS
    this.#tell()
    await this.#told
  }

  #later(): void {
    this.#isWaiting = true
    this.#cancel = this.clock.at(this.clock.now() + TOGETHER_MS, () => {
      this.#isWaiting = false
      if (this.#isUncertain) this.#later()
      else this.#tell()
    })
  }

  #tell(): void {
    const gap = this.#gap
    if (!gap) return
    this.#gap = undefined
    this.#last = gap
    const data: JsonObject = {
      since: new Date(gap.since).toISOString(),
      until: new Date(gap.until).toISOString(),
      messages: gap.messages,
    }
    const at = this.clock.date().toISOString()
    const appending = this.journal.appendAll([{ ...TAP_GAP, key: this.equipmentId, at, data }])
    // One that the store may still take is not told twice.
    this.#isUncertain = true
    const known = certain(appending).then(
      () => {
        this.#isUncertain = false
        gap.taken.resolve()
      },
      () => {
        this.#isUncertain = false
        if (this.clock.now() < this.#until) this.#keep(gap)
      },
    )
    this.#told = appending.then(
      () => known,
      () => {},
    )
  }
}

/** One gap, which is taken when both are. */
function joined(one: Gap, other: Gap): Gap {
  void one.taken.promise.then(() => other.taken.resolve())
  return {
    messages: one.messages + other.messages,
    since: Math.min(one.since, other.since),
    until: Math.max(one.until, other.until),
    taken: one.taken,
  }
}
