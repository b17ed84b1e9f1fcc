import type { Acknowledgement } from '../../catalogue/acknowledgement.js'
import { CatalogueError } from '../../catalogue/catalogue.js'
import {
  type Content,
  type Given,
  type KnownMessage,
  type MessageFrom,
  numbersOf,
  type ReplyTo,
} from '../../catalogue/known-message.js'
import type { LeafReader, NamedValues } from '../../catalogue/values/read.js'
import { Problem } from '../../contract/errors.js'
import { isOffline } from '../../gem/host/control-observer.js'
import { inTurns } from '../../kit/turns.js'
import { type Item, L } from '../../secs2/item.js'
import type { Entry } from '../../store/entry.js'
import type { SentCall } from '../audit/sent-call.js'
import type { KeyedRequest } from '../idempotency/idempotency.js'
import type { Session } from '../link/session.js'
import { finished } from '../link/transaction-problem.js'
import { encodedSteps } from '../messages/compose-message.js'
import type { Reading } from '../records/reading.js'
import { messageOf } from '../records/recorded-message.js'

/** A primary that a host may send, and that has a reply. */
export type Asked = {
  [Name in MessageFrom<'host'>]: ReplyTo<Name> extends MessageFrom<'equipment'> ? Name : never
}[MessageFrom<'host'>]

type ReplyFor<Name extends Asked> = ReplyTo<Name> & MessageFrom<'equipment'>

/** Which recorded messages a reply comes from. */
export interface Exchanged {
  readonly message_id: string
  readonly reply_id: string
}

/** A reply with the structure that the standard gives it. */
export interface Replied<Name extends Asked> extends Exchanged {
  readonly content: Content<ReplyFor<Name>, 'equipment'>
  /** The body as items, with the formats of the values. */
  readonly body: Item | undefined
}

/** A reply that carries an acknowledge code; the rest of it may be malformed. */
export interface Acknowledged extends Exchanged, Acknowledgement {
  readonly body: Item | undefined
}

/** How a message that may change the equipment is sent. */
export interface SendOptions {
  /** Seconds; shortens T3. */
  readonly timeout?: number | undefined
  /** The request with an idempotency key that it is sent for; undefined where there is none. */
  readonly request: KeyedRequest | undefined
  /** Email of the user whose call it is; left out for the gateway itself. */
  readonly sentBy?: string | undefined
  /** The trace context of the call, if it has one. */
  readonly traceparent?: string | undefined
  /** The call, where it is recorded together with the message. */
  readonly call?: SentCall | undefined
  /** Called with the recorded primary once it is sent: what it was made of is not needed any more. */
  readonly onSent?: ((sent: Entry) => void) | undefined
}

/** Sent by the gateway itself. */
export const BY_ITSELF: SendOptions = { request: undefined }

export interface AskOptions {
  /** Seconds; shortens T3. */
  readonly timeout?: number | undefined
  /** How `content` represents each value; as text when left out. */
  readonly leaf?: LeafReader
}

/** The sessions of registered equipment. */
export interface Sessions {
  /** Throws `equipment_not_found`. */
  session(equipmentId: string): Pick<Session, 'send' | 'reading' | 'current' | 'signs' | 'lineNoise' | 'host'>
}

export interface ExchangedBody {
  readonly body: Item | undefined
  readonly ids: Exchanged
  readonly reading: Reading
  /** Such as `etcher replied to S1F3 with an S1F4`, for a problem with it. */
  readonly subject: string
}

const replyTo = (message: Asked): KnownMessage => {
  const { stream, function: fn } = numbersOf(message)
  return `S${stream}F${fn + 1}` as KnownMessage // the type `Asked` guarantees that it exists
}

/**
 * One transaction with an equipment, named data in and out: recorded like any message, and failing with the
 * problems of `POST …/messages`.
 */
export class Asking {
  constructor(private readonly sessions: Sessions) {}

  /** How the items of an equipment are read. Throws `equipment_not_found`. */
  reading(equipmentId: string): Reading {
    return this.sessions.session(equipmentId).reading()
  }

  /** Throws `equipment_not_found`. */
  nameOf(equipmentId: string): string {
    return this.sessions.session(equipmentId).current().name
  }

  /** It is offline, and has refused to go online. Throws `equipment_not_found`. */
  refusesOnline(equipmentId: string): boolean {
    return this.sessions.session(equipmentId).host.refusesOnline
  }

  /**
   * Whether the gateway may ask now, by itself, what can wait: nothing else is asked, and the equipment is not offline. Null
   * where it does not communicate, or is not to be asked anything by itself. Throws `equipment_not_found`.
   */
  isCalm(equipmentId: string): boolean | null {
    const { current, host } = this.sessions.session(equipmentId)
    const { communication, gem_startup } = current()
    if (communication !== 'gem' || !gem_startup || host.communicationState !== 'COMMUNICATING') return null
    return !host.isAsking && !isOffline(host.controlState)
  }

