import type { Message, Outcome } from '../../contract/topics/messages.js'
import { type InParts, writtenInParts } from '../../kit/text/json-parts.js'
import { tracedBy } from '../../kit/text/traceparent.js'
import type { Entry } from '../../store/entry.js'
import type { Reading } from '../records/reading.js'
import { messageOf, type RecordedMessage } from '../records/recorded-message.js'
import { type BodyView, bodyParts, rawOf, viewBody } from './body-view.js'

/** The known end of a primary. */
export interface Ending {
  readonly outcome: Outcome
  readonly reply_id?: string
  readonly latency_ms?: number
  readonly s9?: string
}

/** The ending of a primary at the time it was recorded. */
export const endingAtFirst = ({ isPrimary, wait }: RecordedMessage): Ending | undefined =>
  isPrimary ? { outcome: wait ? 'pending' : 'not_expected' } : undefined

/** Bodies of more bytes are decoded only when needed, and written in parts. */
const LONG = 12 * 1024

/** Whether the message of this entry is long. */
export const isLong = (entry: Entry): boolean => messageOf(entry).length > LONG

/** What is shown of one message beside its ending. */
interface More extends Partial<Ending> {
  readonly about?: Message['about']
}

/**
 * A message as the API shows it: the header, and views of the body's exact bytes; `raw`: the bytes, too, where they are
 * valid SECS-II.
 */
export function viewMessage(entry: Entry, reading: Reading, ending: More | undefined, raw = false): Message {
  if (isLong(entry)) return viewLongLater(entry, reading, ending, raw)
  const bytes = raw ? { raw: rawOf(messageOf(entry)) } : undefined
  // To spread three objects into one takes V8 fifty times as long.
  return Object.assign(viewHeader(entry, reading), viewBody(entry, reading), bytes, viewEnd(entry, ending))
}

/** The same, but its body is decoded only when it is read. Its JSON comes in parts; a short message is one part. */
export function viewLater(entry: Entry, reading: Reading, ending: Ending | undefined): Message {
  if (isLong(entry)) return viewLongLater(entry, reading, ending, false)
  const later = new LaterBody(entry, reading, ending)
  return Object.assign(later, viewHeader(entry, reading), viewEnd(entry, ending)) as Message
}

/** The body of a short message that is decoded when it is read. A page has a thousand: its members are on the prototype. */
class LaterBody implements InParts {
  readonly #made: readonly [entry: Entry, reading: Reading, ending: Ending | undefined]
  #body: BodyView | undefined
  /** Its JSON, made once. */
  #text: string | undefined

  constructor(...made: readonly [entry: Entry, reading: Reading, ending: Ending | undefined]) {
    this.#made = made
  }

  get #view(): BodyView {
    const [entry, reading] = this.#made
    this.#body ??= viewBody(entry, reading)
    return this.#body
  }

  get data() {
    return this.#view.data
  }

  get body() {
    return this.#view.body
  }

  get sml() {
    return this.#view.sml
  }

  get collection_event() {
    return this.#view.collection_event
  }

  get raw() {
    return this.#view.raw
  }

  get decode_error() {
    return this.#view.decode_error
  }

  toJSON(): Message {
    return viewMessage(...this.#made)
  }

  jsonParts(): Iterable<string> {
    this.#text ??= JSON.stringify(this)
    return [this.#text]
  }
}

function viewLongLater(entry: Entry, reading: Reading, ending: More | undefined, raw: boolean): Message {
  let seen: BodyView | undefined
  const body = (): BodyView => (seen ??= viewBody(entry, reading))
  const message = {
    ...viewHeader(entry, reading),
    get data() {
      return body().data
    },
    get body() {
      return body().body
    },
    get sml() {
      return body().sml
    },
    get collection_event() {
      return body().collection_event
    },
    get raw() {
      return raw ? rawOf(messageOf(entry)) : body().raw
    },
    get decode_error() {
      return body().decode_error
    },
    ...viewEnd(entry, ending),
  } as Message
  return writtenInParts(message, () => messageParts(entry, reading, ending, raw), messageOf(entry).length)
}

function* messageParts(
  entry: Entry,
  reading: Reading,
  ending: More | undefined,
  raw: boolean,
): Generator<string> {
  // Whoever asks has often worked in this turn already: it has applied the message, or put it together.
  if (messageOf(entry).needsSteps) yield ''
  yield `${JSON.stringify(viewHeader(entry, reading)).slice(0, -1)},`
  yield* bodyParts(entry, reading, raw)
  yield `,${JSON.stringify(viewEnd(entry, ending)).slice(1)}`
}

type Header = Omit<Message, keyof BodyView | keyof End>

function viewHeader(entry: Entry, { catalogue, name }: Reading): Header {
  const message = messageOf(entry)
  return {
    id: String(entry.seq),
    equipment_id: entry.key,
    equipment_name: name ?? null,
    direction: message.direction,
    from: message.from,
    to: message.to,
    stream: message.stream,
    function: message.function,
    name: catalogue.name(message.stream, message.function),
    w_bit: message.wait,
    session_id: message.sessionId,
    system_bytes: message.systemBytes,
    ...(message.equipmentSystemBytes !== undefined && {
      equipment_system_bytes: message.equipmentSystemBytes,
    }),
    sent_by: message.sentBy ?? null,
    ...(message.mayBeSpooled && { may_be_spooled: true }),
    ...tracedBy(message.traceparent),
  }
}

type End = Pick<Message, 'at' | 'reply_to' | 'outcome' | 'reply_id' | 'latency_ms' | 's9'>

function viewEnd(entry: Entry, ending: More | undefined): End {
  const { replyTo } = messageOf(entry)
  return { at: entry.at, reply_to: replyTo === null ? null : String(replyTo), ...ending }
}
