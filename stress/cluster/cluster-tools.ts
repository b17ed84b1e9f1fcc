import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { encodeFrame, type Frame, FrameReader } from '../../src/hsms/frame/frame.js'
import { dataHeader, dataMessage, STYPE } from '../../src/hsms/frame/header.js'
import { type DataMessage, isPrimary } from '../../src/hsms/message.js'
import { decodeBody } from '../../src/secs2/decode.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { A, B, type Item, L, U4 } from '../../src/secs2/item.js'

/** What one tool has seen. */
export interface Seen {
  readonly port: number
  /** Reports by their system bytes: how often each was sent. */
  readonly sent: readonly (readonly [systemBytes: number, times: number])[]
  /** Reports by their system bytes: when each was acknowledged, in milliseconds since 1970. */
  readonly acknowledged: readonly (readonly [systemBytes: number, at: number])[]
  /** The content of each S2F25 of the gateway, in the order of arrival. */
  readonly asked: readonly number[]
  /** Data messages over a connection after a later one was selected. */
  readonly fromOldOwner: readonly string[]
}

/** When a tool was without a selected connection, in milliseconds since 1970; an open end is null. */
export interface Pause {
  readonly port: number
  readonly from: number
  readonly until: number | null
}

interface Link {
  readonly socket: Socket
  readonly place: number
  selected: boolean
}

const REPORT_EVERY_MS = 500
const T3_MS = 10_000
const FIRST = 0x4000_0000

const frameOf = (
  given: Pick<DataMessage, 'stream' | 'function' | 'wait' | 'systemBytes'>,
  item?: Item,
): Uint8Array => {
  const body = encodeBody(item)
  return encodeFrame({ header: dataHeader({ sessionId: 0, body, ...given }), body })
}

/** An equipment that takes every connection, and repeats what is not acknowledged. */
class Tool {
  port = 0
  readonly #sent = new Map<number, number>()
  readonly #acknowledged = new Map<number, number>()
  readonly #asked: number[] = []
  readonly #fromOldOwner: string[] = []
  readonly #pauses: { from: number; until: number | null }[] = [{ from: Date.now(), until: null }]
  #links = 0
  #newest: Link | undefined
  #open: { readonly systemBytes: number; readonly at: number } | undefined
  #next = FIRST
  #isQuiet = true

