import type { Direction } from '../capture/wire.js'
import type { ControlType } from '../control.js'
import type { ConnectionFault } from '../fault.js'
import { LENGTH_BYTES } from '../frame/frame.js'
import { HEADER_LENGTH, type Header, PTYPE_SECS2, STYPE, sTypeOf } from '../frame/header.js'
import { Histogram, type HistogramCounts } from './histogram.js'

/** The timers whose expiry ends something; T5 and the linktest period end nothing. `dial`: a dial that took too long. */
export type CountedTimer = 'dial' | 't3' | 't6' | 't7' | 't8'

export interface Amount {
  readonly frames: number
  /** Length bytes, headers and bodies. */
  readonly bytes: number
}

export interface MessageAmount extends Amount {
  readonly stream: number
  readonly function: number
}

/** What went one way. */
export interface TrafficCounts extends Amount {
  /** Data messages by stream and function, those that came first. */
  readonly messages: readonly MessageAmount[]
  /** Data messages whose stream and function are beyond those that are counted one by one. */
  readonly otherMessages: Amount
  readonly control: Readonly<Record<ControlType, number>>
  /** Frames that are neither: of another PType, or an SType without a meaning. */
  readonly unknown: number
  /** Reject.req messages by reason code, 0 to 255. */
  readonly rejects: readonly { readonly reason: number; readonly count: number }[]
}

/** What one entity has lived through since it was made. All numbers rise only, but `open`. */
export interface HsmsCounts {
  readonly in: TrafficCounts
  readonly out: TrafficCounts
  readonly timeouts: Readonly<Record<CountedTimer, number>>
  /** TCP connections that were established. */
  readonly connects: number
  /** TCP connections that ended, but for our own stop, by what ended them. */
  readonly losses: readonly { readonly fault: ConnectionFault; readonly count: number }[]
  readonly attemptsFailed: number
  /** From a primary of ours to its secondary, in seconds. */
  readonly roundTrip: HistogramCounts
  /** Primaries of ours that wait for a reply now. */
  readonly open: number
}

/** Upper bounds of the round-trip buckets, in seconds: up to the usual T3 and its longest. */
export const ROUND_TRIP_BOUNDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
] as const

/** Streams and functions that are counted one by one each way; a peer may send 32,768 of them, an equipment has a few dozen. */
const MAX_MESSAGE_KINDS = 256

const W_BIT = 0x80

/** Counts what passes and what goes wrong, for as long as its owner likes: it may outlive the machine that it counts for. */
export class Counters {
  readonly #in = new Traffic()
  readonly #out = new Traffic()
  readonly #timeouts: Record<CountedTimer, number> = { dial: 0, t3: 0, t6: 0, t7: 0, t8: 0 }
  #connects = 0
  readonly #losses = new Tally<ConnectionFault>()
  #attemptsFailed = 0
  readonly #roundTrip = new Histogram(ROUND_TRIP_BOUNDS)

  frame(direction: Direction, header: Header, bodyLength: number): void {
    const traffic = direction === 'in' ? this.#in : this.#out
    traffic.add(header, LENGTH_BYTES + HEADER_LENGTH + bodyLength)
  }

  timeout(timer: CountedTimer): void {
    this.#timeouts[timer] += 1
  }

  connected(): void {
    this.#connects += 1
  }

  lost(fault: ConnectionFault): void {
    this.#losses.add(fault)
  }

  attemptFailed(): void {
    this.#attemptsFailed += 1
  }

  /** `took` in milliseconds. */
  roundTrip(took: number): void {
    this.#roundTrip.add(took / 1000)
  }

  /** What was counted so far; `open` is known by the machine alone. */
  counts(open: number): HsmsCounts {
    return {
      in: this.#in.counts,
      out: this.#out.counts,
      timeouts: { ...this.#timeouts },
      connects: this.#connects,
      losses: this.#losses.all.map(([fault, count]) => ({ fault, count })),
      attemptsFailed: this.#attemptsFailed,
      roundTrip: this.#roundTrip.counts,
      open,
    }
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
  readonly #rejects = new Tally<number>()

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
    if (type === 'rejectReq') this.#rejects.add(byte3)
  }

  get counts(): TrafficCounts {
    return {
      frames: this.#frames,
      bytes: this.#bytes,
      messages: [...this.#messages].map(([key, amount]) => ({
        stream: key >> 8,
        function: key & 0xff,
        ...amount,
      })),
      otherMessages: { ...this.#others },
      control: { ...this.#control },
      unknown: this.#unknown,
      rejects: this.#rejects.all.map(([reason, count]) => ({ reason, count })),
    }
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

/** Counts by key, for a few keys. */
class Tally<K> {
  readonly #counts = new Map<K, number>()

  add(key: K): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  get all(): readonly (readonly [K, number])[] {
    return [...this.#counts]
  }
}
