/**
 * Blocks of a pcapng file (draft-ietf-opsawg-pcapng), little-endian. Each is whole in itself: a file made of them
 * can be opened while it grows.
 */

const BLOCK = { sectionHeader: 0x0a0d0d0a, interfaceDescription: 1, enhancedPacket: 6 } as const
const OPTION = {
  end: 0,
  comment: 1,
  program: 4,
  interfaceName: 2,
  interfaceDescription: 3,
  timeResolution: 9,
  packetFlags: 2,
  packetsLost: 4,
} as const

/** Shows a reader the byte order. */
const BYTE_ORDER_MAGIC = 0x1a2b3c4d
/** The length of a section whose length is not known yet. */
const UNKNOWN_LENGTH = -1n
/** Times count millionths of a second: 10 to the power of minus this. */
const MICROSECONDS = 6

/** Packets begin with an IPv4 or IPv6 header. */
export const LINKTYPE_RAW = 101

export interface CapturedPacket {
  /** Microseconds since 1970. */
  readonly at: number
  readonly bytes: Uint8Array
  /** From the view of the program that wrote the file. */
  readonly direction: 'in' | 'out'
  /** For people; Wireshark shows it above the packet. */
  readonly comment?: string
  /** The number of records that are missing before this packet. */
  readonly lost?: number
}

/** Begins a file. `program` wrote it. */
export function sectionHeader(program: string): Uint8Array {
  const body = Buffer.alloc(16)
  body.writeUInt32LE(BYTE_ORDER_MAGIC, 0)
  body.writeUInt16LE(1, 4) // version 1.0
  body.writeUInt16LE(0, 6)
  body.writeBigInt64LE(UNKNOWN_LENGTH, 8)
  return block(BLOCK.sectionHeader, body, [text(OPTION.program, program)])
}

/** The interface of the packets that follow; the first has the number 0. */
export function interfaceDescription(linkType: number, name: string, description: string): Uint8Array {
  const body = Buffer.alloc(8)
  body.writeUInt16LE(linkType, 0)
  return block(BLOCK.interfaceDescription, body, [
    text(OPTION.interfaceName, name),
    text(OPTION.interfaceDescription, description),
    option(OPTION.timeResolution, Uint8Array.of(MICROSECONDS)),
  ])
}

/** One packet, seen on interface 0. */
export function enhancedPacket({ at, bytes, direction, comment, lost = 0 }: CapturedPacket): Uint8Array {
  const body = Buffer.alloc(20)
  body.writeUInt32LE(Math.floor(at / 2 ** 32), 4)
  body.writeUInt32LE(at % 2 ** 32, 8)
  body.writeUInt32LE(bytes.length, 12)
  body.writeUInt32LE(bytes.length, 16)
  return block(BLOCK.enhancedPacket, Buffer.concat([body, padded(bytes)]), [
    ...(comment === undefined ? [] : [text(OPTION.comment, comment)]),
    number32(OPTION.packetFlags, direction === 'in' ? 1 : 2),
    ...(lost > 0 ? [number64(OPTION.packetsLost, lost)] : []),
  ])
}

function block(type: number, body: Uint8Array, options: readonly Uint8Array[]): Uint8Array {
  const parts = [body, ...options, option(OPTION.end, new Uint8Array())]
  const length = parts.reduce((sum, part) => sum + part.length, 12)
  const head = Buffer.alloc(8)
  head.writeUInt32LE(type, 0)
  head.writeUInt32LE(length, 4)
  return Buffer.concat([head, ...parts, head.subarray(4)])
}

function option(code: number, value: Uint8Array): Uint8Array {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(code, 0)
  head.writeUInt16LE(value.length, 2)
  return Buffer.concat([head, padded(value)])
}

/** The length of an option has two bytes; a longer text is cut. */
const MAX_TEXT_LENGTH = 0xffff

const text = (code: number, value: string): Uint8Array =>
  option(code, Buffer.from(value).subarray(0, MAX_TEXT_LENGTH))

function number32(code: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return option(code, bytes)
}

function number64(code: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return option(code, bytes)
}

/** To a multiple of four bytes. */
function padded(bytes: Uint8Array): Uint8Array {
  const room = Buffer.alloc(Math.ceil(bytes.length / 4) * 4)
  room.set(bytes)
  return room
}
