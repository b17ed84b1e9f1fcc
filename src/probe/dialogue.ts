import { STANDARD_CATALOGUE } from '../catalogue/standard-catalogue.js'
import { subjectOfStream9 } from '../gem/message-header.js'
import type { Received } from '../hsms/io.js'
import type { LinkDriver } from '../hsms/link-driver.js'
import type { DataMessage } from '../hsms/message.js'
import { type Clock, delay } from '../kit/clock.js'
import { deferred } from '../kit/deferred.js'
import { decoded } from '../secs2/decode.js'
import { encodeBody } from '../secs2/encode.js'
import type { Item } from '../secs2/item.js'

/** The outcome of a question. */
export type Reply =
  | { readonly kind: 'replied'; readonly item: Item | undefined }
  /** The reply is no valid SECS-II, or another function than the one asked for. */
  | { readonly kind: 'unreadable'; readonly detail: string }
  | { readonly kind: 'aborted' | 'timed_out' | 'lost' }
  | { readonly kind: 'rejected'; readonly reason: number }
  /** A message of stream 9 about the question. */
  | { readonly kind: 'stream9'; readonly function: number }

const HOST = { sender: 'host' } as const

/** Reject.req's reason, where a peer has not yet seen that it is selected. */
const NOT_SELECTED = 4
/** The question is sent again after this time. */
const RETRY_DELAY_MS = 100
const MAX_DEVICE_ID = 0x7fff

/**
 * The first questions of a host over a selected link. Of the equipment's own primaries only S1F13 gets a reply: an
 * event or an alarm that is not recorded must not be acknowledged.
 */
export class Dialogue {
  readonly #driver: LinkDriver
  readonly #clock: Clock
  readonly #otherDevice = deferred<Reply>()
  readonly #unanswered = new Set<string>()
  #deviceId: number | undefined

  constructor(driver: LinkDriver, clock: Clock) {
    this.#driver = driver
    this.#clock = clock
    driver.received.on((received) => this.#take(received))
  }

  /** Another device ID than ours in its messages. */
  get deviceId(): number | undefined {
    return this.#deviceId
  }

  /** Primaries that were left without a reply, such as S6F11; the first sort of each. */
  get unanswered(): readonly string[] {
    return [...this.#unanswered]
  }

  async ask(name: 'S1F1' | 'S1F13'): Promise<Reply> {
    const reply = await this.#request(name)
    if (reply.kind !== 'rejected' || reply.reason !== NOT_SELECTED) return reply
    await delay(this.#clock, RETRY_DELAY_MS)
    return this.#request(name)
  }

  async #request(name: 'S1F1' | 'S1F13'): Promise<Reply> {
    const driver = this.#driver
    const systemBytes = driver.reserve()
    if (systemBytes === undefined) throw new Error('two questions cannot use up 64 open transactions')
    const fn = name === 'S1F1' ? 1 : 13
    const body = encodeBody(STANDARD_CATALOGUE.buildKnown(name, {}, HOST))
    const asked = {
      sessionId: driver.settings.deviceId,
      stream: 1,
      function: fn,
      wait: true,
      systemBytes,
      body,
    }
    const outcome = await Promise.race([driver.request(asked), this.#otherDevice.promise])
    if (!('reply' in outcome)) return outcome
    if (outcome.kind === 'aborted') return { kind: 'aborted' }
    const { reply } = outcome
    if (reply.stream === 9) return { kind: 'stream9', function: reply.function }
    if (outcome.kind === 'error') {
      return { kind: 'unreadable', detail: `${name} got the reply S${reply.stream}F${reply.function}` }
    }
    const { item, fault } = decoded(reply.body)
    return fault === undefined ? { kind: 'replied', item } : { kind: 'unreadable', detail: fault }
  }

  #take({ kind, message }: Received): void {
    if (kind === 'other_device') this.#takeOtherDevice(message)
    const { stream, function: fn, wait } = message
    if (stream === 9) this.#takeStream9(message)
    else if (kind === 'primary' && stream === 1 && fn === 13) this.#accept(message)
    else if (kind === 'primary' && wait) this.#unanswered.add(`S${stream}F${fn}`)
  }

  /** A message with another device ID: the equipment has that one. */
  #takeOtherDevice({ sessionId, stream, function: fn }: DataMessage): void {
    if (sessionId > MAX_DEVICE_ID) return
    this.#deviceId = sessionId
    this.#otherDevice.resolve(stream === 9 ? { kind: 'stream9', function: fn } : { kind: 'timed_out' })
  }

  #takeStream9(message: DataMessage): void {
    const about = subjectOfStream9({ ...message, ...decoded(message.body) })
    if (about) this.#driver.end(about, { kind: 'error', reply: message })
  }

  #accept(primary: DataMessage): void {
    const item = STANDARD_CATALOGUE.buildKnown('S1F14', { COMMACK: '0' }, HOST)
    this.#driver.send({ ...primary, function: 14, wait: false, body: encodeBody(item) })
  }
}
