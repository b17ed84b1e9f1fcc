import { describe, expect, test } from 'vitest'
import { Capture } from '../../../src/hsms/capture/capture.js'
import {
  enhancedPacket,
  interfaceDescription,
  LINKTYPE_RAW,
  sectionHeader,
} from '../../../src/hsms/capture/pcapng.js'
import { TCP_FLAG, tcpPacket } from '../../../src/hsms/capture/tcp-packet.js'
import type { WireRecord } from '../../../src/hsms/capture/wire.js'
import { FrameReader } from '../../../src/hsms/frame/frame.js'
import { internetAddress } from '../../../src/hsms/tcp/internet-address.js'
import { dataBytes } from '../../support/hsms-wire.js'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bytesOf = (...text: string[]): string => text.join('').replaceAll(' ', '')

describe('a block of a capture', () => {
  test('that begins it names the byte order, the version and the program', () => {
    expect(hex(sectionHeader('secsctl'))).toBe(
      bytesOf(
        '0a0d0d0a 2c000000', // type, length of the block
        '4d3c2b1a 0100 0000', // little-endian, version 1.0
        'ffffffffffffffff', // how long the section is, nobody knows
        '0400 0700 7365637363746c 00', // written by "secsctl", to four bytes
        '0000 0000',
        '2c000000',
      ),
    )
  })

  test('that describes an interface has its link type, no limit, and times in microseconds', () => {
    expect(hex(interfaceDescription(LINKTYPE_RAW, 'etch', 'HSMS'))).toBe(
      bytesOf(
        '01000000 30000000',
        '6500 0000 00000000', // 101, nothing cut
        '0200 0400 65746368',
        '0300 0400 48534d53',
        '0900 0100 06000000', // 10 to the power of -6
        '0000 0000',
        '30000000',
      ),
    )
  })

  test('with a packet has its time in two halves, and its bytes to four', () => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 5)
    const at = 0x0006_1234_89ab_cdef
    expect(hex(enhancedPacket({ at, bytes, direction: 'in' }))).toBe(
      bytesOf(
        '06000000 34000000',
        '00000000 34120600 efcdab89',
        '05000000 05000000',
        '0102030405 000000',
        '0200 0400 01000000', // inbound
        '0000 0000',
        '34000000',
      ),
    )
  })

  test('with a packet says what a person should know, and how many are missing before it', () => {
    expect(
      hex(enhancedPacket({ at: 1, bytes: new Uint8Array(), direction: 'out', comment: 'é', lost: 258 })),
    ).toBe(
      bytesOf(
        '06000000 40000000',
        '00000000 00000000 01000000',
        '00000000 00000000',
        '0100 0200 c3a90000',
        '0200 0400 02000000', // outbound
        '0400 0800 0201000000000000',
        '0000 0000',
        '40000000',
      ),
    )
  })
})

// Worked out apart from the code, with Python's struct and socket.
describe('a TCP packet', () => {
  const host = internetAddress('10.0.0.1:40000')
  const equipment = internetAddress('10.0.0.5:5000')

  test('over IPv4 has checksums that hold', () => {
    const syn = {
      from: host,
      to: equipment,
      sequence: 0x0100_0000,
      acknowledgement: 0,
      flags: TCP_FLAG.syn,
      payload: new Uint8Array(),
    }
    expect(hex(tcpPacket(syn))).toBe(
      bytesOf(
        '45 00 0028 0000 4000 40 06 26cb 0a000001 0a000005',
        '9c40 1388 01000000 00000000 50 02 ffff eb14 0000',
      ),
    )
  })

  test('with an odd number of bytes has checksums that hold', () => {
    const packet = {
      from: equipment,
      to: host,
      sequence: 7,
      acknowledgement: 9,
      flags: TCP_FLAG.psh | TCP_FLAG.ack,
      payload: Buffer.from('abc'),
    }
    expect(hex(tcpPacket(packet))).toBe(
      bytesOf(
        '45 00 002b 0000 4000 40 06 26c8 0a000005 0a000001',
        '1388 9c40 00000007 00000009 50 18 ffff 2789 0000 616263',
      ),
    )
  })

  test('over IPv6 has a checksum over its longer addresses', () => {
    const packet = {
      from: internetAddress('[fe80::1%eth0]:40000'),
      to: internetAddress('[::1]:5000'),
      sequence: 0xffff_ffff,
      acknowledgement: 1,
      flags: TCP_FLAG.ack,
      payload: new Uint8Array(),
    }
    expect(hex(tcpPacket(packet))).toBe(
      bytesOf(
        '60000000 0014 06 40 fe800000000000000000000000000001 00000000000000000000000000000001',
        '9c40 1388 ffffffff 00000001 50 10 ffff 0189 0000',
      ),
    )
  })
})

