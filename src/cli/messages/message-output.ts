import type { Message } from '../../contract/topics/messages.js'
import { argumentWord } from '../../kit/shell-word.js'
import { messageValues } from '../../ladder/message-values.js'
import { shownName } from '../equipment/shown-name.js'
import type { FormatTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'

/** Whether it passed between tapped equipment and its own host. */
const isWithHost = ({ from, to }: Pick<Message, 'from' | 'to'>): boolean => from === 'host' || to === 'host'

/**
 * A message in a word or two, with its way: `-> S1F13 W Establish Communications Request`, or `host -> S1F13 W …` where
 * the other host of tapped equipment has sent it.
 */
export function messageLabel({ direction, name, w_bit, may_be_spooled, ...message }: Message): string {
  const short = `S${message.stream}F${message.function}`
  const rest = name.startsWith(`${short} `) ? name.slice(short.length + 1) : ''
  const marks = [w_bit ? 'W' : '', may_be_spooled ? 'spooled?' : '']
  const way = [isWithHost(message) ? 'host' : '', direction === 'sent' ? '->' : '<-']
  return [...way, short, ...marks, rest].filter(Boolean).join(' ')
}

/** As `messageLabel`, with its values in place of its name where it has some: `<- S6F11 W CEID 3010 Started`. */
export function messageSummary(message: Message): string {
  const values = messageValues(message)
  const name = values === undefined ? message.name : `S${message.stream}F${message.function} ${values}`
  return messageLabel({ ...message, name })
}

/** Such as `sent`, or `host to equipment`. */
const wayText = (message: Message): string =>
  isWithHost(message) ? `${message.from} to ${message.to}` : message.direction

export const messageColumns = (
  nameOf: (id: string) => string,
  formatTime: FormatTime,
): readonly Column<Message>[] => [
  { title: 'ID', text: ({ id }) => id },
  { title: 'AT', text: ({ at }) => formatTime(at), key: ({ at }) => at },
  { title: 'EQUIPMENT', text: (row) => shownName(nameOf, row) },
  { title: 'WAY', text: wayText },
  { title: 'MESSAGE', text: ({ name }) => name },
  { title: 'W', text: ({ w_bit }) => (w_bit ? 'W' : ''), spare: 'narrow' },
  { title: 'OUTCOME', text: ({ outcome }) => outcome ?? '', spare: 'narrow' },
  {
    title: 'MS',
    text: ({ latency_ms }) => (latency_ms === undefined ? '' : String(Math.round(latency_ms))),
    spare: 'narrow',
  },
]

/** A message as SML; one whose body is not valid SECS-II is a comment with its bytes. */
export function messageSml(message: Pick<Message, 'sml' | 'raw' | 'stream' | 'function' | 'w_bit'>): string {
  const { sml, raw = '', stream, function: fn, w_bit } = message
  return sml ?? `/* S${stream}F${fn}${w_bit ? ' W' : ''} is not valid SECS-II: ${raw} */`
}

function systemBytesText({ system_bytes: own, equipment_system_bytes: mapped }: Message): string {
  return mapped === undefined ? String(own) : `${own}, at the equipment ${mapped}`
}

/** Such as `S1F3 W to device ID 0, system bytes 17: message 41`. */
function headerText(about: NonNullable<Message['about']>): string {
  const { stream, function: fn, w_bit, device_id, session_id, system_bytes, message_id } = about
  const device = device_id === null ? `session ID ${session_id}` : `device ID ${device_id}`
  const found = message_id === null ? 'not found in the journal' : `message ${message_id}`
  return `S${stream}F${fn}${w_bit ? ' W' : ''}, ${device}, system bytes ${system_bytes}: ${found}`
}

/**
 * Some libraries refuse a primary without W-bit as illegal data (S9F7): the line that sends it with one. Of that S9F7, and
 * of the primary.
 */
function wBitHint(message: Message, equipment: string): string | undefined {
  const { stream, function: fn, about, s9, direction } = message
  const refused =
    stream === 9 && fn === 7 ? about : s9 === 'S9F7' && direction === 'sent' ? message : undefined
  if (refused === undefined || refused.w_bit || refused.function % 2 === 0) return undefined
  const sml = `'S${refused.stream}F${refused.function} W <...>.'`
  return `it was sent without W-bit, and the equipment may want it: secsctl send ${argumentWord(equipment)} ${sml}`
}

const SPOOLED = 'perhaps: it came while the equipment was sending its spool'

/** Why values of reports have no names. */
const unnamed = ({ collection_event: event }: Message): readonly string[] =>
  (event?.reports ?? []).flatMap(({ detail }) => detail ?? [])

/** All that is recorded of a message, for a person; its SML follows below. */
export function messageFields(
  message: Message,
  equipment: string,
  formatTime: FormatTime,
): (readonly [string, string])[] {
  const {
    may_be_spooled,
    sent_by,
    traceparent,
    reply_to,
    reply_id,
    outcome,
    latency_ms,
    s9,
    about,
    decode_error,
    raw,
  } = message
  const hint = wBitHint(message, equipment)
  return [
    ['id', message.id],
    ['message', messageLabel(message)],
    ['equipment', equipment],
    ['at', formatTime(message.at)],
    ...(sent_by ? [['sent by', sent_by] as const] : []),
    ...(traceparent === undefined ? [] : [['trace', traceparent] as const]),
    ['session id', String(message.session_id)],
    ['system bytes', systemBytesText(message)],
    ...(may_be_spooled ? [['spooled', SPOOLED] as const] : []),
    ...(reply_to === null ? [] : [['reply to', reply_to] as const]),
    ...(outcome === undefined ? [] : [['outcome', outcome] as const]),
    ...(reply_id === undefined ? [] : [['reply', reply_id] as const]),
    ...(latency_ms === undefined ? [] : [['latency', `${latency_ms} ms`] as const]),
    ...(s9 === undefined ? [] : [['ended by', s9] as const]),
    ...(about === undefined ? [] : [['about', headerText(about)] as const]),
    ...unnamed(message).map((detail) => ['reports', detail] as const),
    ...(hint === undefined ? [] : [['hint', hint] as const]),
    ...(decode_error === undefined ? [] : [['not valid', decode_error] as const]),
    ...(raw === undefined ? [] : [['raw', raw] as const]),
  ]
}
