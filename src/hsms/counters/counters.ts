import type { Direction } from '../capture/wire.js'
import type { ControlType } from '../control.js'
import type { ConnectionFault } from '../fault.js'
import { LENGTH_BYTES } from '../frame/frame.js'
import { HEADER_LENGTH, type Header, PTYPE_SECS2, STYPE, sTypeOf } from '../frame/header.js'
import { Histogram } from './histogram.js'

/** The timers whose expiry ends something; T5 and the linktest period end nothing. `dial`: a dial that took too long. */
export type CountedTimer = 'dial' | 't1' | 't2' | 't3' | 't4' | 't6' | 't7' | 't8'

/** Why a connection to a tap was refused: another address may call, or the link is in use. */
export type TapRefusal = 'stranger' | 'in_use'

/** SECS-I: what is counted of the line. `unexpected`: blocks that continue no message; `strays`: bytes without a meaning. */
const LINE_COUNTS = [
  'blocksIn',
  'blocksOut',
  'naksIn',
  'naksOut',
  'retries',
  'duplicates',
  'unexpected',
  'strays',
] as const
export type LineCount = (typeof LINE_COUNTS)[number]

/** What was counted one way. */
export type TrafficCounts = Traffic['counts']

/** What one entity has counted since it was made. All numbers rise only, but `open`. */
export type HsmsCounts = ReturnType<Counters['counts']>

/** Upper bounds of the round-trip buckets, in seconds: up to the usual T3 and its longest. */
export const ROUND_TRIP_BOUNDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
] as const

/** Streams and functions that are counted one by one each way; a peer may send 32,768 of them, an equipment has a few dozen. */
const MAX_MESSAGE_KINDS = 256

const W_BIT = 0x80

/** Counts messages and faults. It may be used by several protocols, one after the other. */
export class Counters {
  readonly #in = new Traffic()
  readonly #out = new Traffic()
  readonly #timeouts: Record<CountedTimer, number> = {
    dial: 0,
    t1: 0,
    t2: 0,
    t3: 0,
    t4: 0,
    t6: 0,
    t7: 0,
    t8: 0,
  }
  readonly #line = Object.fromEntries(LINE_COUNTS.map((name) => [name, 0])) as Record<LineCount, number>
  #connects = 0
  readonly #losses = new Map<ConnectionFault, number>()
  #attemptsFailed = 0
  #unrecorded = 0
  readonly #refused = { stranger: 0, in_use: 0 }
  readonly #roundTrip = new Histogram(ROUND_TRIP_BOUNDS)

  frame(direction: Direction, header: Header, bodyLength: number): void {
    const traffic = direction === 'in' ? this.#in : this.#out
    traffic.add(header, LENGTH_BYTES + HEADER_LENGTH + bodyLength)
  }

  line(name: LineCount): void {
    this.#line[name] += 1
  }

  timeout(timer: CountedTimer): void {
    this.#timeouts[timer] += 1
  }

  connected(): void {
    this.#connects += 1
  }

  lost(fault: ConnectionFault): void {
    count(this.#losses, fault)
  }

  attemptFailed(): void {
    this.#attemptsFailed += 1
  }

  /** Messages passed through a tap, and are not recorded. */
  unrecorded(messages: number): void {
    this.#unrecorded += messages
  }

  /** A connection to a tap was closed at once. */
  refused(reason: TapRefusal, connections: number): void {
    this.#refused[reason] += connections
  }

  /** Of a tap: messages that were not recorded, and connections that were refused. */
  get tapped(): { readonly unrecorded: number; readonly refused: Readonly<Record<TapRefusal, number>> } {
    return { unrecorded: this.#unrecorded, refused: { ...this.#refused } }
  }

  /** `took` in milliseconds. */
  roundTrip(took: number): void {
    this.#roundTrip.add(took / 1000)
  }

  /** What was counted so far. `open`: primaries of ours that wait for a reply now. */
  counts(open: number) {
    return {
      in: this.#in.counts,
      out: this.#out.counts,
      timeouts: { ...this.#timeouts },
      /** SECS-I: blocks, refusals and repetitions on the line. */
      line: { ...this.#line },
      /** TCP connections that were established. */
      connects: this.#connects,
      /** TCP connections that ended, but for our own stop, by the fault that ended them. */
      losses: [...this.#losses].map(([fault, count]) => ({ fault, count })),
      attemptsFailed: this.#attemptsFailed,
      ...this.tapped,
      /** From a primary of ours to its secondary, in seconds. */
      roundTrip: this.#roundTrip.counts,
      open,
    } as const
  }
}

class Traffic {
  #frames = 0
  #bytes = 0
  /** By W-bit-less stream times 256 plus function. */
  readonly #messages = new Map<number, { frames: number; bytes: number }>()
  readonly #others = { frames: 0, bytes: 0 }
  readonly #control: Record<ControlType, number> = {
    selectReq: 0,
    selectRsp: 0,
    deselectReq: 0,
    deselectRsp: 0,
    linktestReq: 0,
    linktestRsp: 0,
    rejectReq: 0,
    separateReq: 0,
  }
  #unknown = 0
  readonly #rejects = new Map<number, number>()

  add(header: Header, bytes: number): void {
    this.#frames += 1
    this.#bytes += bytes
    const { sType, pType, byte2, byte3 } = header
    if (sType === STYPE.data && pType === PTYPE_SECS2) {
      const amount = this.#amountOf((byte2 & ~W_BIT) * 256 + byte3)
      amount.frames += 1
      amount.bytes += bytes
      return
    }
    const type = pType === PTYPE_SECS2 ? sTypeOf(sType) : undefined
    if (type === undefined || type === 'data') {
      this.#unknown += 1
      return
    }
    this.#control[type] += 1
    if (type === 'rejectReq') count(this.#rejects, byte3)
  }

  get counts() {
    return {
      frames: this.#frames,
      /** Length bytes, headers and bodies. */
      bytes: this.#bytes,
      /** Data messages by stream and function, those that came first. */
      messages: [...this.#messages].map(([key, amount]) => ({
        stream: key >> 8,
        function: key & 0xff,
        ...amount,
      })),
      /** Data messages whose stream and function are beyond those that are counted one by one. */
      otherMessages: { ...this.#others },
      control: { ...this.#control },
      /** Frames that are neither: of another PType, or an SType without a meaning. */
      unknown: this.#unknown,
      /** Reject.req messages by reason code, 0 to 255. */
      rejects: [...this.#rejects].map(([reason, count]) => ({ reason, count })),
    } as const
  }

  #amountOf(message: number): { frames: number; bytes: number } {
    const known = this.#messages.get(message)
    if (known) return known
    if (this.#messages.size >= MAX_MESSAGE_KINDS) return this.#others
    const amount = { frames: 0, bytes: 0 }
    this.#messages.set(message, amount)
    return amount
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
