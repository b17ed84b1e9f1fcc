// What a tap adds: round trips of a host and equipment connected directly, through a tap with a daemon that looks, and
// through a process that only pipes bytes from each side to the other, in turns; and the processor time that tap and daemon take for each message, which other programs change less than times
// by the clock. Host, equipment, tap and daemon are processes of their own. `-- --seconds 5 --rounds 7`
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { encodeFrame, FrameReader } from '../src/hsms/frame/frame.js'
import { systemClock } from '../src/kit/clock.js'
import { TapClient } from '../src/tap/process/tap-client.js'
import { TapProcess } from '../src/tap/process/tap-process.js'
import { median } from './rate.js'

const LOOPBACK = '127.0.0.1'
const MAX_LENGTH = 2 ** 24
/** Bytes of each primary and each reply, with header and length. */
const FRAME_BYTES = 200
const PER_SECOND = 1000
const OPEN = 32

const frame = (byte3: number, systemBytes: number): Uint8Array =>
  encodeFrame({
    header: { sessionId: 1, byte2: byte3 === 1 ? 0x81 : 1, byte3, pType: 0, sType: 0, systemBytes },
    body: new Uint8Array(FRAME_BYTES - 14),
  })

/** Equipment that replies at once. */
function serve(): void {
  const server = createServer({ noDelay: true }, (socket) => {
    const reader = new FrameReader(MAX_LENGTH)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      for (const { header } of reader.read(chunk)) socket.write(frame(2, header.systemBytes))
    })
  })
  server.listen(0, LOOPBACK, () => process.send?.((server.address() as { readonly port: number }).port))
}

/** A process between host and equipment that does nothing but to pass bytes on: no tap in Node can be faster. */
function pipeTo(port: number): void {
  const server = createServer({ noDelay: true }, (socket) => {
    const other = connect({ host: LOOPBACK, port, noDelay: true })
    for (const one of [socket, other]) one.on('error', () => {})
    socket.pipe(other).pipe(socket)
  })
  server.listen(0, LOOPBACK, () => process.send?.((server.address() as { readonly port: number }).port))
}

async function runTaps(path: string): Promise<void> {
  await new TapProcess(systemClock).listen(path)
  process.send?.('listening')
}

function look(path: string, port: number): void {
  const client = new TapClient({
    clock: systemClock,
    path: () => path,
    launch: () => {},
    failed: (detail) => console.error(detail),
    leaseMs: () => undefined,
  })
  const dial = { host: LOOPBACK, port }
  const settings = {
    caller: 'host',
    listen: { host: LOOPBACK, port: 0 },
    callerAddress: undefined,
    dial,
    pause: 0,
  } as const
  const link = client.open('eq', settings)
  void link.start()
  let gaps = 0
  link.observed.on((one) => {
    link.recorded(1)
    if (one.kind === 'listening') process.send?.(one.port)
    if (one.kind === 'gap') console.error(`${++gaps}: ${one.messages} messages were not told`)
  })
}

/** Has a process tell the processor time that it has taken, in microseconds, when it is asked. */
function tellProcessorTime(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  })
}

const processorTime = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once('message', (time) => resolve(Number(time)))
    child.send('?')
  })

interface Host {
  send(): Promise<number>
  readonly socket: Socket
}

/** A host on one connection: `send` resolves with the time of the round trip, in milliseconds. */
async function host(port: number): Promise<Host> {
  const socket = connect({ host: LOOPBACK, port, noDelay: true })
  await new Promise((resolve) => socket.once('connect', resolve))
  const reader = new FrameReader(MAX_LENGTH)
  const open = new Map<number, () => void>()
  let next = 1
  socket.on('data', (chunk) => {
    for (const { header } of reader.read(chunk)) {
      open.get(header.systemBytes)?.()
      open.delete(header.systemBytes)
    }
  })
  const send = (): Promise<number> => {
    const systemBytes = next++
    const began = performance.now()
    socket.write(frame(1, systemBytes))
    return new Promise((resolve) => open.set(systemBytes, () => resolve(performance.now() - began)))
  }
  return { send, socket }
}

/** Round trips at a steady rate. */
async function latencies({ send }: Host, seconds: number): Promise<number[]> {
  const found: Promise<number>[] = []
  const began = performance.now()
  while (performance.now() < began + seconds * 1000) {
    const due = ((performance.now() - began) / 1000) * PER_SECOND
    while (found.length < due) found.push(send())
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return (await Promise.all(found)).sort((a, b) => a - b)
}

/** Round trips a second with so many open. */
async function throughput({ send }: Host, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000
  let done = 0
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      await send()
      done++
    }
  }
  await Promise.all(Array.from({ length: OPEN }, one))
  return done / seconds
}

