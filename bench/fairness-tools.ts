// What floods a gateway in bench/fairness.ts: equipment on raw sockets, in a process of its own.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { encodeFrame, type Frame, FrameReader, LENGTH_BYTES } from '../src/hsms/frame/frame.js'
import { dataHeader, dataMessage, STYPE } from '../src/hsms/frame/header.js'
import { type DataMessage, isPrimary } from '../src/hsms/message.js'
import { encodeBody } from '../src/secs2/encode.js'
import { A, B, type Item, L } from '../src/secs2/item.js'
import { eventReport, MODEL, SOFTWARE } from './hsms-exchange.js'

export const FLOODS = ['S6F11', 'S9', 'secondaries', 'Linktest.req'] as const
export type FloodKind = (typeof FLOODS)[number]

/** What every tool of the process sent, and how much of it was answered or is known to have been read. */
export interface FloodCount {
  readonly sent: readonly number[]
  readonly answered: readonly number[]
}

/** Frames in one write, and how many of one tool may be unanswered. */
const BATCH = 100
const WINDOW = 4000
/** Where the system bytes of a flood begin: none of the gateway's are near. */
const FIRST = 0x4000_0000

const NO_BODY = new Uint8Array()
const IDENTITY = L(A(MODEL), A(SOFTWARE))

const data = (given: Pick<DataMessage, 'stream' | 'function' | 'wait'>, item?: Item): Frame => {
  const body = encodeBody(item)
  return { header: dataHeader({ sessionId: 0, systemBytes: 0, body, ...given }), body }
}
const control = (sType: number, systemBytes = 0): Frame => ({
  header: { sessionId: 0xffff, byte2: 0, byte3: 0, pType: 0, sType, systemBytes },
  body: NO_BODY,
})

const FRAMES: Readonly<Record<FloodKind, Frame>> = {
  S6F11: data({ stream: 6, function: 11, wait: true }, eventReport()),
  S9: data({ stream: 9, function: 5, wait: false }, B(0, 0, 0x82, 0x29, 0, 0, 0x7f, 0, 0, 1)),
  secondaries: data({ stream: 1, function: 4, wait: false }, L(A('1'), A('2'))),
  'Linktest.req': control(STYPE.linktestReq),
}

/** What the gateway's journal calls a message of this flood; a linktest is in no journal. */
export const FLOOD_TOPICS: Readonly<Record<FloodKind, string | undefined>> = {
  S6F11: 'S6F11',
  S9: 'S9F5',
  secondaries: 'S1F4',
  'Linktest.req': undefined,
}

/** An equipment that a gateway dials. */
export class RawTool {
  port = 0
  sent = 0
  answered = 0
  #socket: Socket | undefined
  #kind: FloodKind | undefined
  #window = WINDOW
  readonly #waiting = new Map<number, () => void>()

  static async listen(): Promise<RawTool> {
    const tool = new RawTool()
    const server = createServer({ noDelay: true }, (socket) => tool.#take(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    tool.port = address && typeof address === 'object' ? address.port : 0
    return tool
  }

  /** Sends as much as the socket takes, until `quiet`; no more than `window` messages are unanswered at a time. */
  flood(kind: FloodKind, window = WINDOW): void {
    this.#kind = kind
    this.#window = window
    this.#goOn()
  }

  quiet(): void {
    this.#kind = undefined
  }

  /** Sends one S6F11; resolves with its S6F12. */
  report(): Promise<void> {
    const systemBytes = FIRST + this.sent
    this.sent += 1
    this.#socket?.write(numbered(encodeFrame(FRAMES.S6F11), systemBytes))
    return new Promise((resolve) => this.#waiting.set(systemBytes, resolve))
  }

  #take(socket: Socket): void {
    this.#socket = socket
    const reader = new FrameReader(1 << 24)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      for (const frame of reader.read(bytes)) this.#hear(frame, socket)
      this.#goOn()
    })
    socket.on('drain', () => this.#goOn())
  }

