import type { DataMessage } from '../hsms/message.js'
import { BLOCK_DATA_BYTES } from './settings.js'

/** The characters of the block transfer protocol (SEMI E4). */
export const CHARACTER = { ENQ: 0x05, EOT: 0x04, ACK: 0x06, NAK: 0x15 } as const
export type CharacterName = keyof typeof CHARACTER

/** Bytes of a block header. */
const HEADER_BYTES = 10
const CHECKSUM_BYTES = 2
/** The values that the length byte of a block may have: it counts the header and the data. */
export const LENGTHS = { least: HEADER_BYTES, most: HEADER_BYTES + BLOCK_DATA_BYTES } as const
/** Bytes around those that the length byte counts: itself and the checksum. */
export const AROUND_LENGTH = 1 + CHECKSUM_BYTES

/** The highest bit of a byte: R-bit, W-bit and E-bit each are one. */
const HIGH_BIT = 0x80

/** The ten bytes at the beginning of a block, named. */
export interface BlockHeader {
  /** The R-bit: from the equipment to the host. */
  readonly toHost: boolean
  /** 0 to 32767. */
  readonly deviceId: number
  readonly stream: number
  readonly function: number
  readonly wait: boolean
  /** The E-bit: the last block of its message. */
  readonly isLast: boolean
  /** From 1; a message of one block may have 0. Up to 32767. */
  readonly number: number
  readonly systemBytes: number
}

export interface Block {
  readonly header: BlockHeader
  /** 0 to 244 bytes. */
  readonly data: Uint8Array
}

/** The sum of the bytes that the length byte counts, modulo 65,536. */
function checksum(bytes: Uint8Array, length: number): number {
  let sum = 0
  for (let at = 1; at <= length; at += 1) sum += bytes[at] as number
  return sum & 0xffff
}

/** A block as it travels: length byte, header, data, checksum. */
export function encodeBlock({ header, data }: Block): Uint8Array {
  const length = HEADER_BYTES + data.length
  const bytes = new Uint8Array(AROUND_LENGTH + length)
  const view = new DataView(bytes.buffer)
  bytes[0] = length
  view.setUint16(1, header.deviceId | (header.toHost ? 0x8000 : 0))
  bytes[3] = header.stream | (header.wait ? HIGH_BIT : 0)
  bytes[4] = header.function
  view.setUint16(5, header.number | (header.isLast ? 0x8000 : 0))
  view.setUint32(7, header.systemBytes)
  bytes.set(data, 1 + HEADER_BYTES)
  view.setUint16(1 + length, checksum(bytes, length))
  return bytes
}

/**
 * Reads a whole block; undefined where its length byte or its checksum is wrong, or where bytes are missing or
 * left over. The data is a copy.
 */
export function decodeBlock(bytes: Uint8Array): Block | undefined {
  const length = bytes[0] ?? 0
  if (length < LENGTHS.least || length > LENGTHS.most || bytes.length !== AROUND_LENGTH + length)
    return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  if (view.getUint16(1 + length) !== checksum(bytes, length)) return undefined
  const device = view.getUint16(1)
  const order = view.getUint16(5)
  const [stream, fn] = [view.getUint8(3), view.getUint8(4)]
  const header: BlockHeader = {
    toHost: (device & 0x8000) !== 0,
    deviceId: device & 0x7fff,
    stream: stream & ~HIGH_BIT,
    function: fn,
    wait: (stream & HIGH_BIT) !== 0,
    isLast: (order & 0x8000) !== 0,
    number: order & 0x7fff,
    systemBytes: view.getUint32(7),
  }
  return { header, data: bytes.slice(1 + HEADER_BYTES, 1 + length) }
}

/** How many blocks a message with a body of so many bytes has. */
export const blockCount = (bodyLength: number): number =>
  Math.max(1, Math.ceil(bodyLength / BLOCK_DATA_BYTES))

/** Block `number` of the message, from 1. */
export function blockOf(message: DataMessage, number: number, toHost: boolean): Block {
  const { sessionId: deviceId, stream, function: fn, wait, systemBytes, body } = message
  const isLast = number === blockCount(body.length)
  const from = (number - 1) * BLOCK_DATA_BYTES
  return {
    header: { toHost, deviceId, stream, function: fn, wait, isLast, number, systemBytes },
    data: body.subarray(from, from + BLOCK_DATA_BYTES),
  }
}
