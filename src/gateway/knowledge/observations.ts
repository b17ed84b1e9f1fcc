import type { Content, KnownMessage, MessageFrom } from '../../catalogue/known-message.js'
import type { NamedValues } from '../../catalogue/values/read.js'
import { textsIn, unpadded } from '../../gem/content.js'
import { ALARMS_BY_LIST } from '../../gem/host/host-startup.js'
import type { Reading } from '../records/reading.js'
import type { RecordedMessage } from '../records/recorded-message.js'
import type { DefinitionOrigin } from './definition-origins.js'
import type { Namelist } from './equipment-knowledge.js'
import type { KnownEquipment } from './known-equipment.js'
import type { Observation } from './observation.js'
import { PRESENCE } from './unsupported-messages.js'

/** A reply of the equipment, or its S1F13. */
export interface Reply {
  readonly message: RecordedMessage
  /** The observation that the primary stands for. */
  readonly asked: Observation | undefined
  /** Its sequence number. */
  readonly seq: number
  readonly reading: Reading
  /** What it says, where that was read in advance: null where its body does not fit. */
  readonly content?: NamedValues | null
}

/** The observation of a primary of ours; undefined when it asks for a part of a list, or cannot be read. */
export const observationIn = (message: RecordedMessage, reading: Reading): Observation | undefined =>
  message.fault === undefined ? FROM_HOST[message.topic]?.(message, reading) : undefined

/** Adds the content of a message of the equipment to the knowledge. */
export const observe = (known: KnownEquipment, reply: Reply): void =>
  FROM_EQUIPMENT[reply.message.topic]?.(known, reply)

/** The message of which the end of the transaction shows whether the equipment supports it. */
export function questionOf(observation: Observation): string | undefined {
  switch (observation.kind) {
    case 'list':
      return observation.byList ? ALARMS_BY_LIST : observation.list
    case 'report':
      return 'S6F21'
    case 'question':
      return observation.message
    default:
      return undefined
  }
}

const FROM_HOST: Readonly<
  Record<string, (message: RecordedMessage, reading: Reading) => Observation | undefined>
> = {
  S1F11: (message, reading) => whole('S1F11', message, message.content('S1F11', 'host', reading)?.SVID),
  S1F21: (message, reading) => whole('S1F21', message, message.content('S1F21', 'host', reading)?.VID),
  S1F23: (message, reading) => whole('S1F23', message, message.content('S1F23', 'host', reading)?.CEID),
  S2F29: (message, reading) => whole('S2F29', message, message.content('S2F29', 'host', reading)?.ECID),
  S5F5: (message, reading) => {
    const observation = whole('S5F5', message, message.content('S5F5', 'host', reading)?.ALID)
    return observation && message.item?.format === 'L' ? { ...observation, byList: true } : observation
  },
  S6F21: (message, reading) => {
    const data = message.content('S6F21', 'host', reading)
    return data ? { kind: 'report', report: String(data.RPTID) } : undefined
  },
  [PRESENCE]: () => ({ kind: 'question', message: PRESENCE }),
  S5F7: () => ({ kind: 'question', message: 'S5F7' }),
  S6F23: () => ({ kind: 'question', message: 'S6F23' }),
  S2F59: () => ({ kind: 'question', message: 'S2F59' }),
  S2F33: (message, reading) => {
    const rows = message.content('S2F33', 'host', reading)?.REPORTS
    return rows && { kind: 'define', reports: rows.map(({ RPTID, VID }) => [String(RPTID), textsIn(VID)]) }
  },
  S2F35: (message, reading) => {
    const rows = message.content('S2F35', 'host', reading)?.EVENTS
    return rows && { kind: 'link', events: rows.map(({ CEID, RPTID }) => [String(CEID), textsIn(RPTID)]) }
  },
  S2F37: (message, reading) => {
    const data = message.content('S2F37', 'host', reading)
    return data ? { kind: 'enable', enabled: data.CEED === 'true', events: textsIn(data.CEID) } : undefined
  },
}

