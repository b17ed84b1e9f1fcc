import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { Problem } from '../../contract/errors.js'
import type { Clock } from '../../kit/clock.js'
import type { JsonObject } from '../../kit/text/json.js'
import type { Entry, Kind, NewEntry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import type { Reading } from '../records/reading.js'
import {
  type IdempotencyKeys,
  KEY_BEGAN,
  KEY_ENDED,
  KEY_FREED,
  KEY_NOTED,
  type KnownKey,
} from './idempotency-keys.js'
import { keptAnswer, wholeAnswer } from './kept-answer.js'

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

/** Carries out the request. What it throws is not recorded, and frees the key unless a message was noted. */
export type Work = () => Promise<Answered>

/** Keys kept at once. Forgetting one early could send a message twice, so one more is refused. */
const MAX_KEYS = 200_000
const JOURNAL_KEY = 'idempotency'

/** A request that this process is carrying out. */
interface Running {
  readonly id: string
  readonly fingerprint: string
  messageId: string | undefined
  /** The work is done or has failed: messages sent later do not belong to the request. */
  over: boolean
}

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/**
 * Records the answer to a request with an `Idempotency-Key`, so that a repeat within a day gets the same answer and
 * does nothing, also after a restart. Works on one `Journal`, which is its only state: a request that began there, has no end there and is
 * not running in this process has an unknown outcome.
 */
export class Idempotency {
  readonly #underWay = new Map<string, Running>()
  readonly #running = new AsyncLocalStorage<Running>()

  /** `keys` are attached to the journal. `readingOf`: how the messages of an equipment are read. */
  constructor(
    readonly journal: Journal,
    readonly keys: IdempotencyKeys,
    readonly clock: Clock,
    readonly readingOf: (equipmentId: string) => Reading,
  ) {}

  /**
   * Runs `work`, or answers what it answered before. `scope` is the owner and the use of the key (user,
   * method, path); `fingerprint` identifies the request's content.
   *
   * Throws `idempotency_in_progress`, `idempotency_key_reused`, or `outcome_unknown` with the message's id.
   */
  async run(scope: string, key: string, fingerprint: string, work: Work): Promise<Replayable> {
    const id = digest(scope, key)
    this.#refuseUnderWay(id, fingerprint)
    const known = this.keys.get(id)
    if (known) return this.#repeat(known, fingerprint)
    if (this.keys.size + this.#underWay.size >= MAX_KEYS) {
      throw new Problem('rate_limited', 'Too many idempotency keys are kept. Try again later.', {
        retry_after: 60,
      })
    }
    const running: Running = { id, fingerprint, messageId: undefined, over: false }
    this.#underWay.set(id, running)
    try {
      await this.#write(KEY_BEGAN, { id, fingerprint })
      return { ...(await this.#running.run(running, () => this.#carryOut(running, work))), replayed: false }
    } finally {
      running.over = true
      this.#underWay.delete(id)
    }
  }

  /**
   * The entry that links a message to the request that sends it: append it together with the message. Empty where
   * the request has no key.
   */
  noting(messageId: string): readonly NewEntry[] {
    const running = this.#running.getStore()
    // Work that a request started may send more messages later: only the first one, sent while it runs, is linked.
    if (!running || running.over || running.messageId !== undefined) return []
    running.messageId = messageId
    return [this.#entry(KEY_NOTED, { id: running.id, message_id: messageId })]
  }

  /** True when the running request has noted a message: it sent one that a repeat must not send again. */
  get noted(): boolean {
    return this.#running.getStore()?.messageId !== undefined
  }

  #refuseUnderWay(id: string, fingerprint: string): void {
    const running = this.#underWay.get(id)
    if (!running) return
    refuseOther(running, fingerprint)
    throw new Problem('idempotency_in_progress', 'The first request with this key is still under way.', {
      retry_after: 1,
    })
  }

  async #repeat(known: KnownKey, fingerprint: string): Promise<Replayable> {
    refuseOther(known, fingerprint)
    const entry = known.ended === 0 ? undefined : await this.journal.get(known.ended)
    const body = entry && (await this.#bodyIn(entry))
    if (!entry || body === undefined) {
      const { message_id } = known
      const where = message_id === null ? 'See the recorded messages' : `See message ${message_id}`
      throw new Problem(
        'outcome_unknown',
        `The first request with this key was cut off, and is not sent again. ${where} for what became of it.`,
        message_id === null ? {} : { message_id },
      )
    }
    return { status: Number(entry.data['status']), body, replayed: true }
  }

  #bodyIn({ data: { body, records = [] } }: Entry): Promise<JsonObject | null | undefined> {
    const kept = { body: body as JsonObject | null, records: records as readonly number[] }
    return wholeAnswer(kept, this.journal, this.readingOf)
  }

  /** The answer is on disk when this resolves. A failure without effect frees the key. */
  async #carryOut(running: Running, work: Work): Promise<Answered> {
    const { id } = running
    let answered: Answered
    try {
      answered = await work()
    } catch (error) {
      running.over = true
      // A disk that fails here has failed the request already.
      if (running.messageId === undefined) await this.#write(KEY_FREED, { id }).catch(() => undefined)
      throw error
    }
    running.over = true
    const { body, records } = keptAnswer(answered.body)
    const { status } = answered
    await this.#write(KEY_ENDED, { id, status, body, ...(records.length > 0 && { records }) })
    return answered
  }

  #write(kind: Kind & { readonly name: string }, data: JsonObject): Promise<Entry> {
    return this.journal.append(this.#entry(kind, data))
  }

  #entry(kind: Kind & { readonly name: string }, data: JsonObject): NewEntry {
    return { ...kind, key: JOURNAL_KEY, at: this.clock.date().toISOString(), data }
  }
}

function refuseOther(first: { readonly fingerprint: string }, fingerprint: string): void {
  if (first.fingerprint === fingerprint) return
  throw new Problem(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another body or query. Use a new key for a new request.',
  )
}
