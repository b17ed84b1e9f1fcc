import {
  type Equipment,
  HEALTH_WINDOW_SECONDS,
  type LastError,
  type Responsiveness,
} from '../../contract/equipment.js'
import type { Fault } from '../../hsms/fault.js'
import type { Clock } from '../../kit/clock.js'
import { instantText } from '../../kit/time-text.js'

/** `line`: the equipment did not take a block of a SECS-I line, also after RTY retries. */
export type TimeoutKind = 't3' | 't6' | 'line'

/** The state of the link, which decides health together with timeouts and latencies. */
export interface LinkStatus {
  readonly enabled: boolean
  /** Messages can be exchanged. */
  readonly ready: boolean
  readonly connectionState: string
  readonly lastError: Pick<LastError, 'detail' | 'at'> | null
  /** Who has to connect before messages can be exchanged, where that is not the equipment alone. */
  readonly waitsFor?: string | undefined
  /** Why it is treated as equipment without S1F13, though it is not registered as such. */
  readonly withoutS1F13?: string | undefined
  /** That it does not have the event reports that it is to have, and why; undefined as long as nothing shows that. */
  readonly reportsMissing?: string | undefined
  /** The equipment's T3, in milliseconds. */
  readonly t3Ms: number
  /** Half of the replies may take longer than this, in milliseconds, before they count as slow. */
  readonly slowMs?: number
}

export type HealthVerdict = Pick<Equipment, 'health' | 'health_reason'>

const WINDOW_MS = HEALTH_WINDOW_SECONDS * 1000
/** After this many primaries in a row without a reply, the equipment counts as not responding. */
const MIN_IN_A_ROW = 2
/** Events remembered of each kind. */
const MAX_REMEMBERED = 256
/** Milliseconds in which messages that are not recorded are remembered together. */
const TOGETHER_MS = 5000

const toTheSecond = (time: number): string => new Date(Math.floor(time / 1000) * 1000).toISOString()

