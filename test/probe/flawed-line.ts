import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { encodeFrame, type Frame, FrameReader } from '../../src/hsms/frame/frame.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import { LOOPBACK } from '../support/tcp.js'

/** What is between a host and equipment: it may change what passes, or do what the equipment does not. */
export interface Flaw {
  /** What the equipment gets in place of a frame of the host; undefined: nothing. */
  readonly frame?: (frame: Frame) => Frame | undefined
  /** Whether the equipment gets these bytes. */
  readonly passes?: (bytes: Buffer) => boolean
  /** What becomes of a second connection while there is one; else it goes to the equipment. */
  readonly second?: (socket: Socket) => void
}

/** A port that leads to another one through a flaw. */
export async function flawedLine(
  port: number,
  flaw: Flaw,
  clock: Clock = systemClock,
): Promise<{ readonly port: number; readonly close: () => void }> {
  let open = 0
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (host) => {
    sockets.add(host)
    host.on('error', () => {})
    // The end of the connection before may come a little later.
    if (open > 0 && flaw.second)
      clock.at(clock.now() + 50, () => (open > 0 ? flaw.second?.(host) : lead(host)))
    else lead(host)
  })
  const lead = (host: Socket): void => {
    open += 1
    const equipment = connect({ host: LOOPBACK, port, noDelay: true })
    const reader = new FrameReader(1 << 24)
    host.on('data', (bytes) => {
      if (flaw.passes?.(bytes) === false) return
      if (!flaw.frame) return void equipment.write(bytes)
      try {
        for (const frame of reader.read(bytes)) {
          const left = flaw.frame(frame)
          if (left) equipment.write(encodeFrame(left))
        }
      } catch {
        equipment.write(bytes) // no frame
      }
    })
    equipment.on('data', (bytes) => host.write(bytes))
    equipment.on('close', () => host.destroy())
    host.on('close', () => {
      open -= 1
      equipment.destroy()
    })
    equipment.on('error', () => {})
  }
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve))
  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.address() as AddressInfo).port, close }
}
