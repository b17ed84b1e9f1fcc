import type { ReadValue } from '../../../catalogue/structure/structure-data.js'
import { textsIn } from '../../content.js'
import { type Answering, equipmentAnswer } from '../../role.js'
import type { Spool } from './spool.js'

/** RSPACK (SEMI E5). */
const RSPACK = { accepted: 0, rejected: 1 } as const

export const spoolAnswers = (spool: Spool): readonly Answering[] => [
  equipmentAnswer('S2F43', ({ STREAMS }) => {
    const faults = spool.choose(
      STREAMS.map(({ STRID, FCNID }) => ({
        stream: withinByte(STRID),
        functions: textsIn(FCNID).map(withinByte),
      })),
    )
    return {
      RSPACK: String(faults.length > 0 ? RSPACK.rejected : RSPACK.accepted),
      STREAMS: faults.map(({ stream, strack, functions }) => ({
        STRID: String(stream),
        STRACK: String(strack),
        FCNID: functions.map(String),
      })),
    }
  }),
  equipmentAnswer('S6F23', ({ RSDC }) => ({ RSDA: String(spool.request(Number(RSDC))) })),
]

/** Streams and functions fit into one byte: a larger number is reported as 255, which no equipment sends. */
function withinByte(number: ReadValue): number {
  const value = Number(number)
  return value >= 0 && value < 255 ? value : 255
}