const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.floor(sorted.length * part)] ?? Number.NaN

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '3' }, rounds: { type: 'string', default: '7' } },
  })
  const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)]
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-bench-tap-'))
  const children: ChildProcess[] = []
  const role = async (
    ...words: string[]
  ): Promise<{ readonly child: ChildProcess; readonly said: number }> => {
    const child = fork(process.argv[1] ?? '', words)
    children.push(child)
    return new Promise((resolve) => child.once('message', (value) => resolve({ child, said: Number(value) })))
  }
  const path = join(folder, 'socket')
  const { said: direct } = await role('equipment')
  const { child: taps } = await role('taps', path)
  const { child: daemon, said: tapped } = await role('daemon', path, String(direct))
  const { child: pipe, said: piped } = await role('pipe', '', String(direct))
  const ways = { direct: await host(direct), piped: await host(piped), tapped: await host(tapped) }
  /** Microseconds of the processor for one message, at a steady rate and with many open. */
  const between = { pipe, taps, daemon }
  const names = Object.keys(between) as (keyof typeof between)[]
  const cost = Object.fromEntries(names.map((name) => [name, { steady: [], open: [] }])) as unknown as Record<
    keyof typeof between,
    Record<'steady' | 'open', number[]>
  >
  const times = (): Promise<readonly number[]> => Promise.all(Object.values(between).map(processorTime))
  const spent = (
    of: 'steady' | 'open',
    way: Way,
    before: readonly number[],
    after: readonly number[],
    messages: number,
  ) => {
    for (const [at, name] of names.entries())
      if ((way === 'piped') === (name === 'pipe'))
        cost[name][of].push(((after[at] ?? 0) - (before[at] ?? 0)) / messages)
  }
  type Way = keyof typeof ways
  const wayNames = Object.keys(ways) as Way[]
  const none = (): Record<Way, number[]> => ({ direct: [], piped: [], tapped: [] })
  const [p50, p99, rate] = [none(), none(), none()]
  for (let round = 0; round <= rounds; round++)
    for (const way of wayNames) {
      const [start, found] = [await times(), await latencies(ways[way], seconds)]
      const [middle, perSecond] = [await times(), await throughput(ways[way], seconds / 2)]
      const end = await times()
      if (round === 0) continue // until everything is compiled
      if (way !== 'direct') {
        spent('steady', way, start, middle, 2 * found.length)
        spent('open', way, middle, end, perSecond * seconds)
      }
      p50[way].push(at(found, 0.5))
      p99[way].push(at(found, 0.99))
      rate[way].push(perSecond)
    }
  for (const { socket } of Object.values(ways)) socket.destroy()
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
  console.log(`load ${loadavg()[0]?.toFixed(1)}; medians of ${rounds} rounds in turns`)
  for (const way of wayNames)
    console.log(
      `${way.padEnd(7)} round trip p50 ${median(p50[way]).toFixed(3)} ms, p99 ${median(p99[way]).toFixed(3)} ms; ${Math.round(median(rate[way]))}/s with ${OPEN} open`,
    )
  for (const name of names) {
    const { steady, open } = cost[name]
    console.log(
      `${name.padEnd(7)} ${median(steady).toFixed(1)} us of the processor for each message at ${PER_SECOND}/s, ${median(open).toFixed(1)} us with ${OPEN} open`,
    )
  }
  for (const way of ['piped', 'tapped'] as const) {
    const added = (of: typeof p50): string => ((median(of[way]) - median(of.direct)) / 2).toFixed(3)
    console.log(
      `${way.padEnd(7)} adds each way: p50 ${added(p50)} ms, p99 ${added(p99)} ms; throughput ${(median(rate[way]) / median(rate.direct)).toFixed(2)} of direct`,
    )
  }
}

const [role, path = '', port = ''] = process.argv.slice(2)
if (role === 'equipment') serve()
else if (role === 'pipe') {
  pipeTo(Number(port))
  tellProcessorTime()
} else if (role === 'taps') {
  await runTaps(path)
  tellProcessorTime()
} else if (role === 'daemon') {
  look(path, Number(port))
  tellProcessorTime()
} else await main()
