import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { Problem } from '../contract/errors.js'
import type { Clock } from '../kit/clock.js'
import type { JsonObject } from '../kit/json.js'
import type { Entry, Journal, NewEntry } from '../store/journal.js'

/** What a request was answered with. */
export interface Answered {
  readonly status: number
  /** Null for an answer without a body. */
  readonly body: JsonObject | null
}

export interface Replayable extends Answered {
  /** True when this is the answer to an earlier request with the same key. */
  readonly replayed: boolean
}

/** Does what is asked. What it throws is not kept, and frees the key unless a message was noted. */
export type Work = () => Promise<Answered>

/** How long a key is kept, in milliseconds. */
const KEPT = 24 * 60 * 60 * 1000
/** Keys kept at once. Forgetting one early could send a message twice, so one more is refused. */
const MOST_KEYS = 100_000
const ENTRY_TYPE = 'idempotency'
const JOURNAL_KEY = 'idempotency'
/** Entries read at once: an answer may be large. */
const PAGE = 100
const PAGE_BYTES = 4 * 1024 * 1024

interface Attempt {
  readonly fingerprint: string
  /** Wall-clock time it began at, in milliseconds since 1970. */
  readonly began: number
  state: 'under_way' | 'ended' | 'unknown'
  /** Entry of its answer, once it has ended. */
  answer?: number
  messageId?: string
}

interface Running {
  readonly id: string
  readonly attempt: Attempt
}

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/**
 * Remembers what a request with an `Idempotency-Key` was answered, so that a repeat is told the same and
 * does nothing, for a day and over restarts. Works on one `Journal`, which is the only truth it has.
 */
export class Idempotency {
  readonly #attempts = new Map<string, Attempt>()
  readonly #running = new AsyncLocalStorage<Running>()

  constructor(
    readonly journal: Journal,
    readonly clock: Clock,
  ) {}

  /** Reads the keys of the last day. What had begun and not ended by then has an outcome nobody knows. */
  async restore(): Promise<void> {
    const from = new Date(this.clock.date().getTime() - KEPT).toISOString()
    for (let after = 0; ; ) {
      const entries = await this.journal.query({
        kinds: [{ type: ENTRY_TYPE }],
        from,
        after,
        order: 'asc',
        limit: PAGE,
        bytes: PAGE_BYTES,
      })
      for (const entry of entries) this.#recall(entry)
      const last = entries.at(-1)
      if (!last) break
      after = last.seq
    }
    for (const attempt of this.#attempts.values()) {
      if (attempt.state === 'under_way') attempt.state = 'unknown'
    }
  }

  /**
   * Runs `work`, or answers what it answered before. `scope` says whose key it is and for what (user,
   * method, path); `fingerprint` tells one request body from another.
   *
   * Throws `idempotency_in_progress`, `idempotency_key_reused`, or `outcome_unknown` with the message's id.
   */
  async run(scope: string, key: string, fingerprint: string, work: Work): Promise<Replayable> {
    const id = digest(scope, key)
    this.#forgetOld()
    const earlier = this.#attempts.get(id)
    if (earlier) return this.#repeat(earlier, fingerprint)
    if (this.#attempts.size >= MOST_KEYS) {
      throw new Problem('rate_limited', 'Too many idempotency keys are kept. Try again later.', {
        retry_after: 60,
      })
    }
    const attempt: Attempt = { fingerprint, began: this.clock.date().getTime(), state: 'under_way' }
    this.#attempts.set(id, attempt)
    try {
      await this.#write('began', { id, fingerprint })
    } catch (error) {
      this.#attempts.delete(id)
      throw error
    }
    const outcome = await this.#running.run({ id, attempt }, work).catch(async (error: unknown) => {
      await this.#abandon(id, attempt)
      throw error
    })
    await this.#end(id, attempt, outcome)
    return { ...outcome, replayed: false }
  }

  /**
   * What ties a message to the request that sends it: to be appended together with the message. Empty where
   * the request has no key.
   */
  noting(messageId: string): readonly NewEntry[] {
    const running = this.#running.getStore()
    // What a request set in motion goes on under its name: only the first message, while it lasts, is its own.
    if (running?.attempt.state !== 'under_way' || running.attempt.messageId !== undefined) return []
    running.attempt.messageId = messageId
    return [this.#entry('noted', { id: running.id, message_id: messageId })]
  }

  /** True when the running request has noted a message: it did something that a repeat must not do again. */
  get noted(): boolean {
    return this.#running.getStore()?.attempt.messageId !== undefined
  }

  async #repeat(attempt: Attempt, fingerprint: string): Promise<Replayable> {
    if (attempt.fingerprint !== fingerprint) {
      throw new Problem(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another body. Use a new key for a new request.',
      )
    }
    if (attempt.state === 'under_way') {
      throw new Problem('idempotency_in_progress', 'The first request with this key is still under way.', {
        retry_after: 1,
      })
    }
    const entry = attempt.answer === undefined ? undefined : await this.journal.get(attempt.answer)
    if (!entry) {
      const where = attempt.messageId ? `See message ${attempt.messageId}` : 'See the recorded messages'
      throw new Problem(
        'outcome_unknown',
        `The first request with this key was cut off, and is not sent again. ${where} for what became of it.`,
        attempt.messageId === undefined ? {} : { message_id: attempt.messageId },
      )
    }
    return {
      status: Number(entry.data['status']),
      body: entry.data['body'] as JsonObject | null,
      replayed: true,
    }
  }

  async #end(id: string, attempt: Attempt, { status, body }: Answered): Promise<void> {
    attempt.state = 'unknown'
    const { seq } = await this.#write('ended', { id, status, body })
    attempt.answer = seq
    attempt.state = 'ended'
  }

  /** The request failed without an answer to keep: the key is free again if nothing was done. */
  async #abandon(id: string, attempt: Attempt): Promise<void> {
    attempt.state = 'unknown'
    if (attempt.messageId !== undefined) return
    this.#attempts.delete(id)
    // A disk that fails here has failed the request already.
    await this.#write('freed', { id }).catch(() => undefined)
  }

  #write(name: string, data: JsonObject): Promise<Entry> {
    return this.journal.append(this.#entry(name, data))
  }

  #entry(name: string, data: JsonObject): NewEntry {
    return { key: JOURNAL_KEY, type: ENTRY_TYPE, name, at: this.clock.date().toISOString(), data }
  }

  #recall({ seq, name, at, data }: Entry): void {
    const id = String(data['id'])
    if (name === 'began') {
      const fingerprint = String(data['fingerprint'])
      this.#attempts.set(id, { fingerprint, began: Date.parse(at), state: 'under_way' })
    }
    if (name === 'freed') this.#attempts.delete(id)
    const attempt = this.#attempts.get(id)
    if (!attempt) return
    if (name === 'noted') attempt.messageId = String(data['message_id'])
    if (name === 'ended') Object.assign(attempt, { state: 'ended', answer: seq })
  }

  /** Attempts are held in the order they began, so the old ones are the first. */
  #forgetOld(): void {
    const oldest = this.clock.date().getTime() - KEPT
    for (const [id, attempt] of this.#attempts) {
      if (attempt.began >= oldest) return
      if (attempt.state !== 'under_way') this.#attempts.delete(id)
    }
  }
}
