import { readLeaf } from '../../catalogue/values/leaf.js'
import type { LeafReader } from '../../catalogue/values/read.js'
import type { ItemView } from '../../catalogue/view.js'
import type { Clock } from '../../kit/clock.js'
import type { Item } from '../../secs2/item.js'
import { hostReply, type ReplyRule, replyTable } from '../role.js'
import { formatTime } from '../time.js'
import type { EventReport } from './peer-names.js'

const ACCEPTED = { ACKC6: '0' } as const

/** GRANT6: may be sent. */
const GRANTED = '0'
/** PPGNT: will not be accepted. */
const NOT_WANTED = '5'
/** ACKC7: not permitted. */
const NOT_PERMITTED = '1'

/**
 * The host's answers to primaries of the equipment (SEMI E30, E5), once communicating. It acknowledges reports, which
 * are recorded by then. Requests for what it does not have, such as process programs, it refuses with the code of the
 * message. `onReport` is called with each event report. Beside these are `SHARED_HOST_REPLIES`.
 */
export const hostReplies = (clock: Clock, onReport: (report: EventReport) => void): readonly ReplyRule[] =>
  [
    hostReply('S2F17', () => ({ TIME: formatTime(clock.date()) })),
    hostReply('S6F11', takeReport(onReport)),
    hostReply('S6F13', takeReport(onReport)),
  ].map(ofBytes)

// A process program has megabytes, and its reply takes nothing from it.
const ofBytes = (rule: ReplyRule): ReplyRule =>
  Object.assign(rule, { leaf: laterText, isOfBytes: rule.body === undefined })

const takeReport =
  (onReport: (report: EventReport) => void) =>
  (report: EventReport): typeof ACCEPTED => {
    onReport(report)
    return ACCEPTED
  }

/** A value that becomes text only when it is read: of most event reports that is the CEID alone. */
class LaterText {
  constructor(
    readonly item: Item,
    readonly view: ItemView,
  ) {}

  toString(): string {
    return String(readLeaf(this.item, this.view))
  }
}

const laterText: LeafReader = (item, view) => new LaterText(item, view)

const SHARED: readonly ReplyRule[] = [
  hostReply('S1F1', () => ({})),
  // The item that came: its bytes need not become text and bytes again.
  { message: 'S2F25', reply: () => ({}), body: (_, item) => item as Item },

  hostReply('S3F5', () => ({ ACKC3: '0' })),
  hostReply('S3F7', () => ({ ACKC3: '0' })),
  hostReply('S4F23', () => ({})),
  hostReply('S5F1', () => ({ ACKC5: '0' })),
  hostReply('S5F9', () => ({})),
  hostReply('S5F11', () => ({})),
  hostReply('S5F15', () => ({})),
  hostReply('S6F1', () => ({ ACKC6: '0' })),
  hostReply('S6F3', () => ({ ACKC6: '0' })),
  hostReply('S6F5', () => ({ GRANT6: GRANTED })),
  hostReply('S6F9', () => ({ ACKC6: '0' })),
  hostReply('S6F25', () => ({ ACKC6: '0' })),
  hostReply('S6F27', ({ TRID }) => ({ TRID: String(TRID) })),
  hostReply('S7F27', () => ({})),
  hostReply('S7F29', () => ({ PPGNT: GRANTED })),
  hostReply('S10F1', () => ({ ACKC10: '0' })),
  hostReply('S15F53', () => ({})),
  hostReply('S16F7', () => ({})),
  hostReply('S16F9', () => ({})),

  hostReply('S7F1', () => ({ PPGNT: NOT_WANTED })),
  hostReply('S7F3', () => ({ ACKC7: NOT_PERMITTED })),
  hostReply('S7F5', () => ({})),
  hostReply('S7F9', () => ({})),
  hostReply('S7F23', () => ({ ACKC7: NOT_PERMITTED })),
  hostReply('S7F25', () => ({})),
  hostReply('S7F37', () => ({ ACKC7: NOT_PERMITTED })),
  hostReply('S7F39', () => ({ ACKC7: NOT_PERMITTED })),
  hostReply('S7F41', () => ({ ACKC7: NOT_PERMITTED })),
  hostReply('S7F43', () => ({ ACKC7: NOT_PERMITTED })),
]

/** What every host answers. One table for all links: of its own each would need 13 KiB more. */
export const SHARED_HOST_REPLIES = replyTable(SHARED.map(ofBytes))
