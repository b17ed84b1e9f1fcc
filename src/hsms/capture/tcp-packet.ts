import type { InternetAddress } from '../tcp/internet-address.js'

export const TCP_FLAG = { fin: 0x01, syn: 0x02, psh: 0x08, ack: 0x10 } as const

/** A TCP segment and who sends it to whom. */
export interface TcpPacket {
  readonly from: InternetAddress
  /** Of the same family as `from`. */
  readonly to: InternetAddress
  /** Both 0 to 2^32 - 1. */
  readonly sequence: number
  readonly acknowledgement: number
  readonly flags: number
  readonly payload: Uint8Array
}

const TCP_LENGTH = 20
const IPV4_LENGTH = 20
const IPV6_LENGTH = 40
const PROTOCOL_TCP = 6
const HOPS = 64
/** The most that is allowed to be under way without a window scale. */
const WINDOW = 0xffff

/** The packet as it would travel, from the IP header on, with checksums that hold (RFC 791, 8200, 9293). */
export function tcpPacket(packet: TcpPacket): Uint8Array {
  const { from, to, payload } = packet
  const tcp = Buffer.alloc(TCP_LENGTH)
  tcp.writeUInt16BE(from.port, 0)
  tcp.writeUInt16BE(to.port, 2)
  tcp.writeUInt32BE(packet.sequence, 4)
  tcp.writeUInt32BE(packet.acknowledgement, 8)
  tcp.writeUInt8((TCP_LENGTH / 4) << 4, 12)
  tcp.writeUInt8(packet.flags, 13)
  tcp.writeUInt16BE(WINDOW, 14)
  const length = TCP_LENGTH + payload.length
  const pseudoHeader = [from.bytes, to.bytes, Uint8Array.of(0, PROTOCOL_TCP, length >> 8, length & 0xff)]
  tcp.writeUInt16BE(checksum(...pseudoHeader, tcp, payload), 16)
  return Buffer.concat([ipHeader(from.bytes, to.bytes, length), tcp, payload])
}

function ipHeader(from: Uint8Array, to: Uint8Array, length: number): Uint8Array {
  if (from.length !== 4) {
    const header = Buffer.alloc(IPV6_LENGTH)
    header.writeUInt8(0x60, 0)
    header.writeUInt16BE(length, 4)
    header.set([PROTOCOL_TCP, HOPS, ...from, ...to], 6)
    return header
  }
  const header = Buffer.alloc(IPV4_LENGTH)
  header.writeUInt8(0x45, 0) // version 4, five words
  header.writeUInt16BE(IPV4_LENGTH + length, 2)
  header.writeUInt16BE(0x4000, 6) // not to be fragmented
  header.set([HOPS, PROTOCOL_TCP], 8)
  header.set([...from, ...to], 12)
  header.writeUInt16BE(checksum(header), 10)
  return header
}

/** The Internet checksum (RFC 1071); every part but the last has an even length. */
function checksum(...parts: readonly Uint8Array[]): number {
  let sum = 0
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 2) sum += ((part[at] ?? 0) << 8) | (part[at + 1] ?? 0)
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + Math.floor(sum / 0x1_0000)
  return ~sum & 0xffff
}
