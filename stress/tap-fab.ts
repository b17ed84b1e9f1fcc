import { createHash, type Hash } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { encodeFrame, type Frame, FrameReader } from '../src/hsms/frame/frame.js'
import { STYPE } from '../src/hsms/frame/header.js'

const LOOPBACK = '127.0.0.1'
const MAX_LENGTH = 2 ** 24
const BODY = new Uint8Array(120)
/** The longest times of messages that are kept between two looks at them. */
const MAX_TIMES = 1_000_000

/** Milliseconds from the write at one side to the arrival at the other. */
export class Times {
  #times: number[] = []

  add(milliseconds: number): void {
    if (this.#times.length < MAX_TIMES) this.#times.push(milliseconds)
  }

  /** Of those since the last look. */
  take(): { readonly count: number; readonly p50: number; readonly p99: number; readonly max: number } {
    const sorted = this.#times.sort((a, b) => a - b)
    this.#times = []
    const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
    return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
  }
}

/** What one side has sent, or the other has received: as a number of bytes, messages, and their hash. */
class Log {
  bytes = 0
  messages = 0
  readonly #hash: Hash = createHash('sha256')

  add(bytes: Uint8Array): void {
    this.bytes += bytes.length
    this.#hash.update(bytes)
  }

  get text(): string {
    return `${this.bytes} bytes, ${this.#hash.copy().digest('hex')}`
  }
}

/** Equipment and its host, each with what it has sent and received. The host selects; then both ask, and reply. */
export class FabPair {
  readonly #sent = { host: new Log(), tool: new Log() }
  readonly #received = { host: new Log(), tool: new Log() }
  readonly #sockets: Partial<Record<'host' | 'tool', Socket>> = {}
  /** When messages were written, by side, function and system bytes. */
  readonly #written = new Map<string, number>()
  readonly #server: Server
  #next = 0
  #isEnding = false
  isSelected = false
  /** What should not have happened. */
  readonly faults: string[] = []

  constructor(
    readonly name: string,
    readonly times: Times,
  ) {
    this.#server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
      if (this.#sockets.tool) this.faults.push(`${this.name}: the equipment was dialled twice`)
      this.#use('tool', socket)
    })
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, LOOPBACK, resolve))
    return (this.#server.address() as { readonly port: number }).port
  }

  /** Connects the host; what it dials has to be there. */
  async connect(port: number): Promise<void> {
    const socket = connect({ host: LOOPBACK, port, noDelay: true, allowHalfOpen: true })
    this.#use('host', socket)
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    this.#send('host', STYPE.selectReq, 0, 0)
  }

  #use(side: 'host' | 'tool', socket: Socket): void {
    this.#sockets[side] = socket
    const reader = new FrameReader(MAX_LENGTH)
    socket.on('data', (chunk) => {
      this.#received[side].add(chunk)
      for (const frame of reader.read(chunk)) this.#take(side, frame)
    })
    const over = (what: string) => () => {
      if (!this.#isEnding) this.faults.push(`${this.name}: ${what} at the ${side}`)
    }
    socket.on('end', over('the end'))
    socket.on('error', over('an error'))
    socket.on('close', over('a close'))
  }

  #take(side: 'host' | 'tool', { header }: Frame): void {
    this.#received[side].messages++
    const { sType, byte2, byte3, systemBytes } = header
    const key = `${side === 'host' ? 'tool' : 'host'} ${byte3} ${systemBytes}`
    const written = this.#written.get(key)
    this.#written.delete(key)
    if (written !== undefined) this.times.add(performance.now() - written)
    if (sType === STYPE.selectReq) this.#send(side, STYPE.selectRsp, systemBytes, 0)
    else if (sType === STYPE.selectRsp) this.isSelected = true
    else if (byte3 % 2 === 1) this.#send(side, STYPE.data, systemBytes, byte3 + 1, byte2 & 0x7f)
  }

  #send(side: 'host' | 'tool', sType: number, systemBytes: number, fn: number, byte2 = 0): void {
    const bytes = encodeFrame({
      header: { sessionId: 0, byte2, byte3: fn, pType: 0, sType, systemBytes },
      body: sType === STYPE.data ? BODY : new Uint8Array(),
    })
    this.#sent[side].add(bytes)
    this.#sent[side].messages++
    if (sType === STYPE.data) this.#written.set(`${side} ${fn} ${systemBytes}`, performance.now())
    this.#sockets[side]?.write(bytes)
  }

  /** One of the two asks, by turns: an event report, or a question for values. */
  ask(): void {
    this.#next++
    if (this.#next % 2 === 0) this.#send('host', STYPE.data, this.#next, 3, 0x81)
    else this.#send('tool', STYPE.data, this.#next, 11, 0x86)
  }

  /** Data messages that have passed. */
  get messages(): number {
    return this.#sent.host.messages + this.#sent.tool.messages - 2
  }

  get bytes(): number {
    return this.#sent.host.bytes + this.#sent.tool.bytes
  }

  /** Whether all that was sent has come. */
  get isQuiet(): boolean {
    return (
      this.#received.tool.bytes === this.#sent.host.bytes &&
      this.#received.host.bytes === this.#sent.tool.bytes
    )
  }

  /** What each has received compared with what the other has sent, and everything else that was wrong. */
  differences(): readonly string[] {
    const found = [...this.faults]
    if (this.#received.tool.text !== this.#sent.host.text) found.push(`${this.name}: host to equipment`)
    if (this.#received.host.text !== this.#sent.tool.text) found.push(`${this.name}: equipment to host`)
    return found
  }

  end(): void {
    this.#isEnding = true
    for (const socket of Object.values(this.#sockets)) socket.destroy()
    this.#server.close()
  }
}
