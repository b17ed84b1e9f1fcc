import type { Event } from '../../contract/topics/events.js'
import type { Message } from '../../contract/topics/messages.js'
import type { CsvColumn } from '../parts/csv.js'
import { texts } from '../texts.js'

const words = texts.events

interface Data extends Omit<Partial<Message>, 'from' | 'to'> {
  readonly from?: string | null
  readonly to?: string
  readonly object_id?: string
  readonly state?: string
  readonly cause?: string
  readonly detail?: string
  readonly error?: unknown
  readonly alid?: string
  readonly text?: string
  readonly comment?: string | null
  readonly acknowledged_by?: string
  readonly shelved_by?: string
  readonly unshelved_by?: string | null
  readonly reason?: string
  readonly user?: string
}

const joined = (...parts: readonly (string | null | undefined | false)[]): string =>
  parts.filter(Boolean).join(' · ')

/** An event as a row of a file. */
export const EVENT_CSV: readonly CsvColumn<Event>[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['equipment', ({ equipment_name, equipment_id }) => equipment_name ?? equipment_id],
  ['type', ({ type }) => type],
  ['name', ({ name }) => name],
  ['title', (event) => eventWords(event).title],
  ['detail', (event) => eventWords(event).detail],
  ['sml', ({ data }) => (data as Data).sml],
]

/** Of a message between tapped equipment and its own host: `Host → Equipment`. */
function wayOf({ from, to = '' }: Data): string | undefined {
  if (from !== 'host' && to !== 'host') return undefined
  return `${words.sides[from ?? '']} → ${words.sides[to]}`
}

/** What happened, in a few words. */
export function eventWords({ type, name, data }: Event): { readonly title: string; readonly detail: string } {
  const said = data as Data
  const title = words.names[name] ?? name
  switch (type) {
    case 'connection':
    case 'state':
      return {
        title,
        detail: joined(
          said.object_id !== undefined && `${said.object_id} ${said.state}`,
          said.to !== undefined && (said.from == null ? said.to : `${said.from} → ${said.to}`),
          said.cause,
          said.detail,
          // Of a connection it is an object.
          typeof said.error === 'string' && said.error,
        ),
      }
    case 'alarm':
      return {
        title,
        detail: joined(
          said.text,
          said.alid && texts.alarms.alid(said.alid),
          said.acknowledged_by,
          said.comment,
          said.shelved_by ?? said.unshelved_by,
          said.reason,
        ),
      }
    case 'message':
      // In a message, `name` is that of the standard.
      return {
        title: joined(wayOf(said) ?? title, typeof said.name === 'string' && said.name),
        detail: joined(
          said.collection_event?.name ?? said.collection_event?.ceid,
          // A message that has just come says nothing yet of its end.
          said.outcome !== 'pending' && said.outcome,
          said.sent_by,
        ),
      }
    case 'gateway':
      return { title, detail: joined(said.user) }
  }
}

/** The event in full: a message as SML, everything else as JSON. */
export function eventText({ data }: Event): string {
  const { sml } = data as Data
  return typeof sml === 'string' ? sml : JSON.stringify(data, null, 2)
}