  /**
   * Whether the gateway can set the equipment up now: it communicates, and is not offline. Null where that is for its own
   * host to do. Throws `equipment_not_found`.
   */
  isOnline(equipmentId: string): boolean | null {
    const { current, host } = this.sessions.session(equipmentId)
    const { communicationState, controlState } = host
    if (current().tap !== null) return null
    return communicationState === 'COMMUNICATING' && !isOffline(controlState)
  }

  /** The body of a message, without sending it. Throws `invalid_message` for data that does not fit. */
  bodyOf(equipmentId: string, message: Asked, data: NamedValues): Item | undefined {
    const reading = this.reading(equipmentId)
    try {
      return reading.catalogue.buildKnown(message, data, { ...reading, sender: 'host' })
    } catch (error) {
      if (!(error instanceof CatalogueError)) throw error
      const errors = error.problems.map(({ item, detail }) => ({ pointer: `/${item}`, detail }))
      throw new Problem('invalid_message', error.message, { errors })
    }
  }

  /**
   * Sends a question, which changes nothing in the equipment. Throws `invalid_message` for data that does not fit,
   * `equipment_error` for a reply that does not.
   */
  async ask<Name extends Asked>(
    equipmentId: string,
    message: Name,
    data: Given<Name, 'host'>,
    options: AskOptions = {},
  ): Promise<Replied<Name>> {
    const item = this.bodyOf(equipmentId, message, data as NamedValues)
    return this.askBody<Name>(equipmentId, message, item, options)
  }

  /** The same for a body that is already built. */
  async askBody<Name extends Asked>(
    equipmentId: string,
    message: Name,
    item: Item | undefined,
    options: AskOptions = {},
  ): Promise<Replied<Name>> {
    const { body, reading, subject, ids } = await this.exchange(equipmentId, message, item, {
      timeout: options.timeout,
      request: undefined,
    })
    const read = (reply: Item | undefined) =>
      reading.catalogue.readKnown(replyTo(message), reply, { ...reading, sender: 'equipment' }, options.leaf)
    // Some equipment leaves out the body where it would be an empty list.
    const content = read(body) ?? (body === undefined ? read(L()) : null)
    if (content) return { content: content as Replied<Name>['content'], body, ...ids }
    throw new Problem('equipment_error', `${subject} that does not have its structure.`, ids)
  }

  /** Sends a primary that may change the equipment, and reads the acknowledge code of the reply. Throws `equipment_error` without one. */
  async acknowledge<Name extends Asked>(
    equipmentId: string,
    message: Name,
    data: Given<Name, 'host'>,
    options: SendOptions,
  ): Promise<Acknowledged> {
    const item = this.bodyOf(equipmentId, message, data as NamedValues)
    return this.acknowledgeBody(equipmentId, message, item, options)
  }

  /** The same for a body that is already built. */
  async acknowledgeBody(
    equipmentId: string,
    message: Asked,
    item: Item | undefined,
    options: SendOptions,
  ): Promise<Acknowledged> {
    const { body, reading, subject, ids } = await this.exchange(equipmentId, message, item, options)
    const { stream, function: fn } = numbersOf(message)
    const found = reading.catalogue.acknowledgement(stream, fn + 1, body)
    if (found) return { ...found, body, ...ids }
    throw new Problem('equipment_error', `${subject} without a code: whether it acted is not known.`, ids)
  }

  /** Sends a primary whose reply the caller reads by itself. `subject` is for a problem with the reply. */
  async exchange(
    equipmentId: string,
    message: Asked,
    item: Item | undefined,
    { timeout, request, sentBy, traceparent }: SendOptions,
  ): Promise<ExchangedBody> {
    const session = this.sessions.session(equipmentId)
    const reading = session.reading()
    const primary = {
      ...numbersOf(message),
      item,
      wait: true,
      body: await inTurns(encodedSteps({ item }, '')),
      request,
      sentBy,
      traceparent,
      ...(timeout !== undefined && { t3: Math.round(timeout * 1000) }),
    }
    const { name } = session.current()
    const transaction = await session.send(primary)
    // Every other end is thrown as a problem.
    const { reply } = await finished(transaction, session, primary)
    if (!reply) throw new Error(`${message} ended without a reply`)
    const ids = { message_id: String(transaction.sent.seq), reply_id: String(reply.seq) }
    const subject = `${name} replied to ${message} with an ${replyTo(message)}`
    // In steps: a reply may have a million items.
    const { item: body, fault } = await inTurns(messageOf(reply).decodedInSteps())
    if (fault === undefined) return { body, ids, reading, subject }
    throw new Problem('equipment_error', `${subject} that is not valid SECS-II: ${fault}.`, ids)
  }
}
