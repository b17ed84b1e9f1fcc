import type { Event } from '../contract/events.js'
import type { Message } from '../contract/messages.js'
import type { TellTime } from './local-time.js'
import { messageSml, messageSummary } from './message-output.js'
import type { Column } from './output.js'

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/** What an event says beside its name, in a line. */
export function eventSummary({ type, name, data }: Event): string {
  switch (type) {
    case 'connection':
    case 'state': {
      const change = data['to'] === undefined ? '' : `${text(data['from'])} -> ${text(data['to'])}`
      return [change, text(data['cause'])].filter(Boolean).join(': ')
    }
    case 'alarm':
      return [`ALID ${text(data['alid'])}`, text(data['text']), text(data['comment'])]
        .filter(Boolean)
        .join(' ')
    case 'message':
      if (name === 'message_ended') return `${text(data['message_id'])} ${text(data['outcome'])}`
      return messageSummary(data as unknown as Message)
  }
}

/** Columns of an event list. `nameOf` tells an equipment's name by its id. */
export const eventColumns = (
  nameOf: (id: string) => string,
  tellTime: TellTime,
): readonly Column<Event>[] => [
  { title: 'ID', text: ({ id }) => id },
  { title: 'AT', text: ({ at }) => tellTime(at) },
  { title: 'TYPE', text: ({ type }) => type },
  { title: 'EQUIPMENT', text: ({ equipment_id }) => nameOf(equipment_id) },
  { title: 'EVENT', text: ({ name }) => name },
  { title: 'WHAT', text: eventSummary },
]

/** True for a message that was sent or received. */
export const hasSml = ({ data }: Event): boolean => typeof data['sml'] === 'string'

/** The SML of a message event as it is printed in a stream, with a comment line that says whose it is. */
export function eventSml({ data, at }: Event, equipment: string): string | undefined {
  const { sml, direction, raw } = data as Partial<Message>
  if (sml === undefined) return undefined
  return `/* ${at} ${equipment} ${direction === 'sent' ? 'H->E' : 'H<-E'} */\n${messageSml({ sml, ...(raw !== undefined && { raw }) })}`
}
