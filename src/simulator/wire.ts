import type { Conversation, Exchange, Primary, SecsMessage } from '../gem/conversation.js'
import type { EquipmentAnswer } from '../gem/equipment.js'
import { COMPLAINTS, mheadOf } from '../gem/mhead.js'
import type { HsmsDriver, Received } from '../hsms/driver.js'
import { type DataMessage, isPrimary } from '../hsms/message.js'
import type { Clock } from '../kit/clock.js'
import { Signal } from '../kit/signal.js'
import { decodeBody } from '../secs2/decode.js'
import { encodeBody } from '../secs2/encode.js'
import { Secs2DecodeError, Secs2EncodeError } from '../secs2/errors.js'
import { bytesItem, type Item } from '../secs2/item.js'
import { printSml } from '../secs2/sml/print.js'

/** A message that crossed the wire. */
export interface Crossing {
  readonly at: Date
  readonly direction: 'sent' | 'received'
  readonly stream: number
  readonly function: number
  readonly systemBytes: number
  readonly sml: string
}

type Body = { readonly item: Item | undefined; readonly fault?: string }

function bodyOf(message: DataMessage): Body {
  try {
    return { item: decodeBody(message.body) }
  } catch (error) {
    if (!(error instanceof Secs2DecodeError)) throw error
    return { item: undefined, fault: error.message }
  }
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

/** Carries an equipment's conversation over HSMS, and complains of a host's faults by stream 9. */
export class Wire implements Conversation {
  readonly log = new Signal<Crossing>()

  constructor(
    private readonly driver: HsmsDriver,
    private readonly clock: Clock,
    answer: (primary: Primary) => EquipmentAnswer,
  ) {
    driver.received.on((received) => this.#take(received, answer))
  }

  async request({ stream, function: fn, item }: SecsMessage): Promise<Exchange> {
    if (this.driver.state !== 'SELECTED') return { kind: 'lost' }
    const content = encoded(item)
    if (!content) return { kind: 'lost' }
    const systemBytes = this.driver.reserve()
    if (systemBytes === undefined) return { kind: 'busy' }
    const message = this.#message(stream, fn, true, systemBytes, content)
    const ended = this.driver.request(message)
    this.#note('sent', message, { item })
    const outcome = await ended
    if (outcome.kind === 'timed_out') this.#complain('timed_out', message)
    if (!('reply' in outcome)) return outcome
    const body = bodyOf(outcome.reply)
    this.#note('received', outcome.reply, body)
    if (outcome.kind !== 'replied') return { kind: outcome.kind }
    return body.fault === undefined ? { kind: 'replied', item: body.item } : { kind: 'error' }
  }

  #take({ kind, message }: Received, answer: (primary: Primary) => EquipmentAnswer): void {
    const body = bodyOf(message)
    this.#note('received', message, body)
    if (kind === 'foreign' && isPrimary(message)) this.#complain('unknown_device', message)
    if (kind !== 'primary') return
    const { stream, function: fn, wait } = message
    const verdict = answer({ stream, function: fn, wait, ...body })
    switch (verdict.kind) {
      case 'reply':
        this.#reply(message, verdict.message)
        return
      case 'abort':
        this.#reply(message, { function: 0, item: undefined })
        return
      case 'fault':
        this.#complain(verdict.fault, message)
        return
      case 'none':
        return
    }
  }

  /** Aborts (SxF0) where no message can hold the answer. */
  #reply(to: DataMessage, { function: fn, item }: Pick<SecsMessage, 'function' | 'item'>): void {
    const { stream, systemBytes } = to
    const content = encoded(item)
    if (content) this.#send(this.#message(stream, fn, false, systemBytes, content), item)
    else this.#reply(to, { function: 0, item: undefined })
  }

  /** Stream 9 has system bytes of its own and asks for no answer (SEMI E5). */
  #complain(about: keyof typeof COMPLAINTS, message: DataMessage): void {
    const systemBytes = this.driver.reserve()
    if (systemBytes === undefined) return
    const item = bytesItem('B', mheadOf(message))
    this.#send(this.#message(9, COMPLAINTS[about], false, systemBytes, encodeBody(item)), item)
  }

  #send(message: DataMessage, item: Item | undefined): void {
    if (this.driver.send(message)) this.#note('sent', message, { item })
  }

  #message(stream: number, fn: number, wait: boolean, systemBytes: number, body: Uint8Array): DataMessage {
    const sessionId = this.driver.settings.deviceId
    return { sessionId, stream, function: fn, wait, systemBytes, body }
  }

  #note(direction: Crossing['direction'], message: DataMessage, { item, fault }: Body): void {
    const { stream, function: fn, wait, systemBytes } = message
    const sml = printSml({ stream, function: fn, wait, item })
    this.log.emit({
      at: this.clock.date(),
      direction,
      stream,
      function: fn,
      systemBytes,
      sml: fault === undefined ? sml : `${sml} // ${message.body.length} bytes that are no SECS-II: ${fault}`,
    })
  }
}