test.each([
  ['192.168.0.10:5000', 'c0a8000a', 5000],
  ['[::ffff:192.168.0.10]:5000', 'c0a8000a', 5000],
  ['[2001:db8::a:1]:65535', '20010db8 00000000 00000000 000a0001', 65535],
  ['[::]:1', '00000000 00000000 00000000 00000000', 1],
  ['[1:2:3:4:5:6:7:8]:1', '00010002 00030004 00050006 00070008', 1],
])('%s is read as bytes and a port', (text, address, port) => {
  const read = internetAddress(text)
  expect(read.port).toBe(port)
  expect(hex(read.bytes)).toBe(bytesOf(address))
})

test.each(['', 'etcher:5000', '10.0.0:1', '[1:2:3]:1', '[1:2:3:4:5:6:7:8:9]:1'])(
  '"%s" is no address and port',
  (text) => {
    expect(() => internetAddress(text)).toThrow('is no address and port')
  },
)

const ENDS = { local: '10.0.0.1:40000', remote: '10.0.0.5:5000' }
const HEADING = { program: 'secsctl', name: 'etcher', description: 'HSMS', dialler: 'local' } as const

const frameOf = (bytes: Uint8Array): WireRecord & { kind: 'frame' } => {
  const [frame] = new FrameReader(1 << 24).read(bytes)
  if (!frame) throw new Error('no frame')
  return { kind: 'frame', direction: 'in', frame }
}

describe('a capture', () => {
  test('begins each connection with the handshake of the end that dials, and ends it in order', () => {
    for (const dialler of ['local', 'remote'] as const) {
      const capture = new Capture({ ...HEADING, dialler })
      const packets = readPackets(
        capture.add({ kind: 'opened', ...ENDS }, 1),
        capture.add({ kind: 'closed', detail: 'the peer ended the session' }, 2),
      )
      const [first, second] = dialler === 'local' ? [40_000, 5000] : [5000, 40_000]
      expect(packets.map(({ from, flags }) => [from, flags])).toEqual([
        [first, 'SYN'],
        [second, 'SYN ACK'],
        [first, 'ACK'],
        [40_000, 'FIN ACK'],
        [5000, 'FIN ACK'],
        [40_000, 'ACK'],
      ])
      expect(packets[3]?.comment).toBe('the peer ended the session')
    }
  })

  test('begins each connection with another sequence number', () => {
    const capture = new Capture(HEADING)
    const opened = (at: number) =>
      readPackets(
        capture.add({ kind: 'opened', ...ENDS }, at),
        capture.add({ kind: 'closed', detail: '' }, at),
      )
    const numbers = [1, 2].map((at) => opened(at)[0]?.sequence)
    expect(new Set(numbers).size).toBe(2)
  })

  test('carries every byte once, in order, with rising sequence numbers both ways that are acknowledged', () => {
    const capture = new Capture(HEADING)
    const long = frameOf(dataBytes({ body: Buffer.alloc(100_000, 'x') }))
    const short = { ...frameOf(dataBytes()), direction: 'out' as const }
    const records: WireRecord[] = [{ kind: 'opened', ...ENDS }, short, long, short, long]
    const packets = readPackets(...records.map((record, at) => capture.add(record, at)))
    for (const [from, to, bytes] of [
      [40_000, 5000, Buffer.concat([dataBytes(), dataBytes()])],
      [5000, 40_000, Buffer.concat([longBytes(), longBytes()])],
    ] as const) {
      const sent = packets.filter((packet) => packet.from === from)
      expect(Buffer.concat(sent.map(({ payload }) => payload)).equals(bytes)).toBe(true)
      let next = sent[0]?.sequence ?? 0
      let underWay = 0
      for (const packet of packets) {
        if (packet.from === to && packet.flags.includes('ACK')) {
          expect(packet.acknowledgement).toBe(next)
          underWay = 0
        }
        if (packet.from !== from) continue
        expect(packet.sequence).toBe(next)
        const counted = packet.payload.length + (packet.flags.includes('SYN') ? 1 : 0)
        next += counted
        underWay += counted
        expect(underWay).toBeLessThan(0xffff)
        expect(packet.payload.length).toBeLessThanOrEqual(1440)
      }
    }
  })

  test('of a connection that was open already begins without a handshake', () => {
    const capture = new Capture(HEADING)
    capture.stands(ENDS)
    expect(readPackets(capture.add(frameOf(dataBytes()), 1))).toMatchObject([
      { from: 5000, to: 40_000, flags: 'PSH ACK', payload: Buffer.from(dataBytes()) },
    ])
  })

  test('says where records are missing, and how many', () => {
    const capture = new Capture(HEADING)
    capture.stands(ENDS)
    capture.lose(5)
    capture.lose(7)
    const [first, second] = readPackets(
      capture.add(frameOf(dataBytes()), 1),
      capture.add(frameOf(dataBytes()), 2),
    )
    expect(first).toMatchObject({ comment: expect.stringContaining('12 records are missing'), lost: 12 })
    expect(second).toMatchObject({ comment: undefined, lost: undefined })
  })

  test('has the bytes that were no frame, and why', () => {
    const capture = new Capture(HEADING)
    capture.stands(ENDS)
    const bytes = Buffer.from('GET / HTTP/1.1')
    expect(
      readPackets(capture.add({ kind: 'unreadable', bytes, detail: 'it speaks HTTP' }, 1)),
    ).toMatchObject([{ from: 5000, payload: bytes, comment: 'it speaks HTTP' }])
  })

  test('has nothing of what no connection is known for', () => {
    const capture = new Capture(HEADING)
    expect([...capture.add(frameOf(dataBytes()), 1)]).toEqual([])
    expect([...capture.add({ kind: 'closed', detail: 'lost' }, 1)]).toEqual([])
  })
})

