import type { DataMessage } from '../message.js'

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

const STYPES_BY_CODE: readonly (SType | undefined)[] = Array.from({ length: 10 }, (_, code) =>
  (Object.keys(STYPE) as SType[]).find((name) => STYPE[name] === code),
)

/** Undefined for the codes that SEMI E37 gives no meaning. */
export const sTypeOf = (code: number): SType | undefined => STYPES_BY_CODE[code]

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
export function writeHeader(header: Header, to: Uint8Array, offset: number): void {
  const { sessionId, systemBytes } = header
  to[offset] = sessionId >>> 8
  to[offset + 1] = sessionId
  to[offset + 2] = header.byte2
  to[offset + 3] = header.byte3
  to[offset + 4] = header.pType
  to[offset + 5] = header.sType
  to[offset + 6] = systemBytes >>> 24
  to[offset + 7] = systemBytes >>> 16
  to[offset + 8] = systemBytes >>> 8
  to[offset + 9] = systemBytes
}

/** Reads a header from the ten bytes at `offset`; a RangeError when they are not there. */
export function readHeader(bytes: Uint8Array, offset: number): Header {
  if (offset + HEADER_LENGTH > bytes.length) throw new RangeError(`a header has ${HEADER_LENGTH} bytes`)
  const byte = (at: number): number => bytes[offset + at] ?? 0
  return {
    sessionId: (byte(0) << 8) | byte(1),
    byte2: byte(2),
    byte3: byte(3),
    pType: byte(4),
    sType: byte(5),
    systemBytes: ((byte(6) << 24) | (byte(7) << 16) | (byte(8) << 8) | byte(9)) >>> 0,
  }
}

/** The session type in the header at `offset`. */
export const sTypeAt = (bytes: Uint8Array, offset: number): number => bytes[offset + 5] ?? 0

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
