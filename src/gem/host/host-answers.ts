import { readLeaf } from '../../catalogue/values/leaf.js'
import type { LeafReader } from '../../catalogue/values/read.js'
import type { ItemView } from '../../catalogue/view.js'
import type { Clock } from '../../kit/clock.js'
import type { Item } from '../../secs2/item.js'
import { type Answering, hostAnswer } from '../role.js'
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
 * message. `onReport` is called with each event report.
 */
export const hostAnswers = (clock: Clock, onReport: (report: EventReport) => void): readonly Answering[] => [
  hostAnswer('S1F1', () => ({})),
  hostAnswer('S2F17', () => ({ TIME: formatTime(clock.date()) })),
  hostAnswer('S2F25', ({ ABS }) => ({ ABS })),

  hostAnswer('S3F5', () => ({ ACKC3: '0' })),
  hostAnswer('S3F7', () => ({ ACKC3: '0' })),
  hostAnswer('S4F23', () => ({})),
  hostAnswer('S5F1', () => ({ ACKC5: '0' })),
  hostAnswer('S5F9', () => ({})),
  hostAnswer('S5F11', () => ({})),
  hostAnswer('S5F15', () => ({})),
  hostAnswer('S6F1', () => ({ ACKC6: '0' })),
  hostAnswer('S6F3', () => ({ ACKC6: '0' })),
  hostAnswer('S6F5', () => ({ GRANT6: GRANTED })),
  hostAnswer('S6F9', () => ({ ACKC6: '0' })),
  hostAnswer('S6F11', takeReport(onReport), laterText),
  hostAnswer('S6F13', takeReport(onReport), laterText),
  hostAnswer('S6F25', () => ({ ACKC6: '0' })),
  hostAnswer('S6F27', ({ TRID }) => ({ TRID })),
  hostAnswer('S7F27', () => ({})),
  hostAnswer('S7F29', () => ({ PPGNT: GRANTED })),
  hostAnswer('S10F1', () => ({ ACKC10: '0' })),
  hostAnswer('S15F53', () => ({})),
  hostAnswer('S16F7', () => ({})),
  hostAnswer('S16F9', () => ({})),

  hostAnswer('S7F1', () => ({ PPGNT: NOT_WANTED })),
  hostAnswer('S7F3', () => ({ ACKC7: NOT_PERMITTED })),
  hostAnswer('S7F5', () => ({})),
  hostAnswer('S7F9', () => ({})),
  hostAnswer('S7F23', () => ({ ACKC7: NOT_PERMITTED })),
  hostAnswer('S7F25', () => ({})),
  hostAnswer('S7F37', () => ({ ACKC7: NOT_PERMITTED })),
  hostAnswer('S7F39', () => ({ ACKC7: NOT_PERMITTED })),
  hostAnswer('S7F41', () => ({ ACKC7: NOT_PERMITTED })),
  hostAnswer('S7F43', () => ({ ACKC7: NOT_PERMITTED })),
]

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
