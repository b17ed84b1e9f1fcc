import { createHash } from 'node:crypto'
import { Problem } from '../../contract/errors.js'
import type { Clock } from '../../kit/clock.js'
import type { JsonObject } from '../../kit/text/json.js'
import type { Entry, EntryNumber, Kind, NewEntry } from '../../store/entry.js'
import { Unsettled } from '../../store/failure.js'
import type { Journal } from '../../store/journal.js'
import type { Ownership } from '../../store/ownership.js'
import { OwedEntries } from '../owed-entries.js'
import type { Reading } from '../records/reading.js'
import { throwBug } from '../store-problem.js'
import {
  type IdempotencyKeys,
  KEY_BEGAN,
  KEY_ENDED,
  KEY_FREED,
  KEY_NOTED,
  type KnownKey,
} from './idempotency-keys.js'
import { keptResponse, wholeResponse } from './kept-response.js'

/** The response to a request, as it is stored. */
export interface CallResponse {
  readonly status: number
  /** Null for a response without a body. */
  readonly body: JsonObject | null
}

export interface Replayable extends CallResponse {
  /** True when this is the response to an earlier request with the same key. */
  readonly replayed: boolean
}

/** Carries out the request. What it throws is not recorded, and frees the key unless the request has sent a message. */
export type Work = (request: KeyedRequest) => Promise<CallResponse>

/** Keys kept at once. Forgetting one early could send a message twice, so one more is refused. */
const MAX_KEYS = 200_000
const JOURNAL_KEY = 'idempotency'

/** A request with a key that this process is carrying out: goes with the messages that it sends. */
export class KeyedRequest {
  /** Messages that were handed over to be recorded and sent, but for those that never left. */
  #messages = 0
  #isNoted = false
  #isOver = false
  /** Its end, or that it did nothing, is still to be recorded: resolves when it is. */
  owed: Promise<void> | undefined

  constructor(
    readonly id: string,
    readonly fingerprint: string,
    private readonly clock: Clock,
  ) {}

  /** It has sent a message, which a repeat must not send again. */
  get hasSent(): boolean {
    return this.#messages > 0
  }

  /** One of its messages is not sent, since the store does not take it. */
  notSent(): void {
    if (!this.#isOver) this.#messages -= 1
  }

  /** The work is done or has failed: messages sent later do not belong to the request. */
  end(): void {
    this.#isOver = true
  }

  /**
   * The entry that links a message to the request: append it together with the message. Empty for all but the first
   * message that is sent while the request is carried out.
   */
  noting(messageId: EntryNumber): readonly NewEntry[] {
    if (this.#isOver) return []
    this.#messages += 1
    if (this.#isNoted) return []
    this.#isNoted = true
    return [Object.assign(this.entry(KEY_NOTED, {}), { numbers: { message_id: messageId } })]
  }

  entry(kind: Kind & { readonly name: string }, data: JsonObject): NewEntry {
    const { type, name } = kind
    return {
      type,
      name,
      key: JOURNAL_KEY,
      at: this.clock.date().toISOString(),
      data: { id: this.id, ...data },
    }
  }
}

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/**
 * Records the response to a request with an `Idempotency-Key`, so that a repeat within a day gets the same response and
 * does nothing, also after a restart. Works on one `Journal`, which is its only state: a request that began there, has no end there and is
 * not running in any process has an unknown outcome. Of two processes that begin at once, the one whose entry is first
 * carries the request out.
 */
export class Idempotency {
  readonly #underWay = new Map<string, KeyedRequest>()
  /** Ends of requests that the store did not take at once: until they are recorded, the requests are under way. */
  readonly #owed: OwedEntries

  /** `keys` are attached to the journal. `readingOf`: how the messages of an equipment are read. */
  constructor(
    readonly journal: Journal,
    readonly keys: IdempotencyKeys,
    readonly clock: Clock,
    readonly readingOf: (equipmentId: string) => Reading,
    /** The processes that work on the journal; none where this is the only one. */
    readonly nodes: Pick<Ownership, 'self' | 'nodes'> = { self: null, nodes: () => [] },
  ) {
    this.#owed = new OwedEntries(journal, clock)
  }

  close(): void {
    this.#owed.close()
  }

  /**
   * Runs `work`, or gives the stored response. `scope` is the owner and the use of the key (user,
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
    const request = new KeyedRequest(id, fingerprint, this.clock)
    this.#underWay.set(id, request)
    try {
      const begun = await this.#begin(request)
      const first = this.keys.get(id)
      // Another process has begun it before; what is known of that is known here now.
      if (first && first.begun < begun.seq) return await this.#repeat(first, fingerprint)
      return { ...(await this.#carryOut(request, work)), replayed: false }
    } finally {
      request.end()
      if (request.owed) request.owed.finally(() => this.#underWay.delete(id)).catch(throwBug)
      else this.#underWay.delete(id)
    }
  }

  async #begin(request: KeyedRequest): Promise<Entry> {
    const { fingerprint } = request
    try {
      return await this.journal.append(request.entry(KEY_BEGAN, { fingerprint, ...this.#here() }))
    } catch (error) {
      if (error instanceof Unsettled) request.owed = this.#freeLate(request, error.settled)
      throw error
    }
  }

  /** Nothing was done for it: the key is freed where its begin is recorded later, and no other process has begun it before. */
  async #freeLate(request: KeyedRequest, settled: Unsettled['settled']): Promise<void> {
    const [begun] = (await settled) ?? []
    if (begun && this.keys.get(request.id)?.begun === begun.seq)
      await this.#owed.add(request.entry(KEY_FREED, {}))
  }

  /** Resolves once the end of the request is recorded; what the store does not take is owed. */
  async #end(request: KeyedRequest, end: NewEntry): Promise<void> {
    try {
      await this.journal.append(end)
    } catch (error) {
      request.owed = this.#owed.add(end, undefined, error)
      throw error
    }
  }

  /** Who begins a request, and what was known when it began. */
  #here(): JsonObject {
    const { self } = this.nodes
    return self === null ? {} : { node: self, after: this.journal.last }
  }

