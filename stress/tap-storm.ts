import { encodeFrame, type Frame, FrameReader } from '../src/hsms/frame/frame.js'
import { type Header, readHeader, STYPE, writeHeader } from '../src/hsms/frame/header.js'
import { isPrimary } from '../src/hsms/message.js'
import type { Side } from '../src/tap/side.js'
import { TappedLine } from '../src/tap/tapped-line.js'
import { Random } from './random.js'

/** System bytes that the host, and the equipment by itself, begin at: far from those that the gateway wants. */
const OF_HOST = 1_000_000
const OF_EQUIPMENT = 2_000_000
const MAX_LENGTH = 2 ** 28
/** Nobody else has this session ID. */
const OUR_SESSION = 0xbeef
const OURS = { sessionId: OUR_SESSION, stream: 1, function: 3, wait: true, body: Uint8Array.of(1, 0) }

/** What came of a storm. */
export interface TapTally {
  readonly frames: number
  readonly bytes: number
  readonly connections: number
  /** Frames that the tap told of. */
  readonly told: number
  /** Connections of which a side sent what is no HSMS. */
  readonly unreadable: number
  /** Primaries of the gateway, and what the equipment sent about them. */
  readonly sent: number
  readonly replied: number
  /** Primaries of the host whose system bytes were in use. */
  readonly mapped: number
}

/** A frame as a peer may send it in its worst hour. */
export function anyFrame(random: Random, from: Side): Uint8Array {
  const systemBytes = (from === 'host' ? OF_HOST : OF_EQUIPMENT) + random.below(1000)
  const long = random.chance(0.01) ? 70_000 : random.chance(0.1) ? 2000 : 40
  const body = random.chance(0.4) ? new Uint8Array() : random.bytes(random.below(long))
  const [byte2, byte3] = [random.below(256), random.below(256)]
  const sType = random.chance(0.7) ? 0 : random.chance(0.7) ? random.below(10) : random.below(256)
  const pType = random.chance(0.95) ? 0 : random.below(256)
  const sessionId = random.below(OUR_SESSION)
  return encodeFrame({ header: { sessionId, byte2, byte3, pType, sType, systemBytes }, body })
}

/** What is no frame: a length that is too short or too long, another protocol, a frame that is cut. */
export function garbage(random: Random): Uint8Array {
  const kind = random.below(4)
  if (kind === 0) return Buffer.from('GET / HTTP/1.1\r\nhost: etcher\r\n\r\n')
  if (kind === 1)
    return Buffer.concat([Uint8Array.of(0, 0, 0, random.below(10)), random.bytes(random.below(50))])
  if (kind === 2) return Buffer.concat([Uint8Array.of(255), random.bytes(3 + random.below(2000))])
  return anyFrame(random, 'host').subarray(0, 1 + random.below(13))
}

const isData = ({ pType, sType }: Header): boolean => pType === 0 && sType === STYPE.data

/**
 * Throws frames at both sides of a tapped line, cut anywhere, while the gateway asks the equipment, and the host takes
 * system bytes that are in use. Throws where a side does not get exactly what it would have got directly.
 */
