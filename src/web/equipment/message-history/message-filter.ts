import type { Event } from '../../../contract/topics/events.js'
import type { Message, Outcome } from '../../../contract/topics/messages.js'

export const DIRECTIONS = ['all', 'sent', 'received'] as const
/** Of tapped equipment: whoever sends. */
export const SENDERS = ['all', 'host', 'equipment', 'gateway'] as const
export type Direction = (typeof DIRECTIONS | typeof SENDERS)[number]

const isSender = (direction: Direction): direction is Exclude<(typeof SENDERS)[number], 'all'> =>
  direction === 'host' || direction === 'equipment' || direction === 'gateway'

/** Results of a transaction that are errors. */
const ERRORS: readonly Outcome[] = ['timed_out', 'aborted', 'rejected', 'error', 'lost', 'not_sent']

/** Which messages are shown, as the address says it. */
export interface MessageFilter {
  /** As it was typed, such as `S6F11` or `S6`. */
  readonly message: string
  readonly direction: Direction
  /** Times in milliseconds since 1970. */
  readonly after: number | undefined
  readonly before: number | undefined
  readonly onlyErrors: boolean
  /** The SML of all messages is open. */
  readonly showsSml: boolean
  /** The messages are drawn as a ladder diagram. */
  readonly isLadder: boolean
  /** Something narrows the messages. */
  readonly isSet: boolean
  /** `message` is no message and no stream. */
  readonly isBad: boolean
  /** Another one is about other messages. */
  readonly key: string
}

const MESSAGE = /^S(\d{1,3})(?:F(\d{1,3}))?$/i
const [MAX_STREAM, MAX_FUNCTION] = [127, 255]

/** Stream and function of a text such as `S6F11` or `S6`; undefined for any other text. */
export function streamFunction(
  text: string,
): { readonly stream: number; readonly function?: number } | undefined {
  const [, stream, fn] = MESSAGE.exec(text.replace(/\s+/g, '')) ?? []
  if (stream === undefined || Number(stream) > MAX_STREAM || Number(fn ?? 0) > MAX_FUNCTION) return undefined
  return { stream: Number(stream), ...(fn !== undefined && { function: Number(fn) }) }
}

export function filterOf(query: URLSearchParams): MessageFilter {
  const time = (name: string): number | undefined => {
    const at = Date.parse(query.get(name) ?? '')
    return Number.isNaN(at) ? undefined : at
  }
  const message = query.get('message') ?? ''
  const direction = [...DIRECTIONS, ...SENDERS].find((known) => known === query.get('direction')) ?? 'all'
  const [after, before, onlyErrors] = [time('after'), time('before'), query.get('errors') === '1']
  return {
    message,
    direction,
    after,
    before,
    onlyErrors,
    showsSml: query.get('sml') === '1',
    isLadder: query.get('ladder') === '1',
    isSet: message !== '' || direction !== 'all' || after !== undefined || before !== undefined || onlyErrors,
    isBad: message !== '' && streamFunction(message) === undefined,
    key: [message, direction, after, before, onlyErrors].join(' '),
  }
}

/** The query of `GET /messages` for a filter. */
export const queryOf = ({ message, direction, after, before, onlyErrors }: MessageFilter) => ({
  ...streamFunction(message),
  ...(isSender(direction) ? { from_side: direction } : direction !== 'all' && { direction }),
  ...(after !== undefined && { from: new Date(after).toISOString() }),
  ...(before !== undefined && { to: new Date(before).toISOString() }),
  ...(onlyErrors && { outcome: [...ERRORS] }),
})

/** A recorded message as the event that recorded it. */
export const eventOf = (message: Message): Event => ({
  id: message.id,
  type: 'message',
  name: message.direction === 'sent' ? 'message_sent' : 'message_received',
  equipment_id: message.equipment_id,
  equipment_name: message.equipment_name,
  at: message.at,
  data: message as unknown as Event['data'],
})
