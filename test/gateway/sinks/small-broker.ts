import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

const [CONNECT, PUBLISH, SUBSCRIBE, PINGREQ] = [1, 3, 8, 12]

interface Published {
  readonly topic: string
  readonly payload: string
  readonly retain: boolean
}

/** As much of an MQTT 5 broker as one publisher needs. It passes nothing on. */
export class SmallBroker {
  /** False: it takes messages, and never says so. */
  acknowledges = true
  /** In the order in which they came. */
  readonly published: Published[] = []
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((socket) => this.#serve(socket))

  static async listen(): Promise<SmallBroker> {
    const broker = new SmallBroker()
    await new Promise<void>((resolve) => broker.#server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      for (const socket of broker.#sockets) socket.destroy()
      broker.#server.close()
    })
    return broker
  }

  get url(): string {
    return `mqtt://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** What is retained now, by topic. */
  get retained(): ReadonlyMap<string, string> {
    const last = new Map<string, string>()
    for (const { topic, payload, retain } of this.published) {
      if (retain && payload !== '') last.set(topic, payload)
      else if (retain) last.delete(topic)
    }
    return last
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    let received = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes])
      for (;;) {
        const head = headOf(received)
        if (!head || received.length < head.start + head.length) return
        this.#take(socket, received[0] ?? 0, received.subarray(head.start, head.start + head.length))
        received = received.subarray(head.start + head.length)
      }
    })
  }

  #take(socket: Socket, first: number, body: Buffer): void {
    const type = first >> 4
    if (type === CONNECT) socket.write(Buffer.from([0x20, 3, 0, 0, 0]))
    if (type === PINGREQ) socket.write(Buffer.from([0xd0, 0]))
    if (type === SUBSCRIBE) socket.write(Buffer.from([0x90, 4, body[0] ?? 0, body[1] ?? 0, 0, 1]))
    if (type !== PUBLISH) return
    const isAcknowledged = (first & 6) !== 0
    const topicEnd = 2 + body.readUInt16BE(0)
    const properties = topicEnd + (isAcknowledged ? 2 : 0)
    const payload = properties + 1 + (body[properties] ?? 0)
    this.published.push({
      topic: body.toString('utf8', 2, topicEnd),
      payload: body.toString('utf8', payload),
      retain: (first & 1) !== 0,
    })
    if (isAcknowledged && this.acknowledges)
      socket.write(Buffer.from([0x40, 2, body[topicEnd] ?? 0, body[topicEnd + 1] ?? 0]))
  }
}

/** Where the body of the first packet starts, and how long it is; undefined where that has not come yet. */
function headOf(bytes: Buffer): { readonly start: number; readonly length: number } | undefined {
  let [length, shift] = [0, 0]
  for (let at = 1; at < Math.min(bytes.length, 5); at++) {
    const byte = bytes[at] ?? 0
    length += (byte & 0x7f) * 2 ** shift
    shift += 7
    if (byte < 0x80) return { start: at + 1, length }
  }
  return undefined
}
