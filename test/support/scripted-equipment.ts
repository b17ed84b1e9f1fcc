import type { Socket } from 'node:net'
import { mheadOf } from '../../src/gem/message-header.js'
import { FrameReader } from '../../src/hsms/frame/frame.js'
import { dataMessage, type Header, STYPE } from '../../src/hsms/frame/header.js'
import type { DataMessage } from '../../src/hsms/message.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { A, B, type Item, L } from '../../src/secs2/item.js'
import { controlBytes, dataBytes } from './hsms-wire.js'
import { rawServer } from './tcp.js'

export interface ScriptedReply {
  readonly function: number
  readonly item?: Item
  /** Bytes in place of an item, which need not be SECS-II. */
  readonly body?: Uint8Array
}

const MODEL = L(A('SCRIPT'), A('0.1'))

/** An equipment on a raw socket: it lets itself be selected, accepts S1F13, and else says only what the test wants. */
export class ScriptedEquipment {
  /** The data messages that came, in order. */
  readonly received: DataMessage[] = []
  /** Data messages that came over a connection after another one was made. */
  readonly late: DataMessage[] = []
  /** Connections that were made to it. */
  connections = 0
  /** What it answers to a primary; undefined for nothing. */
  reply: (primary: DataMessage) => ScriptedReply | undefined = () => undefined
  /** S1F14's COMMACK; undefined leaves S1F13 to `reply`. */
  commack: number | undefined = 0
  /** Select.rsp's status; undefined leaves Select.req unanswered. */
  selectStatus: number | undefined = 0
  deviceId = 0
  /** What it says of itself in S1F14. */
  model: Item = MODEL
  /** True: S9F1 to whatever is for another device. */
  refuseDevice = false
  /** What it says as soon as a connection is made, if anything. */
  greeting: Uint8Array | undefined
  /** True once a Separate.req came. */
  separated = false
  readonly #unread: DataMessage[] = []
  #port = 0
  #socket: Socket | undefined
  readonly #waiting: (() => void)[] = []
  readonly #linktests: (() => void)[] = []
  #systemBytes = 1_000_000

  /** Listens on a port of its own unless one is given. */
  static async listen(port = 0): Promise<ScriptedEquipment> {
    const equipment = new ScriptedEquipment()
    equipment.#port = (await rawServer((socket) => equipment.take(socket), port)).port
    return equipment
  }

  get port(): number {
    return this.#port
  }

  /** Speaks over this socket from now on. */
  take(socket: Socket): void {
    this.#socket = socket
    this.connections += 1
    if (this.greeting) socket.write(this.greeting)
    const reader = new FrameReader(1 << 24)
    socket.on('data', (bytes) => {
      for (const { header, body } of reader.read(bytes)) {
        if (header.sType === STYPE.selectReq) this.#select(header)
        if (header.sType === STYPE.separateReq) this.separated = true
        if (header.sType === STYPE.linktestRsp) for (const heard of this.#linktests.splice(0)) heard()
        if (header.sType !== STYPE.data) continue
        if (socket !== this.#socket) this.late.push(dataMessage(header, body))
        this.#hear(dataMessage(header, body))
      }
    })
  }

  /** The next data message that has not been taken. */
  async next(): Promise<DataMessage> {
    for (;;) {
      const message = this.#unread.shift()
      if (message) return message
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** Resolves with Linktest.rsp: all that came before it has been read, and what left before it has arrived. */
  linktest(): Promise<void> {
    this.control('linktestReq', { systemBytes: this.#systemBytes++ })
    return new Promise((resolve) => this.#linktests.push(resolve))
  }

  /** A primary of its own, with W-bit unless told otherwise; gives its system bytes. */
  send(stream: number, fn: number, item?: Item, given: Partial<DataMessage> = {}): number {
    const systemBytes = given.systemBytes ?? this.#systemBytes++
    this.write(this.#bytes({ stream, function: fn, body: encodeBody(item), systemBytes, ...given }))
    return systemBytes
  }

  answer({ stream, systemBytes }: DataMessage, reply: ScriptedReply): void {
    const body = reply.body ?? encodeBody(reply.item)
    this.write(this.#bytes({ stream, function: reply.function, wait: false, systemBytes, body }))
  }

  control(...given: Parameters<typeof controlBytes>): void {
    this.write(controlBytes(...given))
  }

  write(bytes: Uint8Array): void {
    this.#socket?.write(bytes)
  }

  /** Ends the connection without a word. */
  cut(): void {
    this.#socket?.destroy()
  }

  #bytes(given: Partial<DataMessage>): Uint8Array {
    return dataBytes({ sessionId: this.deviceId, ...given })
  }

  #select({ systemBytes }: Header): void {
    if (this.selectStatus !== undefined) this.control('selectRsp', { systemBytes, byte3: this.selectStatus })
  }

  #hear(message: DataMessage): void {
    const { stream, function: fn } = message
    if (stream === 1 && fn === 13 && this.commack !== undefined) {
      this.answer(message, { function: 14, item: L(B(this.commack), this.model) })
      return
    }
    if (this.refuseDevice && message.sessionId !== this.deviceId) {
      this.send(9, 1, B(...mheadOf(message)), { wait: false })
      return
    }
    this.received.push(message)
    this.#unread.push(message)
    for (const look of this.#waiting.splice(0)) look()
    const reply = fn % 2 === 1 ? this.reply(message) : undefined
    if (reply) this.answer(message, reply)
  }
}
