import { connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Frame, FrameReader } from '../../src/hsms/frame/frame.js'
import { controlBytes } from './hsms-wire.js'

export const LOOPBACK = '127.0.0.1'

/** A peer that is no driver: it writes what the test wants, and keeps the frames that come. */
export class RawPeer {
  readonly frames: Frame[] = []
  readonly closed: Promise<void>
  readonly #waiting: (() => void)[] = []

  constructor(readonly socket: Socket) {
    const reader = new FrameReader(1 << 24)
    socket.on('data', (bytes) => {
      for (const frame of reader.read(bytes)) this.frames.push(frame)
      for (const look of this.#waiting.splice(0)) look()
    })
    socket.on('error', () => {})
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
    onTestFinished(() => void socket.destroy())
  }

  static async dial(port: number, localAddress = LOOPBACK): Promise<RawPeer> {
    const socket = connect({ port, host: LOOPBACK, localAddress })
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new RawPeer(socket)
  }

  control(...given: Parameters<typeof controlBytes>): this {
    this.socket.write(controlBytes(...given))
    return this
  }

  /** The next frame that has not been taken. */
  async frame(): Promise<Frame> {
    for (;;) {
      const frame = this.frames.shift()
      if (frame) return frame
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }
}

/** A TCP server that is no HSMS entity, on a port of its own unless one is given. */
export async function rawServer(
  onSocket: (socket: Socket) => void = () => {},
  wanted = 0,
): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    onSocket(socket)
  })
  await new Promise<void>((resolve) => server.listen(wanted, LOOPBACK, resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (!address || typeof address !== 'object') throw new Error('no port')
  return { server, port: address.port }
}

/** Answers the Select.req that a connection begins with. */
export function acceptSelect(socket: Socket): void {
  socket.once('data', (chunk) => {
    socket.write(controlBytes('selectRsp', { systemBytes: chunk.readUInt32BE(10) }))
  })
}

/** Sends `text` as it is, and resolves with all that comes until the other side hangs up. */
export function socketAnswer(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
    socket.write(text)
  })
}
