import type { Event } from '../../contract/topics/events.js'
import type { Message } from '../../contract/topics/messages.js'
import type { Expectation } from '../file/schema.js'
import { firstMismatch, isEqual } from './matchers.js'
import { unlike } from './message-pattern.js'

/** The values of an event by name, for `where` and `capture`. */
export function valuesOf({ type, data }: Pick<Event, 'type' | 'data'>): Readonly<Record<string, unknown>> {
  if (type === 'alarm') return { ...data, ALID: data['alid'], ALTX: data['text'], ALCD: data['category'] }
  if (type !== 'message') return data
  const { data: items, collection_event: reported } = data as Partial<Message>
  const values = reported?.reports.flatMap((report) => report.values) ?? []
  const named = values.flatMap(({ vid, name, value }) =>
    [vid, name].flatMap((label) => (label === null ? [] : [[label, value] as const])),
  )
  return Object.fromEntries([...Object.entries(items ?? {}), ...named])
}

const ALARMS = { alarm: 'alarm_set', cleared: 'alarm_cleared' } as const

/** Whether an event is the one that is meant, whatever its values are. */
export function isAbout({ name, type, data }: Event, expected: Expectation): boolean {
  const message = data as Partial<Message>
  const isReceived = name === 'message_received'
  const { event, state } = expected
  if (event !== undefined) return isReceived && isCollectionEvent(message, event)
  if (expected.message !== undefined) return isReceived && isMessage(message, expected.message)
  if (state !== undefined) return (type === 'state' || type === 'connection') && data['to'] === state
  return (['alarm', 'cleared'] as const).some(
    (kind) =>
      expected[kind] !== undefined && name === ALARMS[kind] && isEqual(data['alid'], String(expected[kind])),
  )
}

/** Whether a message reports a collection event: CEID, or name in any case. */
export const isCollectionEvent = ({ collection_event: found }: Partial<Message>, event: unknown): boolean =>
  !!found && (found.ceid === String(event) || found.name?.toLowerCase() === String(event).toLowerCase())

/** `S6F11`, or a stream such as `S6`. */
export const isMessage = ({ stream, function: fn }: Partial<Message>, text: string): boolean =>
  text === `S${stream}` || text === `S${stream}F${fn}`

/** Whether an event is something that the equipment did, and not the gateway. */
export const isFromEquipment = ({ name, type }: Event): boolean =>
  name === 'message_received' || (type === 'alarm' && name !== 'alarm_acknowledged') || type === 'state'

/** What does not fit in the values of an event that is meant. */
export const wrongIn = (event: Event, { where, like }: Expectation): string | undefined =>
  firstMismatch(valuesOf(event), where) ??
  (like === undefined ? undefined : unlike(event.data as Partial<Message>, like))

/** What is expected, in words: `event ProcessStarted`. */
export function expectationWords({ within, where, like, capture, ...kind }: Expectation): string {
  const [[name, value] = ['nothing', '']] = Object.entries(kind)
  const values = Object.keys(where ?? {})
  return `${name} ${value}${values.length === 0 ? '' : ` with ${values.join(', ')}`}`
}

/** An event in a few words, for a list of what came. */
export function eventWords({ name, type, data }: Event): string {
  const { stream, function: fn, collection_event: reported } = data as Partial<Message>
  if (type === 'message') {
    const event = reported ? ` (event ${reported.name ?? reported.ceid})` : ''
    return `S${stream}F${fn}${event}`
  }
  if (type === 'alarm') return `${name} ${String(data['alid'])}`
  return `${name} ${String(data['to'])}`
}
