/** Bytes of TCP payload in one packet: what fits an Ethernet frame. */
const SEGMENT = 1400

const PORTS = { from: 40_000, to: 5000 }

/** Packets are IPv4 without a link layer in front (LINKTYPE_RAW). */
const LINKTYPE_RAW = 101

const IP_LENGTH = 20
const TCP_LENGTH = 20

/** A capture of one TCP connection to port 5000 that carries `frames`, each from the start of a packet. */
export function pcapOf(frames: readonly Uint8Array[]): Uint8Array {
  const packets: Uint8Array[] = []
  let sequence = 1
  for (const frame of frames) {
    for (let at = 0; at < frame.length; at += SEGMENT) {
      const payload = frame.subarray(at, at + SEGMENT)
      packets.push(
        recordHeader(packets.length, payload.length),
        ipHeader(payload.length),
        tcpHeader(sequence),
      )
      packets.push(payload)
      sequence += payload.length
    }
  }
  return Buffer.concat([fileHeader(), ...packets])
}

function fileHeader(): Uint8Array {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(0xa1b2c3d4, 0) // times in microseconds
  header.writeUInt16LE(2, 4)
  header.writeUInt16LE(4, 6)
  header.writeUInt32LE(0x40000, 16)
  header.writeUInt32LE(LINKTYPE_RAW, 20)
  return header
}

function recordHeader(number: number, payload: number): Uint8Array {
  const header = Buffer.alloc(16)
  const length = IP_LENGTH + TCP_LENGTH + payload
  header.writeUInt32LE(number, 0)
  header.writeUInt32LE(length, 8)
  header.writeUInt32LE(length, 12)
  return header
}

function ipHeader(payload: number): Uint8Array {
  const header = Buffer.alloc(IP_LENGTH)
  header.writeUInt8(0x45, 0) // version 4, five words
  header.writeUInt16BE(IP_LENGTH + TCP_LENGTH + payload, 2)
  header.writeUInt8(64, 8)
  header.writeUInt8(6, 9) // TCP
  header.set([127, 0, 0, 1, 127, 0, 0, 2], 12)
  return header
}

function tcpHeader(sequence: number): Uint8Array {
  const header = Buffer.alloc(TCP_LENGTH)
  header.writeUInt16BE(PORTS.from, 0)
  header.writeUInt16BE(PORTS.to, 2)
  header.writeUInt32BE(sequence, 4)
  header.writeUInt32BE(1, 8)
  header.writeUInt8(0x50, 12) // five words
  header.writeUInt8(0x18, 13) // PSH, ACK
  header.writeUInt16BE(0xffff, 14)
  return header
}
