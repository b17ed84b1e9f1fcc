import { textsIn } from '../../../gem/content.js'
import { decodeBody } from '../../../secs2/decode.js'
import { Secs2DecodeError } from '../../../secs2/errors.js'
import type { Item } from '../../../secs2/item.js'
import type { Entry } from '../../../store/entry.js'
import { messageOf } from '../../records/message-entry.js'
import type { Reading } from '../../records/reading.js'
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
export function askedTrace(entry: Entry, reading: Reading): AskedTrace | undefined {
  const content = reading.catalogue.read('S2F23', itemIn(entry), { ...reading, sender: 'host' })
  const period_seconds = periodOf(String(content?.DSPER))
  if (!content || period_seconds === undefined) return undefined
  const { TRID, TOTSMP, REPGSZ, SVID } = content
  return {
    trid: String(TRID),
    variables: textsIn(SVID),
    period_seconds,
    samples: Number(TOTSMP),
    group_size: Number(REPGSZ),
  }
}

/** Whether an S2F24 accepts what was asked. */
export const isAccepted = (entry: Entry, reading: Reading): boolean =>
  reading.catalogue.acknowledgement(2, 24, itemIn(entry))?.code === 0

/** Which trace an S6F1 is of, and the number of its last sample; undefined where that cannot be read. */
export function sampleIn(
  entry: Entry,
  reading: Reading,
): { readonly trid: string; readonly number: number } | undefined {
  const content = reading.catalogue.read('S6F1', itemIn(entry), { ...reading, sender: 'equipment' })
  return content ? { trid: String(content.TRID), number: Number(content.SMPLN) } : undefined
}

/** The item of a message's body; undefined for invalid SECS-II. */
function itemIn(entry: Entry): Item | undefined {
  try {
    return decodeBody(Buffer.from(messageOf(entry).body, 'base64'))
  } catch (error) {
    if (error instanceof Secs2DecodeError) return undefined
    throw error
  }
}
