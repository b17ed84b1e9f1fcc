import { mheadOf } from '../../gem/message-header.js'
import type { LinkDriver } from '../../hsms/link-driver.js'
import type { DataMessage } from '../../hsms/message.js'
import type { Outcome } from '../../hsms/outcome.js'
import { Listeners } from '../../hsms/tcp/listener.js'
import { type Clock, delay } from '../../kit/clock.js'
import { type Deferred, deferred } from '../../kit/deferred.js'
import { Signal } from '../../kit/signal.js'
import { encodeBody } from '../../secs2/encode.js'
import { bytesItem } from '../../secs2/item.js'
import { type SimulatedLinkOptions, simulatedLink } from '../link/simulated-link.js'
import { type Cause, Causes } from './causes.js'
import { establishReply, RecordedReplies, type RecordedReply } from './recorded-replies.js'
import { isRecordedPrimary, nameOf, type RecordedMessage } from './recording.js'
import { noScore, type ReplayRemark, type ReplayScore } from './score.js'

export interface ReplayOptions
  extends Pick<SimulatedLinkOptions, 'role' | 'host' | 'port' | 'timers' | 'line'> {
  /** How many times faster than recorded, above 0; Infinity waits only for replies. */
  readonly speed: number
  /** Whether a primary with a body that was not recorded gets the reply to the nearest one. */
  readonly loose: boolean
  /**
   * How long a primary waits for the primary of the host that it was recorded after; 0 does not wait.
   */
  readonly timeoutMs: number
}

/** The replay ends when the host has sent nothing for this time. */
const IDLE_MS = 1000

/** Repeats a recorded equipment: the same primaries, and the same replies. */
export class Replay {
  readonly remarked = new Signal<ReplayRemark>()
  readonly #driver: LinkDriver
  readonly #replies: RecordedReplies
  readonly #causes: Causes
  readonly #primaries: readonly RecordedMessage[]
  /** The host's recorded replies, by the number of the primary. */
  readonly #expected: ReadonlyMap<number, RecordedMessage>
  readonly #score
  /** Resolves when messages may be sent: the link is selected and, where the equipment does not send S1F13 itself, S1F13 was answered. */
  #open: Deferred<void> = deferred()
  #receivedAt: number
  readonly #establishes: boolean