  #refuseUnderWay(id: string, fingerprint: string): void {
    const running = this.#underWay.get(id)
    if (!running) return
    refuseOther(running, fingerprint)
    throw inProgress()
  }

  async #repeat(known: KnownKey, fingerprint: string): Promise<Replayable> {
    refuseOther(known, fingerprint)
    if (known.ended === 0 && this.#isCarriedOutBy(known.node)) throw inProgress()
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

  /** Whether another process lives that carries it out. */
  #isCarriedOutBy(node: string | undefined): boolean {
    if (node === undefined || node === this.nodes.self) return false
    return this.nodes.nodes().some(({ id, expires_in }) => id === node && expires_in > 0)
  }

  #bodyIn({ data: { body, records = [] } }: Entry): Promise<JsonObject | null | undefined> {
    const kept = { body: body as JsonObject | null, records: records as readonly number[] }
    return wholeResponse(kept, this.journal, this.readingOf)
  }

  /** The response is on disk when this resolves. A failure without effect frees the key. */
  async #carryOut(request: KeyedRequest, work: Work): Promise<CallResponse> {
    let response: CallResponse
    try {
      response = await work(request)
    } catch (error) {
      request.end()
      const freed = request.entry(KEY_FREED, {})
      // A store that is slow has kept the caller waiting for long already.
      if (!request.hasSent && error instanceof Unsettled) request.owed = this.#owed.add(freed)
      // One that fails here has failed the request already.
      else if (!request.hasSent) await this.#end(request, freed).catch(() => undefined)
      throw error
    }
    request.end()
    const { body, records } = keptResponse(response.body)
    const data = { status: response.status, body, ...(records.length > 0 && { records }) }
    await this.#end(request, request.entry(KEY_ENDED, data))
    return response
  }
}

const inProgress = (): Problem =>
  new Problem('idempotency_in_progress', 'The first request with this key is still under way.', {
    retry_after: 1,
  })

function refuseOther(first: { readonly fingerprint: string }, fingerprint: string): void {
  if (first.fingerprint === fingerprint) return
  throw new Problem(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another body or query. Use a new key for a new request.',
  )
}
