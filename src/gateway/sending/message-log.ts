import type { Acknowledgement } from '../../catalogue/acknowledgement.js'
import { Problem } from '../../contract/errors.js'
import type { Page } from '../../contract/schema.js'
import type { Message, MessageQuery, NewMessage, Outcome, Sent } from '../../contract/topics/messages.js'
import { inTurns } from '../../kit/turns.js'
import type { Entry, Kind } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import type { EquipmentRegistry } from '../equipment/registry.js'
import { finished } from '../link/transaction-problem.js'
import type { Ended } from '../link/transactions.js'
import { composeMessage } from '../messages/compose-message.js'
import { type Ending, isLong, viewLater, viewMessage } from '../messages/message-view.js'
import { stream9About, stream9Subject } from '../messages/stream9-subject.js'
import type { Outcomes } from '../outcomes/outcomes.js'
import { MESSAGE_RECEIVED, MESSAGE_SENT, MESSAGES } from '../records/journal-kinds.js'
import { type Keys, keysOf, readPage, readSifted } from '../records/journal-page.js'
import { KeptViews } from '../records/kept-views.js'
import { topicsOf } from '../records/message-topics.js'
import type { Reading } from '../records/reading.js'
import { isMessage, messageOf, type RecordedMessage } from '../records/recorded-message.js'
import type { SendOptions } from '../services/asking.js'

const KINDS_BY_DIRECTION: Readonly<Record<'sent' | 'received', readonly Kind[]>> = {
  sent: [MESSAGE_SENT],
  received: [MESSAGE_RECEIVED],
}

/** The result of a transaction, or its primary alone where the caller did not wait. */
export interface Exchange<T> {
  readonly result: T
  /** False when the caller did not wait for the reply. */
  readonly waited: boolean
}

/** A message of a list, and its ending when it was viewed. */
interface Listed {
  readonly message: Message
  readonly ending: Ending | undefined
}

const isSameEnding = (one: Ending | undefined, other: Ending | undefined): boolean =>
  one === other ||
  (one?.outcome === other?.outcome &&
    one?.reply_id === other?.reply_id &&
    one?.latency_ms === other?.latency_ms &&
    one?.s9 === other?.s9)

export const messageNotFound = (id: string): Problem =>
  new Problem('message_not_found', `There is no message ${id}.`, { next: [{ operation: 'listMessages' }] })

/** In steps: a reply may have a million items, which are not made where none of them can be a code. */
async function acknowledgementIn(
  reply: RecordedMessage,
  { catalogue }: Reading,
): Promise<Acknowledgement | undefined> {
  const { stream, function: fn } = reply
  if (!catalogue.mayAcknowledge(stream, fn)) return undefined
  const { item } = await inTurns(reply.decodedInSteps())
  return catalogue.acknowledgement(stream, fn, item)
}

/** Lists the journal's messages, and sends new ones. */
export class JournaledMessages {
  readonly #kept: KeptViews<Listed>

  constructor(
    readonly journal: Journal,
    readonly outcomes: Outcomes,
    readonly registry: EquipmentRegistry,
  ) {
    this.#kept = new KeptViews(journal, (id) => registry.readingOf(id))
  }