  constructor(
    private readonly messages: readonly RecordedMessage[],
    private readonly options: ReplayOptions,
    private readonly clock: Clock,
  ) {
    // Stream 9 is not repeated: it is sent where the fault happens again.
    this.#primaries = messages.filter(
      (message) => message.from === 'equipment' && isRecordedPrimary(message) && message.stream !== 9,
    )
    this.#expected = new Map(
      messages.flatMap((message) =>
        message.from === 'host' && message.replyTo !== undefined ? [[message.replyTo, message]] : [],
      ),
    )
    this.#replies = new RecordedReplies(messages)
    this.#causes = new Causes(messages)
    this.#score = noScore(this.#primaries.length)
    const [first] = this.#primaries
    this.#establishes = first?.stream === 1 && first.function === 13
    this.#receivedAt = clock.now()
    const deviceId = (messages[0]?.sessionId ?? 0) & 0x7fff
    const { role, host, port, timers, line } = options
    this.#driver = simulatedLink(
      { role, host, port, deviceId, line, ...(timers && { timers }) },
      { clock, listeners: new Listeners() },
    )
    this.#driver.received.on(({ kind, message }) => {
      if (kind === 'primary') this.#answer(message)
    })
    this.#driver.changed.on(({ from, to }) => {
      if (to === 'SELECTED' && this.#establishes) this.#open.resolve()
      if (from === 'SELECTED') this.#open = deferred()
    })
  }

  get score(): ReplayScore {
    return { ...this.#score }
  }

  /** Where it listens; for the active role the port that it dials. */
  get port(): number {
    return this.#driver.boundPort ?? this.options.port
  }

  /** Passive: resolves once it listens; rejects with `ListenError`. */
  start(): Promise<void> {
    return this.#driver.start()
  }

  stop(): Promise<void> {
    return this.#driver.stop()
  }

  /** Sends the recorded primaries; resolves when all are answered and the host sends nothing more, or when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    const { speed } = this.options
    const replies: Promise<void>[] = []
    let before = this.messages[0]?.at ?? 0
    await Promise.race([this.#open.promise, aborted])
    let due = this.clock.now()
    for (const primary of this.#primaries) {
      if (signal.aborted) return
      const cause = this.options.timeoutMs > 0 ? this.#causes.of(primary) : undefined
      if (cause) {
        before = cause.at
        due = await this.#untilCame(cause, primary, signal)
      }
      due += Math.max(0, primary.at - before) / speed
      before = primary.at
      if (due > this.clock.now()) await delay(this.clock, due - this.clock.now(), signal)
      await Promise.race([this.#open.promise, aborted])
      if (signal.aborted) return
      const answered = this.#send(primary)
      if (speed === Infinity) await Promise.race([answered, aborted])
      else replies.push(answered)
    }
    await Promise.race([Promise.all(replies), aborted])
    await this.#idle(signal)
  }

  /** Resolves with the time at which the cause came, or with now where it does not come. */
  async #untilCame(cause: Cause, primary: RecordedMessage, signal: AbortSignal): Promise<number> {
    const end = this.clock.now() + this.options.timeoutMs
    for (;;) {
      const [came, now] = [this.#causes.cameAt(cause), this.clock.now()]
      if (came !== undefined || signal.aborted) return came ?? now
      if (now >= end) {
        this.#causes.giveUp(cause)
        this.#score.unprompted += 1
        const { id, name } = cause
        this.remarked.emit({
          kind: 'unprompted',
          message: nameOf(primary),
          id: primary.id,
          cause: { id, message: name },
        })
        return now
      }
      await emittedOr(this.clock, end - now, this.#causes.news, signal)
    }
  }

  async #idle(signal: AbortSignal): Promise<void> {
    for (;;) {
      const left = this.#receivedAt + IDLE_MS - this.clock.now()
      if (left <= 0 || signal.aborted) return
      await delay(this.clock, left, signal)
    }
  }

  async #send(primary: RecordedMessage): Promise<void> {
    const systemBytes = this.#driver.reserve()
    if (systemBytes === undefined) return this.#missing(primary, 'too many messages wait for a reply')
    const { deviceId: sessionId } = this.#driver.settings
    const message = { ...primary, sessionId, systemBytes }
    this.#score.sent += 1
    if (primary.wait) this.#compare(primary, await this.#driver.request(message))
    else this.#driver.send(message)
    this.#receivedAt = this.clock.now()
  }

  #compare(primary: RecordedMessage, outcome: Outcome): void {
    const expected = this.#expected.get(primary.id)
    const reply = 'reply' in outcome ? outcome.reply : undefined
    if (!reply && expected) return this.#missing(primary, outcome.kind)
    const isSame =
      reply?.function === expected?.function &&
      (isOfItsMoment(primary) || Buffer.compare(reply?.body ?? NOTHING, expected?.body ?? NOTHING) === 0)
    if (isSame) {
      this.#score.matched += 1
      return
    }
    this.#score.differed += 1
    const bodies = { expected: expected?.body, got: reply?.body }
    this.remarked.emit({ kind: 'differed', message: nameOf(primary), id: primary.id, ...bodies })
  }

  #missing(primary: RecordedMessage, why: string): void {
    this.#score.missing += 1
    this.remarked.emit({ kind: 'missing', message: nameOf(primary), id: primary.id, why })
  }

  #answer(primary: DataMessage): void {
    this.#receivedAt = this.clock.now()
    this.#causes.note(nameOf(primary), this.#receivedAt)
    const establishes = primary.stream === 1 && primary.function === 13
    const found = this.#replies.find(primary, this.options.loose)
    if (found.match !== 'unknown') {
      this.#score[found.match === 'same' ? 'answered' : 'answered_nearly'] += 1
      if (found.match === 'near') this.#remark('nearly', primary)
      this.#reply(primary, found.reply)
    } else if (establishes) {
      this.#reply(primary, { kind: 'reply', function: 14, body: establishReply(this.messages) })
    } else {
      this.#score.unknown += 1
      this.#remark('unknown', primary)
      if (primary.wait) this.#reply(primary, { kind: 'reply', function: 0, body: NOTHING })
    }
    if (establishes) this.#open.resolve()
  }

  #reply(primary: DataMessage, reply: RecordedReply): void {
    if (reply.kind === 'none' || primary.stream === 9) return
    if (reply.kind === 'reply') {
      const { function: fn, body } = reply
      this.#driver.send({ ...primary, function: fn, wait: false, body })
      return
    }
    const systemBytes = this.#driver.reserve()
    if (systemBytes === undefined) return
    const body = encodeBody(bytesItem('B', mheadOf(primary)))
    this.#driver.send({ ...primary, stream: 9, function: reply.function, wait: false, systemBytes, body })
  }

  #remark(kind: 'unknown' | 'nearly', message: DataMessage): void {
    this.remarked.emit({ kind, message: nameOf(message), body: message.body })
  }
}

/** Resolves when the signal emits, after so many milliseconds, or when `over` aborts. */
async function emittedOr(clock: Clock, ms: number, news: Signal<void>, over: AbortSignal): Promise<void> {
  const emitted = new AbortController()
  const unsubscribe = news.on(() => emitted.abort())
  await delay(clock, ms, AbortSignal.any([emitted.signal, over]))
  unsubscribe()
}

const NOTHING = new Uint8Array()

/** The reply is the time (S2F18), and is never the same again. */
const isOfItsMoment = ({ stream, function: fn }: RecordedMessage): boolean => stream === 2 && fn === 17