  static async listen(): Promise<Tool> {
    const tool = new Tool()
    const server = createServer({ noDelay: true }, (socket) => tool.#take(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    tool.port = (server.address() as { readonly port: number }).port
    setInterval(() => tool.#report(), REPORT_EVERY_MS + Math.floor(Math.random() * 50))
    return tool
  }

  set quiet(isQuiet: boolean) {
    this.#isQuiet = isQuiet
  }

  get seen(): Seen {
    const { port } = this
    return {
      port,
      sent: [...this.#sent],
      acknowledged: [...this.#acknowledged],
      asked: this.#asked,
      fromOldOwner: this.#fromOldOwner,
    }
  }

  get pauses(): readonly Pause[] {
    return this.#pauses.map((pause) => ({ port: this.port, ...pause }))
  }

  get isSelected(): boolean {
    return this.#newest !== undefined
  }

  #take(socket: Socket): void {
    this.#links += 1
    const link = { socket, place: this.#links, selected: false }
    const reader = new FrameReader(1 << 24)
    socket.on('error', () => {})
    socket.on('close', () => this.#lost(link))
    socket.on('data', (bytes) => {
      for (const frame of reader.read(bytes)) this.#hear(frame, link)
    })
  }

  #lost(link: Link): void {
    if (this.#newest !== link) return
    this.#newest = undefined
    this.#pauses.push({ from: Date.now(), until: null })
  }

  #hear({ header, body }: Frame, link: Link): void {
    const { sType, systemBytes } = header
    const { socket } = link
    const control = (type: number): void => {
      const answer = { sessionId: 0xffff, byte2: 0, byte3: 0, pType: 0, sType: type, systemBytes }
      socket.write(encodeFrame({ header: answer, body: new Uint8Array() }))
    }
    if (sType === STYPE.selectReq) {
      control(STYPE.selectRsp)
      // A gateway that hangs may keep its connection open: the newest is the one that counts.
      if (this.#newest) this.#pauses.push({ from: Date.now(), until: Date.now() })
      this.#newest = link
      link.selected = true
      this.#open = undefined
      const last = this.#pauses.at(-1)
      if (last && last.until === null) last.until = Date.now()
    }
    if (sType === STYPE.linktestReq) control(STYPE.linktestRsp)
    if (sType === STYPE.separateReq) socket.destroy()
    if (sType !== STYPE.data) return
    const message = dataMessage(header, body)
    const name = `S${message.stream}F${message.function}`
    if (this.#newest && this.#newest.place > link.place) this.#fromOldOwner.push(name)
    if (isPrimary(message)) this.#answer(message, socket)
    else if (name === 'S6F12') {
      this.#acknowledged.set(systemBytes, Date.now())
      if (this.#open?.systemBytes === systemBytes) this.#open = undefined
    }
  }

  #answer(message: DataMessage, socket: Socket): void {
    const { stream, function: fn, wait, systemBytes, body } = message
    const identity = L(A('tool'), A('1.0'))
    if (stream === 2 && fn === 25) this.#asked.push(Number(textOf(body)))
    if (!wait) return
    const reply = (item?: Item): void => {
      socket.write(frameOf({ stream, function: item ? fn + 1 : 0, wait: false, systemBytes }, item))
    }
    if (stream === 1 && fn === 1) reply(identity)
    else if (stream === 1 && fn === 13) reply(L(B(0), identity))
    else if (stream === 2 && fn === 25) reply(decodeBody(body))
    else reply()
  }

  /** One report is open at a time; one that was not acknowledged within T3, or before the connection was lost, is repeated. */
  #report(): void {
    const link = this.#newest
    if (!link || link.socket.destroyed) return
    if (this.#open && Date.now() - this.#open.at < T3_MS) return
    const last = this.#next - 1
    const isDue = last >= FIRST && !this.#acknowledged.has(last)
    if (!isDue && this.#isQuiet) return
    const systemBytes = isDue ? last : this.#next++
    this.#open = { systemBytes, at: Date.now() }
    this.#sent.set(systemBytes, (this.#sent.get(systemBytes) ?? 0) + 1)
    const item = L(U4(1), U4(1), L(L(U4(1), L(U4(systemBytes), A('x'.repeat(100))))))
    link.socket.write(frameOf({ stream: 6, function: 11, wait: true, systemBytes }, item))
  }
}

const textOf = (body: Uint8Array): string => {
  const item = decodeBody(body)
  return item && 'value' in item ? Buffer.from(item.value as Uint8Array).toString('latin1') : ''
}

interface Answers {
  report: null
  quiet: null
  selected: readonly boolean[]
  pauses: readonly Pause[]
  seen: readonly Seen[]
}
type Order = keyof Answers

/** Runs so many tools in this process for the process that started it. */
export async function serveTools(count: number): Promise<void> {
  const tools = await Promise.all(Array.from({ length: count }, () => Tool.listen()))
  const orders: { [Name in Order]: () => Answers[Name] } = {
    report: () => {
      for (const tool of tools) tool.quiet = false
      return null
    },
    quiet: () => {
      for (const tool of tools) tool.quiet = true
      return null
    },
    selected: () => tools.map(({ isSelected }) => isSelected),
    pauses: () => tools.flatMap(({ pauses }) => pauses),
    seen: () => tools.map(({ seen }) => seen),
  }
  process.on('disconnect', () => process.exit())
  process.on('message', (order: Order) => process.send?.(orders[order]()))
  process.send?.(tools.map(({ port }) => port))
}

/** Tools in a process of their own. */
export class ToolsProcess {
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(
    readonly child: ChildProcess,
    readonly ports: readonly number[],
  ) {}

  /** `program` is this very program, which runs `serveTools` when it is told "tools" and how many. */
  static async start(program: string, count: number): Promise<ToolsProcess> {
    const child = fork(program, ['tools', String(count)])
    const [ports] = await once(child, 'message')
    return new ToolsProcess(child, ports as readonly number[])
  }

  tell<Name extends Order>(order: Name): Promise<Answers[Name]> {
    const answer = this.#turn.then(async () => {
      const answered = once(this.child, 'message')
      this.child.send(order)
      return (await answered)[0] as Answers[Name]
    })
    this.#turn = answer.catch(() => {})
    return answer
  }
}
