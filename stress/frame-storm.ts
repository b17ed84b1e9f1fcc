import { encodeFrame } from '../src/hsms/frame/frame.js'
import { type Header, STYPE } from '../src/hsms/frame/header.js'
import { HsmsProtocol } from '../src/hsms/hsms-protocol.js'
import type { HsmsInput } from '../src/hsms/io.js'
import type { Outcome } from '../src/hsms/outcome.js'
import { HSMS_DEFAULTS, type HsmsSettings } from '../src/hsms/settings.js'
import { Random } from './random.js'

/** What came of a storm. */
export interface StormTally {
  /** Frames that were thrown at the machine, whole, mutated, cut short or invented. */
  readonly frames: number
  readonly bytes: number
  readonly connections: number
  readonly delivered: number
  readonly written: number
  readonly requests: number
  readonly ended: Readonly<Record<Outcome['kind'], number>>
}

const KNOWN_STYPES = Object.values(STYPE)
const MAX_OPEN = 16
/** The longest message taken; small, so that lengths above it come up. */
const MAX_LENGTH = 4096
const LENGTH_BYTES = 4

/**
 * Throws frames at one machine that a peer might send in its worst hour, with time passing, requests of our own
 * and connections that come and go. Throws when the machine does, or when it breaks a promise.
 */
export class FrameStorm {
  readonly #random: Random
  readonly #machine: HsmsProtocol
  #now = 0
  #frames = 0
  #bytes = 0
  #connections = 0
  #delivered = 0
  #written = 0
  #requests = 0
  /** System bytes of our requests that are open, so that the peer can answer some. */
  readonly #open = new Set<number>()
  /** Those of the Select.req or Linktest.req that we wrote last. */
  #asked = 0
  readonly #ended = { replied: 0, aborted: 0, error: 0, timed_out: 0, rejected: 0, lost: 0 }

  constructor(seed: number, role: HsmsSettings['role']) {
    const random = new Random(seed)
    this.#random = random
    const settings: HsmsSettings = {
      ...HSMS_DEFAULTS,
      role,
      host: '127.0.0.1',
      port: 5000,
      deviceId: 1,
      maxOpen: MAX_OPEN,
      maxMessageLength: MAX_LENGTH,
      linktestMode: random.chance(0.5) ? 'idle' : 'always',
    }
    this.#machine = new HsmsProtocol(settings, () => random.next())
  }