  #hear({ header, body }: Frame, socket: Socket): void {
    const { sType, systemBytes } = header
    if (sType === STYPE.selectReq) socket.write(encodeFrame(control(STYPE.selectRsp, systemBytes)))
    if (sType === STYPE.linktestReq) socket.write(encodeFrame(control(STYPE.linktestRsp, systemBytes)))
    if (sType === STYPE.linktestRsp)
      this.answered += this.#kind === 'Linktest.req' || systemBytes < FIRST ? 1 : BATCH
    if (sType !== STYPE.data) return
    const message = dataMessage(header, body)
    if (isPrimary(message)) this.#answer(message, socket)
    else this.#answered(systemBytes)
  }

  #answered(systemBytes: number): void {
    this.answered += 1
    this.#waiting.get(systemBytes)?.()
    this.#waiting.delete(systemBytes)
  }

  #answer({ stream, function: fn, wait, systemBytes }: DataMessage, socket: Socket): void {
    if (!wait) return
    const item = fn === 13 ? L(B(0), IDENTITY) : IDENTITY
    const known = stream === 1 && (fn === 1 || fn === 13)
    const reply = data({ stream, function: known ? fn + 1 : 0, wait: false }, known ? item : undefined)
    socket.write(numbered(encodeFrame(reply), systemBytes))
  }

  #goOn(): void {
    const kind = this.#kind
    const socket = this.#socket
    if (!kind || !socket) return
    while (this.sent - this.answered < this.#window && !socket.writableNeedDrain) {
      const frame = encodeFrame(FRAMES[kind])
      const free = this.#window - (this.sent - this.answered)
      const count = this.#window === WINDOW ? BATCH : Math.min(BATCH, free)
      const frames = Array.from({ length: count }, (_, at) =>
        numbered(Buffer.from(frame), kind === 'Linktest.req' ? at : FIRST + this.sent + at),
      )
      // A linktest is answered once all frames before it have been read: it stands for frames without an answer.
      if (kind === 'S9' || kind === 'secondaries')
        frames.push(numbered(encodeFrame(control(STYPE.linktestReq)), FIRST))
      this.sent += count
      socket.write(Buffer.concat(frames))
    }
  }
}

function numbered(frame: Uint8Array, systemBytes: number): Uint8Array {
  Buffer.from(frame.buffer, frame.byteOffset).writeUInt32BE(systemBytes, LENGTH_BYTES + 6)
  return frame
}

type Order = { readonly flood: FloodKind; readonly window?: number } | 'quiet' | 'count'

/** Runs so many tools in this process for the process that started it. */
export async function serveTools(count: number): Promise<void> {
  const tools = await Promise.all(Array.from({ length: count }, () => RawTool.listen()))
  process.on('disconnect', () => process.exit())
  process.on('message', (order: Order) => {
    if (order === 'quiet') for (const tool of tools) tool.quiet()
    else if (order !== 'count') for (const tool of tools) tool.flood(order.flood, order.window)
    process.send?.({ sent: tools.map(({ sent }) => sent), answered: tools.map(({ answered }) => answered) })
  })
  process.send?.(tools.map(({ port }) => port))
}

/** Tools in a process of their own. One order at a time. */
export class ToolProcess {
  constructor(
    private readonly child: ChildProcess,
    readonly ports: readonly number[],
  ) {}

  /** `program` is this very program, which runs `serveTools` when it is told "tools" and how many. */
  static async start(program: string, count: number): Promise<ToolProcess> {
    const child = fork(program, ['tools', String(count)])
    const [ports] = await once(child, 'message')
    return new ToolProcess(child, ports as readonly number[])
  }

  async tell(order: Order): Promise<FloodCount> {
    const answered = once(this.child, 'message')
    this.child.send(order)
    const [count] = await answered
    return count as FloodCount
  }

  end(): void {
    this.child.kill()
  }
}
