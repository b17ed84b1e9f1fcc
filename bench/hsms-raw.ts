import { connect, createServer, type Socket } from 'node:net'
import { EXCHANGES, type ExchangeName, type Requester } from './hsms-exchange.js'

/** `each`: a write for every frame. `joined`: what one chunk brings about leaves in one write. */
export type RawWriting = 'each' | 'joined'

const LOOPBACK = '127.0.0.1'

/** Answers every so many bytes with so many: TCP without HSMS. A server knows one exchange. */
export function serveRaw(exchange: ExchangeName, writing: RawWriting): Promise<number> {
  const { primary, secondary } = EXCHANGES[exchange].bytes
  const server = createServer({ noDelay: true }, (socket) => {
    pump(socket, primary, secondary, writing)
  })
  return new Promise((resolve) => {
    server.listen(0, LOOPBACK, () => {
      const address = server.address()
      if (address && typeof address === 'object') resolve(address.port)
    })
  })
}

export async function dialRaw(port: number, writing: RawWriting): Promise<Requester> {
  const socket = connect({ host: LOOPBACK, port, noDelay: true })
  await new Promise((resolve) => socket.once('connect', resolve))
  return {
    rate: (exchange, depth, milliseconds) => requestRaw(socket, exchange, writing, depth, milliseconds),
    close: async () => void socket.destroy(),
  }
}

function requestRaw(
  socket: Socket,
  exchange: ExchangeName,
  writing: RawWriting,
  depth: number,
  milliseconds: number,
): Promise<number> {
  const { primary, secondary } = EXCHANGES[exchange].bytes
  return new Promise((resolve) => {
    const start = performance.now()
    let done = 0
    let open = depth
    const stop = pump(socket, secondary, primary, writing, (came) => {
      done += came
      if (performance.now() < start + milliseconds) return came
      open -= came
      if (open === 0) {
        stop()
        resolve((done / (performance.now() - start)) * 1000)
      }
      return 0
    })
    writeFrames(socket, Buffer.alloc(primary * depth), primary, writing)
  })
}

/** Writes `out` bytes for every `into` bytes that come; `wanted` may make it fewer. */
function pump(
  socket: Socket,
  into: number,
  out: number,
  writing: RawWriting,
  wanted: (came: number) => number = (came) => came,
): () => void {
  const room = Buffer.alloc(64 * 1024 * 4)
  let rest = 0
  const take = (chunk: Buffer): void => {
    const came = Math.floor((rest + chunk.length) / into)
    rest = (rest + chunk.length) % into
    const frames = wanted(came)
    if (frames > 0) writeFrames(socket, room.subarray(0, frames * out), out, writing)
  }
  socket.on('data', take)
  return () => socket.off('data', take)
}

function writeFrames(socket: Socket, bytes: Buffer, length: number, writing: RawWriting): void {
  if (writing === 'joined') socket.write(bytes)
  else for (let at = 0; at < bytes.length; at += length) socket.write(bytes.subarray(at, at + length))
}
