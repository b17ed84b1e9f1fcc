import type { Exchange, SecsMessage } from '../gem/conversation.js'
import type { EquipmentReply, HostPrimary } from '../gem/equipment/equipment.js'
import type { EquipmentConversation } from '../gem/equipment/outbound-queue.js'
import { mheadOf, STREAM9_FUNCTIONS } from '../gem/message-header.js'
import { controlFrame } from '../hsms/control.js'
import { encodeFrame } from '../hsms/frame/frame.js'
import type { Received } from '../hsms/io.js'
import type { LinkDriver } from '../hsms/link-driver.js'
import { type DataMessage, isPrimary } from '../hsms/message.js'
import type { Clock } from '../kit/clock.js'
import { Schedule } from '../kit/schedule.js'
import { Signal } from '../kit/signal.js'
import { type Decoded, decoded } from '../secs2/decode.js'
import { encodeBody } from '../secs2/encode.js'
import { Secs2EncodeError } from '../secs2/errors.js'
import { bytesItem, type Item } from '../secs2/item.js'
import { printSml } from '../secs2/sml/print.js'
import { acknowledged, type Faults } from './faults.js'

/** A message that crossed the wire. */
export interface Crossing {
  readonly at: Date
  readonly direction: 'sent' | 'received'
  readonly stream: number
  readonly function: number
  readonly systemBytes: number
  readonly sml: string
}

/** Undefined where no message can hold the item. */
function encoded(item: Item | undefined): Uint8Array | undefined {
  try {
    return encodeBody(item)
  } catch (error) {
    if (!(error instanceof Secs2EncodeError)) throw error
    return undefined
  }
}

const MAX_LATE = 1000

/** The conversation of an equipment over HSMS; it reports faults of the host by stream 9. */
export class Wire implements EquipmentConversation {
  readonly log = new Signal<Crossing>((hasListeners) => {
    this.#hasListeners = hasListeners
  })
  #hasListeners = false
  /** Primaries that are answered later, by the fault `late`. */
  readonly #late: Schedule

  constructor(
    private readonly driver: LinkDriver,
    private readonly clock: Clock,
    reply: (primary: HostPrimary) => EquipmentReply,
    private readonly faults: Faults = {},
  ) {
    driver.received.on((received) => this.#take(received, reply))
    this.#late = new Schedule(clock)
    driver.changed.on(({ from }) => from === 'SELECTED' && this.#late.cancel())
  }

  async request({ stream, function: fn, item }: SecsMessage): Promise<Exchange> {
    if (this.driver.state !== 'SELECTED' || this.faults.quiet) return { kind: 'lost' }
    const content = encoded(item)
    if (!content) return { kind: 'lost' }
    const systemBytes = this.driver.reserve()
    if (systemBytes === undefined) return { kind: 'busy' }
    const message = this.#message(stream, fn, true, systemBytes, content)
    const ended = this.driver.request(message)
    this.#note('sent', message, { item })
    const outcome = await ended
    if (outcome.kind === 'timed_out' && stream !== 9) this.#reportFault('timed_out', message)
    if (!('reply' in outcome)) return outcome
    const body = decoded(outcome.reply.body)
    this.#note('received', outcome.reply, body)
    if (outcome.kind !== 'replied') return { kind: outcome.kind }
    return body.fault === undefined ? { kind: 'replied', item: body.item } : { kind: 'error' }
  }

  /** Sends without W-bit. A message that cannot be sent is lost. */
  sendOneWay({ stream, function: fn, item }: SecsMessage): void {
    if (this.driver.state !== 'SELECTED' || this.faults.quiet) return
    const content = encoded(item)
    if (!content) return
    const systemBytes = this.driver.reserve()
    if (systemBytes === undefined) return
    this.#send(this.#message(stream, fn, false, systemBytes, content), item)
  }

  #take({ kind, message }: Received, answer: (primary: HostPrimary) => EquipmentReply): void {
    const body = decoded(message.body)
    this.#note('received', message, body)
    // Stream 9 is never answered by stream 9.
    if (message.stream === 9) return
    if (kind === 'other_device' && isPrimary(message)) this.#reportFault('unknown_device', message)
    if (kind !== 'primary') return
    const { stream, function: fn, wait } = message
    const take = (): void => {
      const verdict = answer({ stream, function: fn, wait, length: message.body.length, ...body })
      if (!this.faults.silent) this.#answer(message, verdict)
    }
    if (this.faults.late === undefined) take()
    // More than so many do not wait: the host has given them up long ago.
    else if (this.#late.size < MAX_LATE) this.#late.after(this.faults.late, take)
  }

  #answer(message: DataMessage, verdict: EquipmentReply): void {
    const { reject } = this.faults
    if (reject !== undefined && message.wait) {
      this.driver.inject(encodeFrame(controlFrame('rejectReq', message, reject)))
      return
    }
    switch (verdict.kind) {
      case 'reply':
        this.#reply(message, acknowledged(verdict.message, this.faults))
        return
      case 'abort':
        this.#reply(message, { function: 0, item: undefined })
        return
      case 'fault':
        this.#reportFault(verdict.fault, message)
        return
      case 'none':
        return
    }
  }

  /** Aborts (SxF0) where no message can hold the reply. */
  #reply(to: DataMessage, { function: fn, item }: Pick<SecsMessage, 'function' | 'item'>): void {
    const { stream, systemBytes } = to
    const content = encoded(item)
    if (content) this.#send(this.#message(stream, fn, false, systemBytes, content), item)
    else this.#reply(to, { function: 0, item: undefined })
  }

  /** Stream 9 has system bytes of its own and wants no reply (SEMI E5). */
  #reportFault(about: keyof typeof STREAM9_FUNCTIONS, message: DataMessage): void {
    this.sendOneWay({ stream: 9, function: STREAM9_FUNCTIONS[about], item: bytesItem('B', mheadOf(message)) })
  }

  #send(message: DataMessage, item: Item | undefined): void {
    if (this.driver.send(message)) this.#note('sent', message, { item })
  }

  #message(stream: number, fn: number, wait: boolean, systemBytes: number, body: Uint8Array): DataMessage {
    const sessionId = this.driver.settings.deviceId
    return { sessionId, stream, function: fn, wait, systemBytes, body }
  }

  #note(direction: Crossing['direction'], message: DataMessage, { item, fault }: Decoded): void {
    if (!this.#hasListeners) return
    const { stream, function: fn, wait, systemBytes } = message
    this.log.emit({
      at: this.clock.date(),
      direction,
      stream,
      function: fn,
      systemBytes,
      // Made for who reads it: most listeners look at some messages alone.
      get sml() {
        const sml = printSml({ stream, function: fn, wait, item })
        return fault === undefined
          ? sml
          : `${sml} // ${message.body.length} bytes that are no SECS-II: ${fault}`
      },
    })
  }
}
