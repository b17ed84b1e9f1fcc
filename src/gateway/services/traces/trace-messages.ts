import { readLeaf } from '../../../catalogue/values/leaf.js'
import { textsIn } from '../../../gem/content.js'
import { unreadable } from '../../../secs2/decode.js'
import { ItemReader } from '../../../secs2/item-reader.js'
import type { Reading } from '../../records/reading.js'
import type { RecordedMessage } from '../../records/recorded-message.js'
import { periodOf } from './sample-period.js'

/** A trace as S2F23 asks for it. */
export interface AskedTrace {
  readonly trid: string
  /** SVIDs. */
  readonly variables: readonly string[]
  readonly period_seconds: number
  /** 0 ends it. */
  readonly samples: number
  readonly group_size: number
}

/** The trace in an S2F23; undefined where it cannot be read, or is too long to be kept. */
export function askedTrace(message: RecordedMessage, reading: Reading): AskedTrace | undefined {
  const content = message.needsSteps ? null : message.content('S2F23', 'host', reading)
  if (!content) return undefined
  const { TRID, DSPER, TOTSMP, REPGSZ, SVID } = content
  const period_seconds = periodOf(String(DSPER))
  if (period_seconds === undefined) return undefined
  return {
    trid: String(TRID),
    variables: textsIn(SVID),
    period_seconds,
    samples: Number(TOTSMP),
    group_size: Number(REPGSZ),
  }
}

/** Whether an S2F24 accepts what was asked. */
export const isAccepted = (message: RecordedMessage, reading: Reading): boolean =>
  !message.needsSteps && reading.catalogue.acknowledgement(2, 24, message.item)?.code === 0

/** Which trace an S6F1 is of, and the number of its last sample; undefined where that cannot be read. */
export function sampleIn(
  message: RecordedMessage,
  reading: Reading,
): { readonly trid: string; readonly number: number } | undefined {
  const content = message.needsSteps
    ? beginningOf(message, reading)
    : message.content('S6F1', 'equipment', reading)
  return content ? { trid: String(content.TRID), number: Number(content.SMPLN) } : undefined
}

/** Characters that are read of a TRID. */
const MOST_VALUES = 256

/** Of a long S6F1: what is before its samples, of which there may be a million. */
function beginningOf({ body }: RecordedMessage, reading: Reading): { TRID: unknown; SMPLN: unknown } | null {
  try {
    const reader = new ItemReader(body)
    reader.outermost()
    const [TRID, SMPLN] = [reader.outermost(MOST_VALUES).item, reader.outermost(MOST_VALUES).item]
    return { TRID: readLeaf(TRID, reading), SMPLN: readLeaf(SMPLN, reading) }
  } catch (error) {
    unreadable(error)
    return null
  }
}
