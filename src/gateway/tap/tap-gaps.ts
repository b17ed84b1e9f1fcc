import type { Cancel, Clock } from '../../kit/clock.js'
import { type Deferred, deferred } from '../../kit/deferred.js'
import type { JsonObject } from '../../kit/text/json.js'
import type { Journal } from '../../store/journal.js'
import { TAP_GAP } from '../records/journal-kinds.js'

/** Milliseconds that messages are counted before they are told as one gap, and after which a gap is told again. */
const TOGETHER_MS = 1000

interface Gap {
  readonly messages: number
  /** Milliseconds since 1970. */
  readonly since: number
  readonly until: number
}

/** Messages that passed through a tap and are not recorded: the line does not wait for the record. */
export class TapGaps {
  #gap: Gap | undefined
  #cancel: Cancel = () => {}
  #isWaiting = false
  #isOver = false
  #told: Promise<unknown> = Promise.resolve()
  /** Resolves once no gap is left that the store has not taken. */
  #settled: Deferred<void> | undefined

  constructor(
    private readonly equipmentId: string,
    private readonly journal: Pick<Journal, 'append'>,
    private readonly clock: Clock,
    /** Called with each number of messages that are not recorded. */
    private readonly onMissed: (messages: number) => void,
  ) {}

  /** `since` and `until`: milliseconds since 1970. */
  add(messages: number, since: number, until: number): void {
    this.onMissed(messages)
    this.#keep(messages, since, until)
  }

  /** Resolves once all that was counted so far is in the journal: a process that ends before leaves it to others to count. */
  told(): Promise<void> {
    return this.#settled?.promise ?? Promise.resolve()
  }

  #keep(messages: number, since: number, until: number): void {
    this.#isOver = false
    this.#settled ??= deferred()
    const before = this.#gap ?? { messages: 0, since, until }
    this.#gap = {
      messages: before.messages + messages,
      since: Math.min(before.since, since),
      until: Math.max(before.until, until),
    }
    if (!this.#isWaiting) this.#later()
  }

  /** The line has ended: what was not told yet is told now. */
  async end(): Promise<void> {
    this.#cancel()
    this.#isWaiting = false
    this.#isOver = true
    this.#tell()
    await this.#told
  }

  #later(): void {
    this.#isWaiting = true
    this.#cancel = this.clock.at(this.clock.now() + TOGETHER_MS, () => {
      this.#isWaiting = false
      this.#tell()
    })
  }

  #tell(): void {
    const gap = this.#gap
    if (!gap) return
    this.#gap = undefined
    const data: JsonObject = {
      since: new Date(gap.since).toISOString(),
      until: new Date(gap.until).toISOString(),
      messages: gap.messages,
    }
    const at = this.clock.date().toISOString()
    this.#told = this.journal.append({ ...TAP_GAP, key: this.equipmentId, at, data }).then(
      () => this.#taken(),
      () => {
        if (!this.#isOver) this.#keep(gap.messages, gap.since, gap.until)
      },
    )
  }

  #taken(): void {
    if (this.#gap) return
    this.#settled?.resolve()
    this.#settled = undefined
  }
}