const longBytes = (): Uint8Array => dataBytes({ body: Buffer.alloc(100_000, 'x') })

interface ReadPacket {
  readonly from: number
  readonly to: number
  readonly sequence: number
  readonly acknowledgement: number
  readonly flags: string
  readonly payload: Buffer
  readonly comment: string | undefined
  readonly lost: number | undefined
}

/** The packets in enhanced packet blocks, which have to be whole. */
function readPackets(...parts: readonly Iterable<Uint8Array>[]): ReadPacket[] {
  const bytes = Buffer.concat(parts.flatMap((blocks) => [...blocks]))
  const packets: ReadPacket[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4)
    const block = bytes.subarray(at, at + length)
    expect([block.readUInt32LE(0), block.length, block.readUInt32LE(length - 4)]).toEqual([6, length, length])
    packets.push(readPacket(block))
    at += length
  }
  return packets
}

function readPacket(block: Buffer): ReadPacket {
  const length = block.readUInt32LE(20)
  const tcp = block.subarray(28 + 20, 28 + length)
  const options = new Map<number, Buffer>()
  for (let at = 28 + Math.ceil(length / 4) * 4; block.readUInt16LE(at) !== 0; ) {
    const size = block.readUInt16LE(at + 2)
    options.set(block.readUInt16LE(at), block.subarray(at + 4, at + 4 + size))
    at += 4 + Math.ceil(size / 4) * 4
  }
  const names = ['FIN', 'SYN', 'RST', 'PSH', 'ACK']
  const flags = names.filter((_, bit) => ((tcp[13] ?? 0) & (1 << bit)) !== 0).join(' ')
  return {
    from: tcp.readUInt16BE(0),
    to: tcp.readUInt16BE(2),
    sequence: tcp.readUInt32BE(4),
    acknowledgement: tcp.readUInt32BE(8),
    flags,
    payload: tcp.subarray(20),
    comment: options.get(1)?.toString(),
    lost: options.has(4) ? Number(options.get(4)?.readBigUInt64LE()) : undefined,
  }
}