  /** `keys`: the equipment, where the query alone does not say it. */
  async list(
    query: MessageQuery,
    keys: Keys | undefined = query.equipment_id && keysOf(query.equipment_id),
  ): Promise<Page<Message>> {
    const kinds = query.direction === undefined ? MESSAGES : KINDS_BY_DIRECTION[query.direction]
    const { stream, function: fn, from_side, to_side } = query
    const where = (entry: Entry): boolean => {
      const message = messageOf(entry)
      return (
        (stream === undefined || message.stream === stream) &&
        (fn === undefined || message.function === fn) &&
        (from_side === undefined || message.from === from_side) &&
        (to_side === undefined || message.to === to_side)
      )
    }
    const ofAnyTopic = stream === undefined && fn === undefined
    const isNarrowed = !ofAnyTopic || from_side !== undefined || to_side !== undefined
    const topics = ofAnyTopic ? {} : { topics: topicsOf(stream, fn) }
    const matching = { kinds, ...topics, ...(isNarrowed && { where }), ...this.#after(query.outcome) }
    const { entries, next_cursor } =
      query.outcome === undefined
        ? await readPage(this.journal, 'messages', query, matching, keys)
        : await readSifted(this.journal, 'messages', query, matching, keys, this.#withOutcome(query.outcome))
    return { items: await this.#views(entries), next_cursor }
  }

  /** Messages that wait are few, and all of them new: of a long history the rest is not read. */
  #after(outcomes: readonly Outcome[] = []): { readonly after?: number } {
    if (!outcomes.includes('pending') || outcomes.some((one) => one !== 'pending')) return {}
    return { after: (this.outcomes.oldestPending ?? this.journal.last + 1) - 1 }
  }

  #withOutcome(outcomes: readonly Outcome[]) {
    return async (entries: readonly Entry[]): Promise<readonly Entry[]> => {
      const endings = await this.outcomes.of(entries)
      return entries.filter((_, at) => {
        const outcome = endings[at]?.outcome
        return outcome !== undefined && outcomes.includes(outcome)
      })
    }
  }

  /** `raw`: with the bytes of its body, also where they are valid SECS-II. */
  async get(id: string, { raw }: { readonly raw?: boolean } = {}): Promise<Message> {
    const entry = /^[0-9]{1,15}$/.test(id) ? await this.journal.get(Number(id)) : undefined
    if (!entry || !isMessage(entry)) throw messageNotFound(id)
    const [ending] = await this.outcomes.of([entry])
    const about = await stream9Subject(entry, this.journal)
    const more = about ? { about } : await stream9About(entry, this.journal)
    return viewMessage(entry, this.registry.readingOf(entry.key), { ...ending, ...more }, raw)
  }

  async send(
    equipmentId: string,
    given: NewMessage,
    options?: Partial<SendOptions>,
  ): Promise<Exchange<Sent>> {
    const { sent, ended } = await this.transact(equipmentId, given, options)
    if (!ended) return { result: { message: await this.view(sent), reply: null }, waited: false }
    const reading = this.registry.readingOf(equipmentId)
    const message = viewMessage(sent, reading, ended.ending)
    if (!ended.reply) return { result: { message, reply: null }, waited: true }
    const acknowledgement = await acknowledgementIn(messageOf(ended.reply), reading)
    const reply = viewMessage(ended.reply, reading, undefined)
    const result = acknowledgement ? { message, reply, acknowledgement } : { message, reply }
    return { result, waited: true }
  }

  /** Sends a message; `ended` is left out where no reply is expected, or the caller does not wait for it. */
  async transact(
    equipmentId: string,
    given: NewMessage,
    { timeout, onSent = () => {}, ...options }: Partial<SendOptions> = {},
  ): Promise<{ readonly sent: Entry; readonly ended?: Ended }> {
    const session = this.registry.session(equipmentId)
    const message = await inTurns(composeMessage(given, session.reading()))
    const t3 = timeout === undefined ? undefined : Math.round(timeout * 1000)
    const transaction = await session.send(Object.assign(message, options, { t3 }))
    const { sent } = transaction
    // Items take many times the memory of their bytes, and a reply may be long in coming.
    Object.assign(message, { item: undefined })
    onSent(sent)
    if (message.wait && given.wait_for_reply === false) {
      transaction.ended.catch(() => {}) // the end is recorded; this call does not wait for it
      return { sent }
    }
    const ended = await finished(transaction, session, message)
    return message.wait ? { sent, ended } : { sent }
  }

  /** A recorded message as the API shows it. */
  async view(entry: Entry): Promise<Message> {
    const [ending] = await this.outcomes.of([entry])
    return viewMessage(entry, this.registry.readingOf(entry.key), ending)
  }

  async #views(entries: readonly Entry[]): Promise<Message[]> {
    const endings = await this.outcomes.of(entries)
    return entries.map((entry, at) => {
      const ending = endings[at]
      const make = (reading: Reading): Listed => ({ message: viewLater(entry, reading, ending), ending })
      const isStill = (kept: Listed): boolean => isSameEnding(kept.ending, ending)
      return this.#kept.of(entry, make, { isStill, keeps: !isLong(entry) }).message
    })
  }
}
