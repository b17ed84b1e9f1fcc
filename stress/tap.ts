// Random frames through a tap, without sockets and over TCP: `npm run stress:tap -- --frames 100000 --seed 7`
import { connect, createServer, type Socket } from 'node:net'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/kit/clock.js'
import { LocalTap } from '../src/tap/tcp/local-tap.js'
import { Random } from './random.js'
import { anyFrame, garbage, TapStorm } from './tap-storm.js'

const LOOPBACK = '127.0.0.1'
/** Frames of each side on one TCP connection. */
const ON_ONE = 500

const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
  },
})
const [frames, seed] = [Number(values.frames), Number(values.seed)]
if (!(Number.isInteger(frames) && frames > 0 && Number.isInteger(seed)))
  throw new Error('--frames and --seed are whole numbers, frames at least 1')
console.log(`${frames} frames from each side, --seed ${seed}`)

/** All that comes until the other side ends. */
function received(socket: Socket): Promise<Buffer> {
  const came: Buffer[] = []
  socket.on('data', (bytes) => came.push(bytes))
  return new Promise((resolve, reject) => {
    socket.on('end', () => resolve(Buffer.concat(came)))
    socket.on('error', reject)
  })
}

const random = new Random(seed)

function chunksOf(from: 'host' | 'equipment', count: number): readonly Uint8Array[] {
  const made = Array.from({ length: count }, () => anyFrame(random, from))
  if (random.chance(0.5)) made.splice(random.below(made.length), 0, garbage(random))
  const bytes = Buffer.concat(made)
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = random.chance(0.3) ? 1 + random.below(30) : 1 + random.below(20_000)
    chunks.push(bytes.subarray(at, at + length))
    at += length
  }
  return chunks
}

async function write(socket: Socket, chunks: readonly Uint8Array[]): Promise<void> {
  for (const chunk of chunks) {
    if (!socket.write(chunk)) await new Promise((resolve) => socket.once('drain', resolve))
    if (random.chance(0.2)) await new Promise((resolve) => setImmediate(resolve))
  }
  socket.end()
}

/** Both sides write at once; each has to get what the other one has sent, and then its end. */
async function overTcp(): Promise<number> {
  let arrived = (_: Socket): void => {}
  const tool = createServer({ allowHalfOpen: true }, (socket) => arrived(socket))
  await new Promise<void>((resolve) => tool.listen(0, LOOPBACK, resolve))
  const { port } = tool.address() as { readonly port: number }
  const listen = { host: LOOPBACK, port: 0 }
  const dial = { host: LOOPBACK, port }
  const tap = new LocalTap({ caller: 'host', listen, callerAddress: undefined, dial, pause: 0 }, systemClock)
  const at = new Promise<number>((resolve) =>
    tap.told.on((event) => event.kind === 'listening' && resolve(event.port)),
  )
  let over = (): void => {}
  tap.told.on((event) => event.kind === 'over' && over())
  await tap.start()
  let sent = 0
  for (let left = frames; left > 0; left -= ON_ONE) {
    const chunks = { host: chunksOf('host', ON_ONE), equipment: chunksOf('equipment', ON_ONE) }
    const ended = new Promise<void>((resolve) => {
      over = resolve
    })
    const accepted = new Promise<Socket>((resolve) => {
      arrived = resolve
    })
    const host = connect({ port: await at, host: LOOPBACK, allowHalfOpen: true })
    const atHost = received(host)
    const equipment = await accepted
    const atEquipment = received(equipment)
    await Promise.all([write(host, chunks.host), write(equipment, chunks.equipment)])
    const wanted = [Buffer.concat(chunks.equipment), Buffer.concat(chunks.host)] as const
    if (!(await atHost).equals(wanted[0])) throw new Error('the host got something else')
    if (!(await atEquipment).equals(wanted[1])) throw new Error('the equipment got something else')
    sent += wanted[0].length + wanted[1].length
    await ended
  }
  tap.stop()
  tool.close()
  return sent
}

const storm = new TapStorm(seed)
const began = performance.now()
storm.run(frames)
console.log(JSON.stringify(storm.tally))
console.log(`without sockets: ${((performance.now() - began) / 1000).toFixed(1)} s`)
const beganTcp = performance.now()
const bytes = await overTcp()
console.log(
  `over TCP: ${bytes} bytes arrived as they were sent, ${((performance.now() - beganTcp) / 1000).toFixed(1)} s`,
)
