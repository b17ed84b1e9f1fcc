import { encodeFrame, type Frame, FrameReader } from '../../src/hsms/frame/frame.js'
import { STYPE } from '../../src/hsms/frame/header.js'
import type { Chance } from './chance.js'
import type { Network, Socket } from './network.js'
import type { Observer } from './observer.js'
import type { Tool } from './tool.js'
import { Host, type World } from './world.js'

const LONGEST = 1024 * 1024
/** Milliseconds between two looks whether its connection is still there. */
const LINKTEST_MS = 5 * 60_000
/** The gateway asks tapped equipment for the time alone, and its host never does. */
const GATEWAYS_STREAM = 2
const GATEWAYS_FUNCTIONS: readonly number[] = [17, 18]
/** Bodies of secondaries: accepted; and, for S1F14, with an empty list. */
const ACCEPTED = Uint8Array.of(0x21, 1, 0)
const COMMUNICATES = Uint8Array.of(1, 2, 0x21, 1, 0, 1, 0)
/** No ids: a U4 of no bytes. */
const ALL = Uint8Array.of(0xb1, 0)
const NOTHING = new Uint8Array()
/** Its system bytes begin here: some hosts choose those that the gateway counts from. */
const FIRST_BYTES: readonly number[] = [1, 0x8000_0001]

const ARRIVES = 'Every message arrives as it was sent.'

/** A connection of the host or of the tool, and the frames in its bytes. */
interface End {
  readonly socket: Socket
  readonly readers: { readonly in: FrameReader; readonly out: FrameReader }
  /** Of the host's connection to which it belongs. */
  readonly pair: number
}

/** Of a frame what a tap may not change: all but the system bytes. */
const digestOf = ({ header, body }: Frame): string =>
  [
    header.sessionId,
    header.byte2,
    header.byte3,
    header.pType,
    header.sType,
    Buffer.from(body).toString('hex'),
  ].join(' ')

const isGateways = ({ header }: Frame): boolean =>
  header.sType === STYPE.data &&
  (header.byte2 & 0x7f) === GATEWAYS_STREAM &&
  GATEWAYS_FUNCTIONS.includes(header.byte3)

/** The host that a tool already has: it reaches the tool through a tap of the gateway, and compares what comes with what was sent. */
export class OwnHost {
  readonly host: Host
  readonly #chance: Chance
  readonly #bytes: number
  #socket: Socket | undefined
  #pair = 0
  #isSelected = false
  #number = 0
  #machine = 0
  readonly #ends = new Map<Socket, End>()
  /** What has left for each of the two and has not come there. */
  readonly #underWay: Record<'host' | 'tool', string[]> = { host: [], tool: [] }

