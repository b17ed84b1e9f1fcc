import { textsIn } from '../../../gem/content.js'
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

/** The trace in an S2F23; undefined where it cannot be read. */
export function askedTrace(message: RecordedMessage, reading: Reading): AskedTrace | undefined {
  const content = message.content('S2F23', 'host', reading)
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
  reading.catalogue.acknowledgement(2, 24, message.item)?.code === 0

/** Which trace an S6F1 is of, and the number of its last sample; undefined where that cannot be read. */
export function sampleIn(
  message: RecordedMessage,
  reading: Reading,
): { readonly trid: string; readonly number: number } | undefined {
  const content = message.content('S6F1', 'equipment', reading)
  return content ? { trid: String(content.TRID), number: Number(content.SMPLN) } : undefined
}