  get tally(): StormTally {
    return {
      frames: this.#frames,
      bytes: this.#bytes,
      connections: this.#connections,
      delivered: this.#delivered,
      written: this.#written,
      requests: this.#requests,
      ended: { ...this.#ended },
    }
  }

  /** Throws this many frames more. */
  run(frames: number): void {
    const end = this.#frames + frames
    while (this.#frames < end) {
      this.#connect()
      this.#meanwhile()
      this.#chunks(Math.min(1 + this.#random.below(8), end - this.#frames))
    }
  }

  /** Stops the machine. Throws unless every request has ended and no timer is left. */
  finish(): void {
    this.#feed({ kind: 'stop' })
    if (this.#open.size > 0) throw new Error(`${this.#open.size} requests never ended`)
    if (this.#machine.deadline !== undefined) throw new Error('a timer is left behind')
  }

  /** Sees to it that there is a connection, selected most of the time. */
  #connect(): void {
    const { state } = this.#machine
    if (state === 'NOT_SELECTED' || state === 'SELECTED') return
    if (state === 'NOT_CONNECTED') {
      this.#feed({ kind: 'start' })
      this.#feed({ kind: 'listening' })
    }
    while (this.#machine.retryAt !== undefined) this.#pass(this.#machine.retryAt - this.#now)
    this.#feed({ kind: 'connected' })
    this.#connections += 1
    if (this.#random.chance(0.1)) return
    const type = this.#machine.settings.role === 'active' ? STYPE.selectRsp : STYPE.selectReq
    this.#feed({ kind: 'bytes', bytes: encodeFrame({ header: this.#control(type), body: new Uint8Array() }) })
  }

  /** What else may happen between two chunks. */
  #meanwhile(): void {
    const random = this.#random
    if (random.chance(0.3)) this.#ask()
    if (random.chance(0.05)) this.#pass(random.chance(0.1) ? random.below(60_000) : random.below(1_000))
    if (random.chance(0.002)) this.#feed({ kind: 'disconnected', detail: 'cut' })
    if (random.chance(0.001)) this.#feed({ kind: 'stop' })
    if (random.chance(0.002)) this.#feed({ kind: 'pause' })
    if (random.chance(0.002)) this.#feed({ kind: 'surplus' })
    if (random.chance(0.1)) this.#feed({ kind: 'resume' })
  }

  #ask(): void {
    const systemBytes = this.#machine.reserve()
    if (systemBytes === undefined) return
    this.#requests += 1
    this.#open.add(systemBytes)
    const message = { sessionId: 1, stream: 1, function: 1, wait: true, systemBytes, body: new Uint8Array() }
    this.#feed({ kind: 'request', message, t3: 1 + this.#random.below(45_000) })
  }

  #pass(milliseconds: number): void {
    this.#now += milliseconds
    this.#feed({ kind: 'tick' })
    const { deadline } = this.#machine
    if (deadline !== undefined && deadline <= this.#now) throw new Error('a tick left a deadline behind it')
  }

  /** These frames, cut into chunks as a network may cut them. */
  #chunks(frames: number): void {
    const stream = Buffer.concat(Array.from({ length: frames }, () => this.#frame()))
    this.#frames += frames
    this.#bytes += stream.length
    for (let at = 0; at < stream.length; ) {
      const length = this.#random.chance(0.8) ? stream.length : 1 + this.#random.below(40)
      this.#feed({ kind: 'bytes', bytes: stream.subarray(at, at + length) })
      at += length
    }
  }

  #frame(): Uint8Array {
    const random = this.#random
    const body = random.chance(0.5)
      ? new Uint8Array()
      : random.bytes(random.below(random.chance(0.02) ? 6_000 : 40))
    const kind = random.next()
    if (kind < 0.5) return encodeFrame({ header: this.#data(), body })
    if (kind < 0.75) {
      const type = KNOWN_STYPES[random.below(KNOWN_STYPES.length)] ?? STYPE.linktestReq
      // A peer that separates all the time would leave nothing else to see.
      const calm = type === STYPE.separateReq && random.chance(0.9) ? STYPE.linktestReq : type
      return encodeFrame({ header: this.#control(calm), body: random.chance(0.9) ? new Uint8Array() : body })
    }
    if (kind < 0.9) return encodeFrame({ header: this.#anyHeader(), body })
    const bytes = encodeFrame({
      header: random.chance(0.5) ? this.#data() : this.#control(STYPE.linktestReq),
      body,
    })
    for (let flips = 1 + random.below(3); flips > 0; flips -= 1) {
      // Most leave the length alone: one that is wrong ends the connection, or swallows what follows.
      const from = random.chance(0.03) ? 0 : LENGTH_BYTES
      const at = from + random.below(bytes.length - from)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
    }
    return random.chance(0.03) ? bytes.subarray(0, random.below(bytes.length)) : bytes
  }

  #data(): Header {
    const random = this.#random
    const stream = random.chance(0.8) ? 1 : random.below(128)
    return {
      sessionId: random.chance(0.95) ? 1 : random.below(0x10000),
      byte2: stream | (random.chance(0.5) ? 0x80 : 0),
      byte3: random.chance(0.8) ? random.below(4) : random.below(256),
      pType: 0,
      sType: STYPE.data,
      systemBytes: this.#systemBytes(),
    }
  }

  #control(sType: number): Header {
    const random = this.#random
    return {
      sessionId: random.chance(0.8) ? 0xffff : random.below(0x10000),
      byte2: 0,
      byte3: random.chance(0.95) ? 0 : random.below(256),
      pType: 0,
      sType,
      systemBytes: random.chance(0.9) ? this.#asked : this.#systemBytes(),
    }
  }

  #anyHeader(): Header {
    const random = this.#random
    return {
      sessionId: random.below(0x10000),
      byte2: random.below(256),
      byte3: random.below(256),
      pType: random.chance(0.7) ? 0 : random.below(256),
      sType: random.below(256),
      systemBytes: this.#systemBytes(),
    }
  }

  /** Often those of a request of ours. */
  #systemBytes(): number {
    if (this.#random.chance(0.4)) for (const systemBytes of this.#open) return systemBytes
    return this.#random.below(2 ** 32)
  }

  #feed(input: HsmsInput): void {
    for (const output of this.#machine.handle(input, this.#now)) {
      if (output.kind === 'received') this.#delivered += 1
      if (output.kind === 'write') this.#wrote(output.bytes)
      if (output.kind === 'ended') {
        if (!this.#open.delete(output.systemBytes)) throw new Error('a request ended that was not open')
        this.#ended[output.outcome.kind] += 1
      }
    }
    if (this.#open.size > MAX_OPEN) throw new Error(`${this.#open.size} requests are open`)
  }

  #wrote(bytes: Uint8Array): void {
    this.#written += 1
    const sType = bytes[LENGTH_BYTES + 5]
    if (sType !== STYPE.selectReq && sType !== STYPE.linktestReq) return
    this.#asked = new DataView(bytes.buffer, bytes.byteOffset).getUint32(LENGTH_BYTES + 6)
  }
}