  constructor(
    readonly world: World,
    readonly network: Network,
    readonly observer: Observer,
    readonly tool: Tool,
    /** Where the gateways are, one of which has the tap. */
    readonly addresses: readonly string[],
    /** How many times as rarely as usual it asks. */
    readonly pace: number,
  ) {
    this.host = new Host(`host of ${tool.name}`, tool.ownHost as string, world)
    this.#chance = world.chance.fork(this.host.name)
    this.#bytes = this.#chance.pick(FIRST_BYTES)
    network.watched.set(this.host, (socket, to, bytes) => this.#see('host', socket, to, bytes))
    network.watched.set(tool.host, (socket, to, bytes) => this.#see('tool', socket, to, bytes))
    world.after(this.host, 0, () => void this.#work())
    world.after(this.host, 0, () => void this.#testLink())
  }

  /** A peer that has lost its power says nothing, also not to who asks nothing. */
  async #testLink(): Promise<void> {
    for (;;) {
      await this.world.sleep(this.host, LINKTEST_MS)
      if (this.#isSelected) this.#send(STYPE.linktestReq)
      else this.#socket?.destroy()
    }
  }

  async #work(): Promise<void> {
    for (;;) {
      this.#dial()
      const began = this.world.now
      const until = began + this.#chance.between(60_000, 3_600_000)
      while (this.#socket && (this.world.now < until || this.tool.isPaused)) {
        await this.world.sleep(this.host, this.pace * this.#chance.between(1000, 30_000))
        if (!this.tool.isPaused) this.#ask()
      }
      // A host that starts again, or one whose connection has ended.
      if (this.#chance.is(0.5)) this.#send(STYPE.separateReq)
      this.#socket?.[this.#chance.is(0.5) ? 'end' : 'destroy']()
      this.#socket = undefined
      await this.world.sleep(this.host, this.#chance.between(100, 20_000))
    }
  }

  #dial(): void {
    const { network, tool, addresses } = this
    const address = addresses[this.#machine++ % addresses.length] as string
    const socket = network.connect({ host: address, port: tool.tapPort })
    const reader = new FrameReader(LONGEST)
    this.#socket = socket
    this.#pair += 1
    this.#isSelected = false
    this.#underWay.tool = []
    socket.on('connect', () => this.#send(STYPE.selectReq))
    socket.on('error', () => {})
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined
    })
    socket.on('data', (chunk: Uint8Array) => {
      if (this.#socket !== socket) return
      for (const frame of reader.read(chunk)) this.#take(frame)
    })
  }

  #take({ header }: Frame): void {
    const { sType, byte2, byte3, systemBytes } = header
    if (sType === STYPE.selectRsp) {
      this.#isSelected = true
      this.#ask(1, 13, Uint8Array.of(1, 0))
    } else if (sType === STYPE.data && byte2 === 1 && byte3 === 14) {
      // What was set or cleared while it was not connected.
      this.#ask(5, 5, ALL)
    } else if (sType === STYPE.linktestReq) this.#send(STYPE.linktestRsp, systemBytes)
    else if (sType === STYPE.data && (byte2 & 0x80) !== 0) {
      const body =
        byte2 === 0x81 && byte3 === 13 ? COMMUNICATES : byte2 === 0x81 ? Uint8Array.of(1, 0) : ACCEPTED
      this.#write(
        {
          sType: STYPE.data,
          systemBytes,
          byte2: byte2 & 0x7f,
          byte3: byte3 + 1,
          sessionId: header.sessionId,
        },
        body,
      )
    }
  }

  /** S1F1, or S2F25 with bytes that come back. */
  #ask(stream = 2, fn = this.#chance.is(0.5) ? 25 : 0, body?: Uint8Array): void {
    if (!this.#isSelected) return
    this.#number += 1
    const systemBytes = this.#bytes + this.#number
    if (fn === 0)
      return this.#write({ sType: STYPE.data, systemBytes, byte2: 0x81, byte3: 1, sessionId: 0 }, NOTHING)
    const bytes = Uint8Array.from({ length: 1 + this.#chance.below(200) }, () => this.#chance.below(256))
    const given = body ?? Uint8Array.of(0x21, bytes.length, ...bytes)
    this.#write({ sType: STYPE.data, systemBytes, byte2: 0x80 | stream, byte3: fn, sessionId: 0 }, given)
  }

  #send(sType: number, systemBytes = 0): void {
    this.#write({ sType, systemBytes, byte2: 0, byte3: 0, sessionId: 0xffff }, NOTHING)
  }

  #write(header: Omit<Frame['header'], 'pType'>, body: Uint8Array): void {
    const socket = this.#socket
    if (!socket || socket.connecting || !socket.writable) return
    socket.write(Buffer.from(encodeFrame({ header: { ...header, pType: 0 }, body })))
  }

  /** Bytes have left one of the two, or have come there. */
  #see(who: 'host' | 'tool', socket: Socket, to: 'in' | 'out', bytes: Uint8Array): void {
    const end = this.#ends.get(socket) ?? this.#newEnd(who, socket)
    for (const frame of end.readers[to].read(Uint8Array.from(bytes))) {
      const isCurrent = end.pair === this.#pair && (who === 'tool' || socket === this.#socket)
      if (!isCurrent || isGateways(frame)) continue
      const digest = digestOf(frame)
      if (to === 'out') {
        this.#underWay[who === 'host' ? 'tool' : 'host'].push(digest)
        continue
      }
      const expected = this.#underWay[who].shift()
      this.observer.count('messages that passed a tap')
      if (this.tool.tapped && frame.header.sType === STYPE.data) this.tool.tapped.passed += 1
      const what = (): string => `the ${who} of ${this.tool.name} got ${digest} and not ${expected}`
      this.observer.requireNow(digest === expected, ARRIVES, what)
    }
  }

  #newEnd(who: 'host' | 'tool', socket: Socket): End {
    const readers = { in: new FrameReader(LONGEST), out: new FrameReader(LONGEST) }
    const end = { socket, readers, pair: this.#pair }
    this.#ends.set(socket, end)
    socket.once('close', () => this.#ends.delete(socket))
    if (who === 'tool') this.#underWay.host = []
    return end
  }
}
