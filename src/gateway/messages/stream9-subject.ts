import type { Message } from '../../contract/topics/messages.js'
import { headerInStream9, STREAM9_FUNCTIONS, subjectOfStream9 } from '../../gem/message-header.js'
import type { Entry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import { MESSAGE_RECEIVED, MESSAGE_SENT } from '../records/journal-kinds.js'
import { topicOf } from '../records/message-topics.js'
import { messageOf } from '../records/recorded-message.js'

/** MHEAD: ten bytes, after an item header of at most four. */
const MAX_MHEAD_LENGTH = 14
/** So many of the last messages of its stream and function are compared: what is reported is seldom older than T3. */
const MOST_COMPARED = { limit: 200, bytes: 4 * 1024 * 1024 } as const
/** SECS-I: the R-bit of a block, before its device ID. HSMS has 65535 for no device. */
const R_BIT = 0x8000
const NO_DEVICE = 0xffff
/** The topics of messages about a fault. */
const STREAM9: ReadonlySet<string> = new Set(Object.values(STREAM9_FUNCTIONS).map((fn) => topicOf(9, fn)))

/** The message that a stream 9 message is about, with its id where it is recorded; undefined where it has no such header. */
export async function stream9Subject(
  entry: Entry,
  journal: Pick<Journal, 'query'>,
): Promise<Message['about']> {
  const report = messageOf(entry)
  const header = report.length > MAX_MHEAD_LENGTH ? undefined : headerInStream9(report)
  if (!header) return undefined
  const { sessionId, stream, function: fn, wait, systemBytes } = header
  // S9F9 is about a primary of its sender, the others about a message of the other side.
  const isOwn = report.function === STREAM9_FUNCTIONS.timed_out
  const before = await journal.query({
    kinds: [(report.direction === 'received') === isOwn ? MESSAGE_RECEIVED : MESSAGE_SENT],
    key: entry.key,
    topics: new Set([topicOf(stream, fn)]),
    before: entry.seq,
    order: 'desc',
    ...MOST_COMPARED,
  })
  const found = before.find((other) => messageOf(other).systemBytes === systemBytes)
  return {
    session_id: sessionId,
    device_id: sessionId === NO_DEVICE ? null : sessionId & ~R_BIT,
    stream,
    function: fn,
    w_bit: wait,
    system_bytes: systemBytes,
    message_id: found ? String(found.seq) : null,
  }
}

/**
 * The stream 9 message in which the equipment refused a primary without W-bit: such a primary has no transaction that it
 * could end. Undefined for other messages, and where there is none.
 */
export async function stream9About(
  entry: Entry,
  journal: Pick<Journal, 'query'>,
): Promise<Required<Pick<Message, 'reply_id' | 's9'>> | undefined> {
  const sent = messageOf(entry)
  if (sent.direction !== 'sent' || !sent.isPrimary || sent.wait) return undefined
  const reports = await journal.query({
    kinds: [MESSAGE_RECEIVED],
    key: entry.key,
    topics: STREAM9,
    after: entry.seq,
    order: 'asc',
    ...MOST_COMPARED,
  })
  const found = reports.find((report) => {
    const message = messageOf(report)
    const about = message.length > MAX_MHEAD_LENGTH ? undefined : subjectOfStream9(message)
    return about?.systemBytes === sent.systemBytes && about.stream === sent.stream
  })
  return found && { reply_id: String(found.seq), s9: messageOf(found).topic }
}
