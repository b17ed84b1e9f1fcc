import type { Event } from '../../contract/topics/events.js'
import type { Message } from '../../contract/topics/messages.js'
import { shownName } from '../equipment/shown-name.js'
import { messageSml, messageSummary } from '../messages/message-output.js'
import type { FormatTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'

const text = (value: unknown): string => String(value ?? '')

/** The content of an event besides its name, in a line. */
export function eventSummary(event: Event): string {
  const { type, name, data } = event
  switch (type) {
    case 'connection':
    case 'state': {
      const before = data['to'] === undefined ? '' : `${text(data['from'])} -> `
      return objectOf(event) + before + gistOf(event)
    }
    case 'alarm': {
      const parts = [`ALID ${text(data['alid'])}`, text(data['text']), text(data['comment'])]
      return parts.filter(Boolean).join(' ')
    }
    case 'message':
      if (name === 'message_ended') return `${text(data['message_id'])} ${text(data['outcome'])}`
      return messageSummary(data as unknown as Message)
    case 'gateway':
      return text(data['user'])
  }
}

/** The same in fewer words: of a change the state that was reached, and why. */
export function eventGist(event: Event): string {
  const { type } = event
  return type === 'connection' || type === 'state' ? objectOf(event) + gistOf(event) : eventSummary(event)
}

const gistOf = ({ data }: Event): string => {
  // Of event reports, why it failed; a connection has an object with more.
  const error = typeof data['error'] === 'string' ? data['error'] : ''
  return [text(data['to']), text(data['cause']), error].filter(Boolean).join(': ')
}

/** Of an object of the equipment: which one, and which of its states. */
const objectOf = ({ data }: Event): string =>
  data['object_id'] === undefined ? '' : `${text(data['object_id'])} ${text(data['state'])}: `

/**
 * Columns of an event list. `nameOf` gives an equipment's name by its id. On a terminal the type is left out, since the
 * name implies it, and the last column has the room that is left.
 */
export const eventColumns = (
  nameOf: (id: string) => string,
  formatTime: FormatTime,
  isTerminal: boolean,
): readonly Column<Event>[] => [
  { title: 'ID', text: ({ id }) => id },
  { title: 'AT', text: ({ at }) => formatTime(at), key: ({ at }) => at },
  ...(isTerminal ? [] : [{ title: 'TYPE', text: ({ type }: Event) => type }]),
  { title: 'EQUIPMENT', text: (row) => shownName(nameOf, row) },
  { title: 'EVENT', text: ({ name }) => name },
  isTerminal ? { title: 'WHAT', text: eventGist, wraps: true } : { title: 'WHAT', text: eventSummary },
]

/** True for a message that was sent or received. */
export const hasSml = ({ data }: Event): boolean => data['sml'] !== undefined

/** The SML of a message event as it is printed in a stream, with a comment line that names the equipment. */
export function eventSml(event: Event, equipment: string): string | undefined {
  if (!hasSml(event)) return undefined
  const message = event.data as unknown as Message
  return `/* ${event.at} ${equipment} ${message.direction === 'sent' ? 'H->E' : 'H<-E'} */\n${messageSml(message)}`
}
