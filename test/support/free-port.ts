import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections: one of those would take a port before it is listened on. */
const [FIRST, COUNT] = [16_384, 16_000]
/** Processes of tests begin far from each other. */
let next = process.pid * 7919

/** A port of the loopback that was free just now, for those who cannot be told to take any. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + (next++ % COUNT)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error('no port is free')
}
