import type { Message } from '../contract/topics/messages.js'
import { messageValues } from './message-values.js'

/** What a ladder diagram takes from a recorded message. */
export type LadderMessage = Pick<
  Message,
  | 'id'
  | 'direction'
  | 'stream'
  | 'function'
  | 'name'
  | 'w_bit'
  | 'at'
  | 'outcome'
  | 'reply_id'
  | 'latency_ms'
  | 'data'
  | 'collection_event'
  | 'decode_error'
> &
  Partial<Pick<Message, 'sml' | 'raw' | 'from' | 'to'>> & {
    /** What stands at the arrow in place of stream and function, such as `Linktest.req`. */
    readonly label?: string
  }

/** Messages of tapped equipment have three sides: its own host, the gateway, and the equipment. */
export const haveOtherHost = (messages: readonly LadderMessage[]): boolean =>
  messages.some(({ from, to }) => from === 'host' || to === 'host')

const isOfGateway = ({ from, to }: LadderMessage): boolean => from === 'gateway' || to === 'gateway'

/** A message, as an arrow between the host and the equipment. */
export interface Arrow {
  readonly kind: 'message'
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** From the host to the equipment. */
  readonly isSent: boolean
  /** Between the gateway and the equipment; of tapped equipment, others are between its own host and the equipment. */
  readonly isOfGateway: boolean
  /** Such as `S1F13 W`. */
  readonly label: string
  /** Its values, else its name; may be empty. */
  readonly detail: string
  /** Of a reply: milliseconds since its primary. */
  readonly latency: number | undefined
  /** SxF0, stream 9, and a body that is not valid SECS-II. */
  readonly isFailure: boolean
}

/** The end of a transaction for which no message was recorded, at the side of its primary. */
export interface End {
  readonly kind: 'end'
  /** Of the primary. */
  readonly id: string
  readonly at: number
  readonly isSent: boolean
  readonly isOfGateway: boolean
  readonly text: string
}

/** A time without messages that is not drawn to scale. */
export interface Pause {
  readonly kind: 'pause'
  /** When it ends. */
  readonly at: number
  readonly milliseconds: number
}

export type Rung = Arrow | End | Pause

/** The shortest pause that is shown, in milliseconds. */
const MIN_PAUSE_MS = 5000
/** Items of a body that are named in an arrow. */
const MAX_ITEMS = 3

/** Outcomes that no message shows. */
const ENDS: Readonly<Partial<Record<string, string>>> = {
  timed_out: 'no reply: the reply timeout expired',
  lost: 'no reply: the link was lost',
  rejected: 'refused by Reject.req',
  not_sent: 'not sent',
}

/** The rungs of a ladder diagram, oldest first. `messages`: of one equipment, in any order. */
export function rungsOf(messages: readonly LadderMessage[]): Rung[] {
  const latencies = new Map(messages.map(({ reply_id, latency_ms }) => [reply_id, latency_ms]))
  const found = messages
    .flatMap((message) => [arrowOf(message, latencies.get(message.id)), ...endOf(message)])
    .sort((one, other) => one.at - other.at || order(one.id, other.id))
  return found.flatMap((rung, at) => {
    const milliseconds = rung.at - (found[at - 1]?.at ?? rung.at)
    return milliseconds < MIN_PAUSE_MS
      ? [rung]
      : [{ kind: 'pause' as const, at: rung.at, milliseconds }, rung]
  })
}

/** Ids are numbers of the journal: the longer one is later. */
const order = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : one > other ? 1 : 0)

function arrowOf(message: LadderMessage, latency: number | undefined): Arrow {
  const { id, at, direction, stream, function: fn, decode_error } = message
  return {
    kind: 'message',
    id,
    at: Date.parse(at),
    isSent: direction === 'sent',
    isOfGateway: isOfGateway(message),
    label: labelOf(message),
    detail: detailOf(message),
    latency,
    isFailure: stream === 9 || fn === 0 || decode_error !== undefined,
  }
}

/** Such as `S1F13 W`. */
export const labelOf = ({ label, stream, function: fn, w_bit }: LadderMessage): string =>
  label ?? `S${stream}F${fn}${w_bit ? ' W' : ''}`

function detailOf(message: LadderMessage): string {
  if (message.decode_error !== undefined) return `not valid SECS-II: ${message.decode_error}`
  // The header in its body is for the page of the message.
  const items =
    message.stream === 9
      ? []
      : Object.entries(message.data ?? {}).filter(([, value]) => typeof value !== 'object')
  const shown = items.slice(0, MAX_ITEMS).map(([name, value]) => `${name}=${value}`)
  const { name, stream, function: fn } = message
  return messageValues(message) ?? (shown.join(' ') || name.replace(`S${stream}F${fn}`, '').trim())
}

function endOf(message: LadderMessage): End[] {
  const { id, at, direction, outcome, latency_ms = 0 } = message
  const text = outcome && ENDS[outcome]
  if (text === undefined) return []
  return [
    {
      kind: 'end',
      id,
      at: Date.parse(at) + latency_ms,
      isSent: direction === 'sent',
      isOfGateway: isOfGateway(message),
      text,
    },
  ]
}

const two = (value: number, digits = 2): string => String(value).padStart(digits, '0')

/** The local date, such as `2026-03-01`. */
function dateOf(at: number): string {
  const time = new Date(at)
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

/** For each rung its date where it is another one than before, else the empty text. A pause has none. */
export function newDates(rungs: readonly Rung[]): string[] {
  let date = ''
  return rungs.map(({ kind, at }) => {
    if (kind === 'pause' || dateOf(at) === date) return ''
    date = dateOf(at)
    return date
  })
}

/** The local time to the millisecond, such as `10:00:00.123`. */
export function timeOf(at: number): string {
  const time = new Date(at)
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => two(part)).join(':')
  return `${clock}.${two(time.getMilliseconds(), 3)}`
}
