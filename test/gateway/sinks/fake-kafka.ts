import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

const string = (text: string): Buffer => Buffer.concat([int16(Buffer.byteLength(text)), Buffer.from(text)])
const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const array = (...items: Buffer[]): Buffer => Buffer.concat([int32(items.length), ...items])

export interface KafkaCall {
  readonly key: number
  readonly version: number
  /** The request after its header. */
  readonly body: Buffer
}

/** A server that answers as a Kafka broker does, or otherwise. */
export class FakeKafka {
  readonly calls: KafkaCall[] = []
  /** What a produce request is answered: the error code of partition 0. */
  error = 0
  /** The broker that metadata names. */
  named: { readonly host: string; readonly port: number } | undefined
  /** The answer to a call, in place of a broker's; undefined for a broker's. */
  answer: (call: KafkaCall) => Buffer | undefined = () => undefined
  readonly #server: Server

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket))
  }

  static async listen(): Promise<FakeKafka> {
    const fake = new FakeKafka()
    const sockets = new Set<Socket>()
    fake.#server.on('connection', (socket) => sockets.add(socket))
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      fake.#server.close()
    })
    return fake
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  #serve(socket: Socket): void {
    let received = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes])
      while (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) {
        const frame = received.subarray(4, 4 + received.readInt32BE(0))
        received = received.subarray(4 + frame.length)
        const client = frame.readInt16BE(8)
        const call = {
          key: frame.readInt16BE(0),
          version: frame.readInt16BE(2),
          body: frame.subarray(10 + client),
        }
        this.calls.push(call)
        const body = this.answer(call) ?? this.#answer(call)
        const answer = Buffer.concat([frame.subarray(4, 8), body])
        socket.write(Buffer.concat([int32(answer.length), answer]))
      }
    })
  }

  #answer({ key }: KafkaCall): Buffer {
    const { host, port } = this.named ?? { host: '127.0.0.1', port: this.port }
    if (key === 3) {
      const broker = Buffer.concat([int32(7), string(host), int32(port), int16(-1)])
      const partition = Buffer.concat([int16(0), int32(0), int32(7), array(int32(7)), array(int32(7))])
      const topic = Buffer.concat([int16(0), string('secs'), Buffer.from([0]), array(partition)])
      return Buffer.concat([array(broker), int32(7), array(topic)])
    }
    if (key === 0) {
      const partition = Buffer.concat([int32(0), int16(this.error), Buffer.alloc(24)])
      return Buffer.concat([array(Buffer.concat([string('secs'), array(partition)])), int32(0)])
    }
    return Buffer.concat([int16(0), array(string('PLAIN'))])
  }
}

/** The answer to a SaslAuthenticate request. */
export const authenticated = (bytes: string, error = 0): Buffer =>
  Buffer.concat([int16(error), int16(-1), int32(Buffer.byteLength(bytes)), Buffer.from(bytes)])
/** The answer of a broker with these mechanisms that refuses the one that it was asked for. */
export const unsupported = (...mechanisms: string[]): Buffer =>
  Buffer.concat([int16(33), array(...mechanisms.map(string))])