export class TapStorm {
  readonly #random: Random
  readonly #tally = {
    frames: 0,
    bytes: 0,
    connections: 0,
    told: 0,
    unreadable: 0,
    sent: 0,
    replied: 0,
    mapped: 0,
  }

  constructor(seed: number) {
    this.#random = new Random(seed)
  }

  get tally(): TapTally {
    return { ...this.#tally }
  }

  /** Throws this many frames more from each side. */
  run(frames: number): void {
    const end = this.#tally.frames + 2 * frames
    while (this.#tally.frames < end) {
      const connection = new StormyLine(this.#random)
      connection.run(Math.min(1 + this.#random.below(120), Math.ceil((end - this.#tally.frames) / 2)))
      this.#tally.connections++
      for (const [name, count] of Object.entries(connection.tally))
        this.#tally[name as keyof TapTally] += count
    }
  }
}

/** A primary of which the equipment may send something: as it was sent, and as the equipment got it. */
interface Asked {
  readonly sent: Header
  readonly got: Header
}

/** One connection of a storm. */
class StormyLine {
  readonly tally = { frames: 0, bytes: 0, told: 0, unreadable: 0, sent: 0, replied: 0, mapped: 0 }
  readonly #line: TappedLine
  /** Frames of the host that have not reached the equipment. */
  readonly #onTheWay: Uint8Array[] = []
  readonly #reader = new FrameReader(MAX_LENGTH)
  readonly #asked: Asked[] = []
  /** What the host would have got directly, and what it got. */
  readonly #direct: Uint8Array[] = []
  readonly #toHost: Uint8Array[] = []
  /** What the equipment got after the last frame. */
  #tail: Uint8Array[] | undefined
  #expectedReplies = 0

  constructor(private readonly random: Random) {
    const { tally } = this
    this.#line = new TappedLine({
      write: (to, bytes) => {
        if (to === 'host') this.#toHost.push(Uint8Array.from(bytes))
        else this.#arrived(Uint8Array.from(bytes))
      },
      whole: (_, __, frames) => {
        tally.told += frames
      },
      begun: (_, __, ___, mapped) => {
        if (mapped !== undefined) tally.mapped++
      },
      body: () => {},
      ended: () => tally.told++,
      control: () => {},
      data: () => {},
      unreadable: () => tally.unreadable++,
      sent: () => tally.sent++,
      replied: () => tally.replied++,
    })
  }

  run(frames: number): void {
    const { random } = this
    for (let left = frames; left > 0; ) {
      const some = Math.min(left, 1 + random.below(6))
      left -= some
      this.tally.frames += 2 * some
      this.#send(
        Array.from({ length: some }, () => this.#ofHost()),
        Array.from({ length: some }, () => this.#ofEquipment()),
      )
    }
    this.#tail = []
    const [host, equipment] = [this.#garbage(), this.#garbage()]
    this.#send([host], [equipment])
    for (const side of ['host', 'equipment'] as const) this.#line.end(side)
    demand(this.#onTheWay.length === 0, 'the equipment got all frames')
    demand(Buffer.concat(this.#tail).equals(host), 'the equipment got what the host sent last')
    demand(
      Buffer.concat(this.#toHost).equals(Buffer.concat([...this.#direct, equipment])),
      'the host got what it would have got directly',
    )
    const { told, replied } = this.tally
    demand(replied === this.#expectedReplies, 'each reply to the gateway came to it')
    demand(told + replied === this.tally.frames, 'each frame was told once')
  }

  #garbage(): Uint8Array {
    return this.random.chance(0.3) ? garbage(this.random) : new Uint8Array()
  }

  #ofHost(): Uint8Array {
    const frame = anyFrame(this.random, 'host')
    const ours = this.#asked.filter(({ got }) => got.sessionId === OUR_SESSION)
    // As if it took what is in use.
    if (ours.length > 0 && this.random.chance(0.2))
      writeHeader({ ...readHeader(frame, 4), systemBytes: this.random.pick(ours).got.systemBytes }, frame, 4)
    this.#onTheWay.push(Uint8Array.from(frame))
    return frame
  }

  /** Replies to what came, rejects it, sends stream 9 about it, or sends something by itself. */
  #ofEquipment(): Uint8Array {
    const at = this.random.below(this.#asked.length)
    const [asked] = this.random.chance(0.5) ? this.#asked.splice(at, 1) : []
    if (!asked) {
      const frame = anyFrame(this.random, 'equipment')
      this.#direct.push(Uint8Array.from(frame))
      return frame
    }
    const about = this.random.pick([reply, rejection, stream9])
    if (asked.got.sessionId === OUR_SESSION) this.#expectedReplies++
    else this.#direct.push(about(asked.sent))
    return about(asked.got)
  }

  /** In chunks of any size, by turns; meanwhile the gateway asks. */
  #send(host: readonly Uint8Array[], equipment: readonly Uint8Array[]): void {
    const chunks = { host: this.#cut(Buffer.concat(host)), equipment: this.#cut(Buffer.concat(equipment)) }
    while (chunks.host.length + chunks.equipment.length > 0) {
      const from = this.random.pick(['host', 'equipment'] as const)
      const chunk = chunks[from].shift()
      if (chunk) this.#line.take(from, chunk)
      if (!this.#tail && this.random.chance(0.03)) this.#line.send(OURS, this.tally.sent + 1)
    }
  }

  #cut(bytes: Uint8Array): Uint8Array[] {
    this.tally.bytes += bytes.length
    const chunks: Uint8Array[] = []
    for (let at = 0; at < bytes.length; ) {
      const length = this.random.chance(0.5) ? bytes.length : 1 + this.random.below(60)
      chunks.push(Uint8Array.from(bytes.subarray(at, at + length)))
      at += length
    }
    return chunks
  }

  #arrived(bytes: Uint8Array): void {
    if (this.#tail) return void this.#tail.push(bytes)
    for (const frame of this.#reader.read(bytes)) this.#frameArrived(frame)
  }

  #frameArrived({ header: got, body }: Frame): void {
    if (got.sessionId === OUR_SESSION) return void this.#asked.push({ sent: got, got })
    const bytes = this.#onTheWay.shift()
    if (!bytes) throw new Error('the equipment got a frame that nobody has sent')
    const sent = readHeader(bytes, 4)
    const isPrimaryOfHost = isData(sent) && isPrimary({ function: sent.byte3 })
    // Only the system bytes of a primary may be others.
    const mayBe = isPrimaryOfHost ? { ...sent, systemBytes: got.systemBytes } : sent
    const asSent = Buffer.from(encodeFrame({ header: mayBe, body }))
    bytes.set(asSent.subarray(10, 14), 10)
    demand(asSent.equals(bytes), 'the equipment got what the host has sent', got)
    if (!isPrimaryOfHost) return
    const isOpen = this.#asked.some((one) => one.got.systemBytes === got.systemBytes)
    const isOthers = this.#asked.some(
      (one) => one.got.systemBytes === got.systemBytes && one.sent.systemBytes !== sent.systemBytes,
    )
    demand(!isOthers, 'system bytes are not open twice for two who ask', got)
    if (!isOpen) this.#asked.push({ sent, got })
  }
}

function demand(holds: boolean, law: string, seen?: unknown): void {
  if (!holds) throw new Error(`broken: ${law} (${JSON.stringify(seen)})`)
}

const reply = (to: Header): Uint8Array =>
  encodeFrame({
    header: { ...to, byte2: to.byte2 & 0x7f, byte3: (to.byte3 + 1) % 256 },
    body: Uint8Array.of(1, 0),
  })

const rejection = (to: Header): Uint8Array =>
  encodeFrame({ header: { ...to, byte2: 0, byte3: 4, sType: STYPE.rejectReq }, body: new Uint8Array() })

function stream9(about: Header): Uint8Array {
  const body = new Uint8Array(12)
  body.set([0x21, 10])
  writeHeader(about, body, 2)
  return encodeFrame({ header: { ...about, byte2: 9, byte3: 7, systemBytes: OF_EQUIPMENT }, body })
}