/** By message. Each takes the names as they are sent; an equipment sends no name for an identifier that it lacks. */
const FROM_EQUIPMENT: Readonly<Record<string, (known: KnownEquipment, reply: Reply) => void>> = {
  S1F13: (known, reply) => begin(known, ofEquipment('S1F13', reply), reply.seq),
  S1F14: (known, reply) => begin(known, ofEquipment('S1F14', reply), reply.seq),
  S1F12: (known, reply) => {
    const rows = ofEquipment('S1F12', reply)?.ROWS.map(({ SVID, SVNAME, UNITS }) => {
      return [String(SVID), { name: unpadded(SVNAME), unit: unpadded(UNITS), kind: 'status' }] as const
    })
    if (rows) known.learnVariables('status', rows, isWhole(reply))
  },
  S1F22: (known, reply) => {
    const rows = ofEquipment('S1F22', reply)?.ROWS.map(({ VID, DVVALNAME, UNITS }) => {
      return [String(VID), { name: unpadded(DVVALNAME), unit: unpadded(UNITS), kind: 'data' }] as const
    })
    if (rows) known.learnVariables('data', rows, isWhole(reply))
  },
  S1F24: (known, reply) => {
    const rows = ofEquipment('S1F24', reply)?.ROWS.map(({ CEID, CENAME, VID }) => {
      return [String(CEID), { name: unpadded(CENAME), variables: textsIn(VID) }] as const
    })
    if (rows) known.learnEvents(rows, isWhole(reply))
  },
  S2F30: (known, reply) => {
    const rows = ofEquipment('S2F30', reply)?.ROWS.map(
      ({ ECID, ECNAME, ECMIN, ECMAX, ECDEF, UNITS: unit }) => {
        const bounds = { minimum: String(ECMIN), maximum: String(ECMAX), default: String(ECDEF) }
        return [String(ECID), { name: unpadded(ECNAME), unit: unpadded(unit), ...bounds }] as const
      },
    )
    if (rows) known.learnConstants(rows, isWhole(reply))
  },
  S5F6: (known, reply) => {
    const rows = ofEquipment('S5F6', reply)?.ROWS.map(({ ALCD, ALID, ALTX }) => {
      return [String(ALID), { text: unpadded(ALTX), category: Number(ALCD) & CATEGORY_BITS }] as const
    })
    if (rows) known.learnAlarms(rows, isWhole(reply))
  },
  // Their lists are not kept; the reply shows only that the equipment supports the question.
  S5F8: () => {},
  S6F24: () => {},
  S2F60: () => {},
  S6F22: (known, reply) => {
    const values = ofEquipment('S6F22', reply)?.VALUES
    // None at all: it has no such report (SEMI E5).
    if (reply.asked?.kind !== 'report' || !values || values.length === 0) return
    known.learnReport(
      reply.asked.report,
      values.map(({ VID }) => String(VID)),
      reply.seq,
      originOf(reply),
    )
  },
  S2F34: (known, reply) => settle(known, 34, reply),
  S2F36: (known, reply) => settle(known, 36, reply),
  S2F38: (known, reply) => settle(known, 38, reply),
  S2F54: (known, reply) => {
    for (const { RPTID, VID } of ofEquipment('S2F54', reply)?.REPORTS ?? []) {
      known.learnReport(String(RPTID), textsIn(VID), reply.seq, originOf(reply))
    }
  },
  S2F56: (known, reply) => {
    for (const { CEID, RPTID } of ofEquipment('S2F56', reply)?.EVENTS ?? []) {
      known.learnLinks(String(CEID), textsIn(RPTID), originOf(reply))
    }
  },
  S2F58: (known, reply) => {
    const enabled = ofEquipment('S2F58', reply)?.CEID
    if (enabled) known.learnEnabled(textsIn(enabled))
  },
}

/** Topics (stream and function) of the messages that add to the knowledge. */
export const OBSERVED_TOPICS: ReadonlySet<string> = new Set([
  ...Object.keys(FROM_HOST),
  ...Object.keys(FROM_EQUIPMENT),
])

const CATEGORY_BITS = 0x7f

/** A reply to the host of tapped equipment shows what that host has defined. */
const originOf = ({ message }: Pick<Reply, 'message'>): DefinitionOrigin =>
  message.isWithHost ? 'line' : 'gateway'

const ofEquipment = <Name extends MessageFrom<'equipment'>>(
  name: Name & KnownMessage,
  { message, reading, content }: Reply,
): Content<Name, 'equipment'> | null =>
  content === undefined
    ? message.content(name, 'equipment', reading)
    : (content as unknown as Content<Name, 'equipment'> | null)

/** A request without identifiers, or without a body, asks for the whole list. */
const whole = (
  list: Namelist,
  { length }: RecordedMessage,
  ids: Parameters<typeof textsIn>[0],
): Extract<Observation, { kind: 'list' }> | undefined =>
  length === 0 || (ids !== undefined && textsIn(ids).length === 0) ? { kind: 'list', list } : undefined

const isWhole = ({ asked }: Reply): boolean => asked?.kind === 'list'

function begin(
  known: KnownEquipment,
  said: Partial<Content<'S1F14', 'equipment'>> | null,
  seq: number,
): void {
  known.begin(seq)
  const { MDLN, SOFTREV } = said ?? {}
  if (typeof MDLN === 'string' && typeof SOFTREV === 'string')
    known.meet({ mdln: MDLN, softrev: SOFTREV }, seq)
}

/** Handles an acknowledge code: only 0 means that the equipment carried out the request. */
function settle(known: KnownEquipment, fn: number, { message, asked, seq, reading }: Reply): void {
  if (!asked) return
  const code = reading.catalogue.acknowledgement(2, fn, message.item)?.code
  if (code === 0) known.accept(asked, seq, originOf({ message }))
  if (code === undefined) known.doubt(asked, seq)
}
