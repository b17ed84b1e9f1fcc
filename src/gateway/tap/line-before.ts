import { GATEWAY_STOPS } from '../../contract/state-changes.js'
import { CONTROL_STATE_CODES, type ControlState } from '../../gem/control-states.js'
import { instantText } from '../../kit/time-text.js'
import type { Entry, Kind } from '../../store/entry.js'
import { NUMBERS_LEFT_OUT } from '../../store/gap.js'
import type { Journal } from '../../store/journal.js'
import { MESSAGES, TAP_GAP } from '../records/journal-kinds.js'
import { messageOf, type RecordedMessage } from '../records/recorded-message.js'

/** How a line stands that began before the gateway looked, as the record says. */
export interface LineBefore {
  readonly isCommunicating: boolean
  /** Undefined where it was not known, or messages are missing since it was: a gap, or all after a backup that was restored. */
  readonly control: Exclude<ControlState, 'UNKNOWN'> | undefined
  /** The last message of the equipment with its model. */
  readonly model: RecordedMessage | undefined
  /** That of the last message. */
  readonly deviceId: number | undefined
}

const COMMUNICATION: Kind = { type: 'state', name: 'communication_state' }
const CONTROL: Kind = { type: 'state', name: 'control_state' }
/** Messages of the equipment with its model. */
const MODEL: ReadonlySet<string> = new Set(['S1F2', 'S1F13', 'S1F14'])

/** Whether a state became so on the line, and not since the gateway has stopped or started. */
const isOfLine = ({ data }: Entry): boolean => data['cause'] !== GATEWAY_STOPS && data['from'] !== 'DISABLED'

/** `since`: when the line began, in milliseconds since 1970. */
export async function lineBefore(journal: Journal, key: string, since: number): Promise<LineBefore> {
  const newest = async (query: object, where?: (entry: Entry) => boolean): Promise<Entry | undefined> => {
    const limits = { key, from: instantText(since), order: 'desc', limit: 1 } as const
    const [entry] = await journal.query({ ...limits, ...query, ...(where && { where }) })
    return entry
  }
  const [communication, control, model, last] = await Promise.all([
    newest({ kinds: [COMMUNICATION] }, isOfLine),
    newest({ kinds: [CONTROL, TAP_GAP] }, isOfLine),
    newest({ kinds: MESSAGES, topics: MODEL }, (entry) => messageOf(entry).direction === 'received'),
    newest({ kinds: MESSAGES }),
  ])
  return {
    isCommunicating: communication?.data['to'] === 'COMMUNICATING',
    control: control && journal.last - control.seq < NUMBERS_LEFT_OUT ? controlIn(control) : undefined,
    model: model && messageOf(model),
    deviceId: last && messageOf(last).sessionId,
  }
}

function controlIn({ data }: Entry): LineBefore['control'] {
  const states = Object.keys(CONTROL_STATE_CODES) as (keyof typeof CONTROL_STATE_CODES)[]
  return states.find((state) => state === data['to'])
}
