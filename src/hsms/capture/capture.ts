import { encodeFrame } from '../frame/frame.js'
import { type InternetAddress, internetAddress } from '../tcp/internet-address.js'
import { enhancedPacket, interfaceDescription, LINKTYPE_RAW, sectionHeader } from './pcapng.js'
import { TCP_FLAG, tcpPacket } from './tcp-packet.js'
import type { Endpoints, WireRecord } from './wire.js'

export interface CaptureHeading {
  /** Who writes the capture. */
  readonly program: string
  /** Whose connection it is, for people. */
  readonly name: string
  readonly description: string
  /** Which end opens the connections. */
  readonly dialler: Side
}

/** The bytes that fit into an Ethernet frame after the headers of IPv4 and TCP; of IPv6 a little less. */
const SEGMENT_BYTES = 1440
/** The other end acknowledges after so many bytes. Less than the window of `tcpPacket`. */
const UNACKNOWLEDGED_BYTES = 32 * 1024
/** Ends of a serial line have no addresses; the packets of a capture need some. */
const NETWORK_ADDRESS = /:\d+$/
const NO_ADDRESS = '127.0.0.1:0'
const SEQUENCE_END = 2 ** 32
const NOTHING = new Uint8Array()

type Side = 'local' | 'remote'
const OTHER = { local: 'remote', remote: 'local' } as const

/** One end of the connection that is written. */
interface End {
  readonly address: InternetAddress
  readonly direction: 'in' | 'out'
  /** Sequence number of its next byte. */
  next: number
  unacknowledged: number
}

interface Connection {
  readonly endpoints: Endpoints
  readonly local: End
  readonly remote: End
  isSecs1: boolean
}

/**
 * What passed on an HSMS connection as a capture that Wireshark opens (pcapng). The frames are what passed; the
 * TCP and IP around them are made up, with the addresses of the connection and without its retransmissions.
 */
export class Capture {
  #connection: Connection | undefined
  #connections = 0
  #lost = 0
  #remark: string | undefined

  constructor(readonly heading: CaptureHeading) {}

  /** The first blocks of the capture. */
  begin(): Uint8Array {
    const { program, name, description } = this.heading
    return Buffer.concat([sectionHeader(program), interfaceDescription(LINKTYPE_RAW, name, description)])
  }

  /** Sets the connection that is open already when the capture begins; undefined when there is none. */
  stands(endpoints: Endpoints | undefined): void {
    const known = this.#connection?.endpoints
    if (endpoints && endpoints.local === known?.local && endpoints.remote === known.remote) return
    this.#connection = endpoints && this.#between(endpoints)
  }

  /** Counts records that are missing in the capture; the comment of the next packet has their number. */
  lose(count: number): void {
    this.#lost += count
    this.#remark = `${this.#lost} records are missing here: the reader was too slow`
  }

  /**
   * What the record adds to the capture: nothing, or whole blocks, a long message in several parts. All have to be
   * taken before the next record is added. `at` in microseconds since 1970.
   */
  *add(record: WireRecord, at: number): Generator<Uint8Array, void> {
    const { fin, syn, ack } = TCP_FLAG
    switch (record.kind) {
      case 'opened': {
        const { dialler } = this.heading
        this.#connection = this.#between(record)
        const steps = [
          [dialler, syn],
          [OTHER[dialler], syn | ack],
          [dialler, ack],
        ] as const
        yield this.#packets(this.#connection, at, steps)
        break
      }
      case 'frame':
        // The blocks of a SECS-I message are written already.
        if (this.#connection?.isSecs1) break
        yield* this.#carry(record.direction === 'in' ? 'remote' : 'local', encodeFrame(record.frame), at)
        break
      case 'line':
        if (this.#connection) this.#connection.isSecs1 = true
        yield* this.#carry(record.direction === 'in' ? 'remote' : 'local', record.bytes, at)
        break
      case 'unreadable':
        this.#remark = record.detail
        yield* this.#carry('remote', record.bytes, at)
        break
      case 'closed':
        if (!this.#connection) break
        this.#remark ??= record.detail
        yield this.#packets(this.#connection, at, [
          ['local', fin | ack],
          ['remote', fin | ack],
          ['local', ack],
        ])
        this.#connection = undefined
    }
  }

  /** What bytes add that this side sent as they are, whether or not they are a frame; as `add`. */
  sent(bytes: Uint8Array, at: number): Generator<Uint8Array, void> {
    return this.#carry('local', bytes, at)
  }

  #between(endpoints: Endpoints): Connection {
    // Each connection begins with another sequence number: two with the same ports can be distinguished.
    const next = (++this.#connections * 0x100_0000) % SEQUENCE_END
    const end = (address: string, direction: 'in' | 'out'): End => ({
      address: internetAddress(NETWORK_ADDRESS.test(address) ? address : NO_ADDRESS),
      direction,
      next,
      unacknowledged: 0,
    })
    const { local, remote } = endpoints
    return { endpoints, local: end(local, 'out'), remote: end(remote, 'in'), isSecs1: false }
  }

  /** Packets without payload, such as those that open and end a connection. */
  #packets(connection: Connection, at: number, steps: readonly (readonly [Side, number])[]): Uint8Array {
    return Buffer.concat(steps.map(([sender, flags]) => this.#packet(connection, sender, flags, NOTHING, at)))
  }

  *#carry(sender: Side, bytes: Uint8Array, at: number): Generator<Uint8Array, void> {
    const connection = this.#connection
    if (!connection) return
    let blocks: Uint8Array[] = []
    for (let from = 0; from < bytes.length; from += SEGMENT_BYTES) {
      const payload = bytes.subarray(from, from + SEGMENT_BYTES)
      const last = from + SEGMENT_BYTES >= bytes.length
      const flags = TCP_FLAG.ack | (last ? TCP_FLAG.psh : 0)
      blocks.push(this.#packet(connection, sender, flags, payload, at))
      if (connection[sender].unacknowledged < UNACKNOWLEDGED_BYTES) continue
      blocks.push(this.#packet(connection, OTHER[sender], TCP_FLAG.ack, NOTHING, at))
      yield Buffer.concat(blocks)
      blocks = []
    }
    if (blocks.length > 0) yield Buffer.concat(blocks)
  }

  #packet(connection: Connection, sender: Side, flags: number, payload: Uint8Array, at: number): Uint8Array {
    const from = connection[sender]
    const to = connection[OTHER[sender]]
    const acknowledges = (flags & TCP_FLAG.ack) !== 0
    const bytes = tcpPacket({
      from: from.address,
      to: to.address,
      sequence: from.next,
      acknowledgement: acknowledges ? to.next : 0,
      flags,
      payload,
    })
    // SYN and FIN count as a byte each.
    const length = payload.length + ((flags & (TCP_FLAG.syn | TCP_FLAG.fin)) === 0 ? 0 : 1)
    from.next = (from.next + length) % SEQUENCE_END
    from.unacknowledged += length
    if (acknowledges) to.unacknowledged = 0
    const comment = this.#remark
    const lost = this.#lost
    this.#remark = undefined
    this.#lost = 0
    const { direction } = from
    return enhancedPacket({ at, bytes, direction, lost, ...(comment !== undefined && { comment }) })
  }
}
