import { bytesOf, lengthOf } from '../secs2/item.js'
import type { Primary } from './conversation.js'

/** The faults that equipment reports by stream 9, and the function of each (SEMI E5). */
export const STREAM9_FUNCTIONS = {
  unknown_device: 1,
  unknown_stream: 3,
  unknown_function: 5,
  illegal_data: 7,
  timed_out: 9,
  too_long: 11,
} as const

/** The functions whose body is the header of a message of the other side: S9F9's is of the equipment's own. */
const ABOUT_THE_OTHER: ReadonlySet<number> = new Set(
  Object.values(STREAM9_FUNCTIONS).filter((fn) => fn !== STREAM9_FUNCTIONS.timed_out),
)
const HEADER_LENGTH = 10

/** The message of the other side that a stream 9 primary is about; undefined when the header is not readable. */
export const subjectOfStream9 = (primary: Primary): HeaderFacts | undefined =>
  primary.stream === 9 && ABOUT_THE_OTHER.has(primary.function) ? headerInStream9(primary) : undefined

/** The header in the body of a stream 9 primary: MHEAD or SHEAD; undefined when it is not readable. */
export function headerInStream9({ stream, function: fn, item }: Primary): HeaderFacts | undefined {
  const isReport = stream === 9 && Object.values<number>(STREAM9_FUNCTIONS).includes(fn)
  if (!isReport || item?.format !== 'B' || lengthOf(item) !== HEADER_LENGTH) return undefined
  const { buffer, byteOffset } = bytesOf(item)
  const header = new DataView(buffer, byteOffset, HEADER_LENGTH)
  return {
    sessionId: header.getUint16(0),
    stream: header.getUint8(2) & 0x7f,
    function: header.getUint8(3),
    wait: (header.getUint8(2) & 0x80) !== 0,
    systemBytes: header.getUint32(6),
  }
}

/** What MHEAD is made of. */
export interface HeaderFacts {
  /** Session ID of the message: the device ID. */
  readonly sessionId: number
  readonly stream: number
  readonly function: number
  readonly wait: boolean
  readonly systemBytes: number
}

/** The ten header bytes of a data message, for the body of a stream 9 message about it. */
export function mheadOf(message: HeaderFacts): Uint8Array {
  const header = new DataView(new ArrayBuffer(HEADER_LENGTH))
  header.setUint16(0, message.sessionId)
  header.setUint8(2, message.stream | (message.wait ? 0x80 : 0))
  header.setUint8(3, message.function)
  header.setUint32(6, message.systemBytes)
  return new Uint8Array(header.buffer)
}
