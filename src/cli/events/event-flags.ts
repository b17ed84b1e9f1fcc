import type { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import {
  EVENT_NAMES,
  EVENT_NAMES_OF,
  EVENT_TYPES,
  type Event,
  type EventType,
} from '../../contract/topics/events.js'
import type { Message } from '../../contract/topics/messages.js'
import { isCollectionEvent } from '../../scenario/run/expectation.js'
import { outputFlag } from '../base-command.js'
import { SELECTOR_FLAG } from '../equipment/label-flags.js'
import { wrongUsage } from '../errors/failure.js'
import { choiceFlag, choicesFlag, textFlag } from '../input/flags.js'
import { EQUIPMENT_FLAG } from '../input/list-flags.js'
import { messageFlag } from '../input/message-word.js'
import { hasSml } from './event-output.js'

/** What narrows the events that are listed, followed or waited for. */
export const EVENT_FLAGS = {
  equipment: EQUIPMENT_FLAG,
  selector: SELECTOR_FLAG,
  type: choicesFlag(EVENT_TYPES, 'Only of this type. May be repeated.'),
  output: outputFlag(['table', 'tsv', 'json', 'sml']),
}

/** What narrows the events that are followed or waited for further. A name that no event has would wait forever. */
export const WANTED_FLAGS = {
  name: choiceFlag(EVENT_NAMES, 'Only events of this name, such as alarm_set.', { helpValue: 'NAME' }),
  message: textFlag('SxFy', 'Only this SECS message (S6F11), or this stream (S6).', { parse: messageFlag }),
  'collection-event': textFlag('NAME', 'Only reports (S6F11) of this collection event, by its name or CEID.'),
}

export interface Wanted {
  /** Name of the gateway's event. */
  readonly name?: string | undefined
  /** Name or CEID of a collection event. */
  readonly 'collection-event'?: string | undefined
}

/** Which events are printed, beyond what the gateway filters. */
export function isWanted({ name, 'collection-event': wanted }: Wanted, format: string) {
  return (event: Event): boolean => {
    if (name !== undefined && event.name !== name) return false
    if (format === 'sml' && !hasSml(event)) return false
    if (wanted === undefined) return true
    return event.type === 'message' && isCollectionEvent(event.data as Partial<Message>, wanted)
  }
}

/** The message that is followed. Refuses flags that exclude each other: nothing would ever match. */
export function messageGiven({
  type: types,
  name,
  message,
  'collection-event': collectionEvent,
}: Wanted & {
  readonly type?: readonly EventType[] | undefined
  readonly message?: string | undefined
}): { readonly message?: string } {
  const flag =
    collectionEvent !== undefined ? '--collection-event' : message !== undefined ? '--message' : undefined
  if (flag !== undefined && types !== undefined && !types.includes('message'))
    throw wrongUsage(
      `${flag} selects events of the type message: with --type ${types.join(' and --type ')} none can match`,
    )
  const type = EVENT_TYPES.find((one) => name !== undefined && EVENT_NAMES_OF[one].includes(name))
  if (type !== undefined && types !== undefined && !types.includes(type))
    throw wrongUsage(
      `${name} is of the type ${type}: with --type ${types.join(' and --type ')} none can match`,
    )
  if (type !== undefined && type !== 'message' && flag !== undefined)
    throw wrongUsage(`${flag} selects events of the type message: ${name} is of the type ${type}`)
  return message === undefined ? {} : { message }
}

/** Refuses the name of a collection event that no equipment of `ids`, or of those selected, is known to have. */
export async function checkCollectionEvent(
  client: GatewayClient,
  wanted: string | undefined,
  ids: readonly string[] | undefined,
  selected: { readonly label_selector?: string },
): Promise<void> {
  if (wanted === undefined || /^\d+$/.test(wanted)) return
  const all =
    ids ?? (await client.call(endpoints.listEquipment, { query: selected })).items.map(({ id }) => id)
  for (const id of all) {
    const known = { params: { id }, query: { known: true } }
    const { items } = await client.call(endpoints.listCollectionEvents, known)
    if (items.some(({ name }) => name.toLowerCase() === wanted.toLowerCase())) return
  }
  throw wrongUsage(`no collection event is known by the name ${wanted}`, 'secsctl reports list')
}