/** Recent latencies and timeouts of one equipment. Kept when the equipment gets a new session. */
export class EquipmentHealth {
  readonly #timeouts: Record<TimeoutKind, number[]> = { t3: [], t6: [], line: [] }
  readonly #replies: { readonly at: number; readonly latencyMs: number }[] = []
  #lastReplyAt: string | null = null
  /** Messages in a row that the equipment rejected with Reject.req. */
  #refused = 0
  /** T3 timeouts since the last reply. */
  #withoutReply = 0
  #lineFailures = 0
  /** Messages that passed through a tap, and are not recorded: when, and how many. */
  #unrecorded: { readonly at: number; messages: number }[] = []
  #lastMessageAt: string | null = null
  #lastMessage = Number.NEGATIVE_INFINITY
  #median: number | null = null
  #shown: Responsiveness = {
    last_message_at: null,
    last_reply_at: null,
    p99_ms: null,
    t3_timeouts: 0,
    t6_timeouts: 0,
  }
  /** The time at which an event leaves the window, so that `#shown` has to be computed again. */
  #expires = Number.POSITIVE_INFINITY

  constructor(private readonly clock: Clock) {}

  /** A message of the equipment has come. Its time is shown to the second, so that the view does not change with each. */
  received(): void {
    const now = this.clock.now()
    if (now - this.#lastMessage < 1000) return
    this.#lastMessage = now
    this.#lastMessageAt = toTheSecond(this.clock.date().getTime())
    this.#expires = 0
  }

  /** When its last message came, as the journal has it: before a restart, or by way of another daemon. */
  recall(at: string): void {
    if (this.#lastMessageAt !== null) return
    this.#lastMessageAt = toTheSecond(Date.parse(at))
    this.#expires = 0
  }

  /** A primary of the gateway was rejected with Reject.req. */
  rejected(): void {
    this.#withoutReply = 0
    this.#refused += 1
  }

  /** It is known why messages got no reply: the equipment does not know S1F13. */
  excuse(): void {
    this.#withoutReply = 0
  }

  /** A primary of the gateway got its reply. */
  replied(latencyMs: number): void {
    this.#withoutReply = 0
    this.#refused = 0
    this.#lastReplyAt = instantText(this.clock.date().getTime())
    this.#replies.push({ at: this.clock.now(), latencyMs })
    if (this.#replies.length > MAX_REMEMBERED) this.#replies.shift()
    this.#expires = 0
  }

  timedOut(kind: TimeoutKind): void {
    if (kind === 't3') this.#withoutReply += 1
    const times = this.#timeouts[kind]
    times.push(this.clock.now())
    if (times.length > MAX_REMEMBERED) times.shift()
    this.#expires = 0
  }

  /** Messages passed through a tap, and are not recorded. */
  unrecorded(messages: number): void {
    const now = this.clock.now()
    const last = this.#unrecorded.at(-1)
    if (last && now - last.at < TOGETHER_MS) last.messages += messages
    else this.#unrecorded = [...this.#unrecorded, { at: now, messages }].slice(-MAX_REMEMBERED)
  }

  /** The connection ended. */
  lost({ code }: Pick<Fault, 'code'>): void {
    if (code === 't6' || code === 'linktest_timeout') this.timedOut('t6')
    if (code === 'retry_limit') this.timedOut('line')
  }

  /** The same object until something is counted or leaves the window. */
  get responsiveness(): Responsiveness {
    if (this.clock.now() >= this.#expires) this.#count()
    return this.#shown
  }

  verdict({
    enabled,
    ready,
    connectionState,
    lastError,
    waitsFor,
    withoutS1F13,
    reportsMissing,
    t3Ms,
    slowMs = t3Ms / 2,
  }: LinkStatus): HealthVerdict {
    if (!enabled) return { health: 'ok', health_reason: null }
    if (!ready && lastError)
      return { health: 'failing', health_reason: `${connectionState}: ${lastError.detail}` }
    if (!ready)
      return {
        health: 'degraded',
        health_reason: `${connectionState}: ${waitsFor ? `${waitsFor} is not connected` : 'messages cannot be exchanged yet'}`,
      }
    if (this.#withoutReply >= MIN_IN_A_ROW) {
      return {
        health: 'failing',
        health_reason: `${connectionState}, but no reply within T3 to the last ${this.#withoutReply} messages`,
      }
    }
    if (this.#refused >= MIN_IN_A_ROW) {
      const health_reason = `${connectionState}, but it rejected the last ${this.#refused} messages with Reject.req`
      return { health: 'failing', health_reason }
    }
    if (withoutS1F13 !== undefined) {
      const health_reason = `${withoutS1F13}; set its communication to none to accept that, or enable GEM there`
      return { health: 'degraded', health_reason }
    }
    const recent = this.#reasons(t3Ms, slowMs, lastError)
    const reasons = [
      ...(reportsMissing === undefined ? [] : [reportsMissing.replace(/\.$/, '')]),
      ...(recent.length > 0
        ? [`in the last ${HEALTH_WINDOW_SECONDS / 60} minutes: ${recent.join(', ')}`]
        : []),
    ]
    return reasons.length === 0
      ? { health: 'ok', health_reason: null }
      : { health: 'degraded', health_reason: reasons.join('; ') }
  }

  #count(): void {
    const since = this.clock.now() - WINDOW_MS
    const isRecent = (at: number): boolean => at > since
    const t3 = this.#timeouts.t3.filter(isRecent)
    const t6 = this.#timeouts.t6.filter(isRecent)
    const line = this.#timeouts.line.filter(isRecent)
    const replies = this.#replies.filter(({ at }) => isRecent(at))
    const oldest = Math.min(
      t3[0] ?? Number.POSITIVE_INFINITY,
      t6[0] ?? Number.POSITIVE_INFINITY,
      line[0] ?? Number.POSITIVE_INFINITY,
      replies[0]?.at ?? Number.POSITIVE_INFINITY,
    )
    this.#expires = oldest + WINDOW_MS
    this.#lineFailures = line.length
    const latencies = replies.map(({ latencyMs }) => latencyMs).sort((one, other) => one - other)
    this.#median = percentile(latencies, 0.5)
    this.#shown = {
      last_message_at: this.#lastMessageAt,
      last_reply_at: this.#lastReplyAt,
      p99_ms: percentile(latencies, 0.99),
      t3_timeouts: t3.length,
      t6_timeouts: t6.length,
    }
  }

  /** An error counts for as long as a timeout: messages that pass since may mean that it was mended. */
  #reasons(t3Ms: number, slowMs: number, lastError: LinkStatus['lastError']): string[] {
    const { p99_ms, t3_timeouts, t6_timeouts } = this.responsiveness
    const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
    const isRecent = (at: string): boolean => this.clock.date().getTime() - Date.parse(at) < WINDOW_MS
    const since = this.clock.now() - WINDOW_MS
    const unrecorded = this.#unrecorded.reduce(
      (sum, { at, messages }) => sum + (at > since ? messages : 0),
      0,
    )
    return [
      ...(lastError && isRecent(lastError.at) ? [lastError.detail] : []),
      ...(unrecorded > 0 ? [`messages that passed and were not recorded: ${unrecorded}`] : []),
      ...(t3_timeouts > 0 ? [`no reply within T3 ${times(t3_timeouts)}`] : []),
      ...(t6_timeouts > 0 ? [`no reply to a control message within T6 ${times(t6_timeouts)}`] : []),
      ...(this.#lineFailures > 0
        ? [`a block was not taken after RTY retries ${times(this.#lineFailures)}`]
        : []),
      ...(p99_ms !== null && p99_ms > t3Ms / 2
        ? [`slow replies (p99 ${Math.round(p99_ms)} ms, T3 is ${t3Ms} ms)`]
        : []),
      ...(this.#median !== null && this.#median > slowMs
        ? [
            `slow replies (half of them take ${Math.round(this.#median)} ms or more, slow_reply is ${slowMs} ms)`,
          ]
        : []),
    ]
  }
}

/** Milliseconds; null for no latencies. `latencies` rise. */
const percentile = (latencies: readonly number[], part: number): number | null =>
  latencies[Math.ceil(latencies.length * part) - 1] ?? null
