import type { DataMessage } from './message.js'

/** HSMS session types (SEMI E37): what kind of message follows the length. 8 is not assigned. */
export const STYPE = {
  data: 0,
  selectReq: 1,
  selectRsp: 2,
  deselectReq: 3,
  deselectRsp: 4,
  linktestReq: 5,
  linktestRsp: 6,
  rejectReq: 7,
  separateReq: 9,
} as const

export type SType = keyof typeof STYPE

const STYPE_OF_CODE: ReadonlyMap<number, SType> = new Map(
  Object.entries(STYPE).map(([name, code]) => [code, name as SType]),
)

/** Undefined for the codes that SEMI E37 gives no meaning. */
export const sTypeOf = (code: number): SType | undefined => STYPE_OF_CODE.get(code)

/** Bytes in a message header. */
export const HEADER_LENGTH = 10

/** The PType of SECS-II, the only one there is. */
export const PTYPE_SECS2 = 0

const W_BIT = 0x80

/**
 * The ten header bytes, named. Bytes 2 and 3 change meaning with the session type: W-bit and stream, then
 * function, in a data message; status or reason codes in control messages.
 */
export interface Header {
  readonly sessionId: number
  readonly byte2: number
  readonly byte3: number
  readonly pType: number
  readonly sType: number
  /** Pairs a response with its request; unique among the open transactions of one sender. */
  readonly systemBytes: number
}

/** Writes the header's ten bytes at `offset`. */
export function writeHeader(header: Header, to: DataView, offset: number): void {
  to.setUint16(offset, header.sessionId)
  to.setUint8(offset + 2, header.byte2)
  to.setUint8(offset + 3, header.byte3)
  to.setUint8(offset + 4, header.pType)
  to.setUint8(offset + 5, header.sType)
  to.setUint32(offset + 6, header.systemBytes)
}

/** Reads a header from the first ten bytes. */
export function readHeader(bytes: Uint8Array): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_LENGTH)
  return {
    sessionId: view.getUint16(0),
    byte2: view.getUint8(2),
    byte3: view.getUint8(3),
    pType: view.getUint8(4),
    sType: view.getUint8(5),
    systemBytes: view.getUint32(6),
  }
}

export const dataHeader = (message: DataMessage): Header => ({
  sessionId: message.sessionId,
  byte2: message.stream | (message.wait ? W_BIT : 0),
  byte3: message.function,
  pType: PTYPE_SECS2,
  sType: STYPE.data,
  systemBytes: message.systemBytes,
})

export const dataMessage = (header: Header, body: Uint8Array): DataMessage => ({
  sessionId: header.sessionId,
  stream: header.byte2 & ~W_BIT,
  function: header.byte3,
  wait: (header.byte2 & W_BIT) !== 0,
  systemBytes: header.systemBytes,
  body,
})
