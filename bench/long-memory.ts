// Memory while many tools send the longest messages at once, and while twice as many callers ask for lists of them and read
// nothing: `npm run bench:long-memory`, or with numbers of tools as arguments. Gateway and tools are processes of their own,
// the gateway with the settings of a daemon; works under the folder of temporary files, on its disk.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { buildApp } from '../src/api/app.js'
import { DAEMON_OPTIONS, DAEMON_VARIABLES } from '../src/cli/installation.js'
import { watchMemory } from '../src/daemon/memory-watch.js'
import { HsmsDriver } from '../src/hsms/hsms-driver.js'
import { HSMS_DEFAULTS } from '../src/hsms/settings.js'
import { Listeners } from '../src/hsms/tcp/listener.js'
import { systemClock } from '../src/kit/clock.js'
import { encodeBody } from '../src/secs2/encode.js'
import { A, B, type Item, L, U4 } from '../src/secs2/item.js'
import { MAX_ITEMS } from '../src/secs2/limits.js'
import { bytesOf, LENGTH } from './long-load.js'
import { openBench } from './open-bench.js'

/** How long a tool waits for S6F12, in milliseconds. */
const T3_MS = 120_000
const QUIET_MS = 15_000
/** How long callers keep a response that they do not read. */
const UNREAD_MS = 20_000

const BODIES: Readonly<Record<string, () => Item>> = {
  'one value of 16 MiB': () => L(U4(1), U4(2), L(L(U4(3), L({ format: 'B', value: bytesOf(LENGTH - 64) })))),
  '1 Mi values': () =>
    L(U4(1), U4(2), L(L(U4(3), { format: 'L', items: Array.from({ length: MAX_ITEMS - 8 }, () => U4(7)) }))),
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** So many tools that send one report each when they are told to. */
async function beTools(count: number, bodyName: string): Promise<void> {
  const body = encodeBody((BODIES[bodyName] as () => Item)())
  const timers = { ...HSMS_DEFAULTS.timers, t3: T3_MS }
  const settings = {
    ...HSMS_DEFAULTS,
    timers,
    role: 'passive',
    host: '127.0.0.1',
    port: 0,
    deviceId: 0,
  } as const
  const tools = Array.from({ length: count }, () => {
    const driver = new HsmsDriver(settings, { clock: systemClock, listeners: new Listeners() })
    driver.received.on(({ message }) => {
      if (!message.wait) return
      const isPresence = message.stream === 1 && message.function === 13
      const item = isPresence ? L(B(0), L(A('M'), A('1'))) : undefined
      driver.send({ ...message, function: item ? 14 : 0, wait: false, body: encodeBody(item) })
    })
    return driver
  })
  for (const tool of tools) await tool.start()
  process.once('message', async () => {
    const outcomes = await Promise.all(
      tools.map((tool) =>
        tool.request({
          ...{ sessionId: 0, stream: 6, function: 11, wait: true, body },
          systemBytes: tool.reserve() ?? 0,
        }),
      ),
    )
    process.send?.(outcomes.filter(({ kind }) => kind === 'replied').length)
  })
  process.send?.(tools.map(({ boundPort }) => boundPort))
}

/** So many callers that ask for lists of long messages, and read nothing of them. */
async function beReaders(count: number, port: number, token: string): Promise<void> {
  const path = '/api/v1/messages?limit=10&direction=received&stream=6'
  const headers = { authorization: `Bearer ${token}` }
  const unread = (response: IncomingMessage): void => void response.pause().on('error', () => undefined)
  const ask = () => get({ port, path, headers, agent: false }, unread).on('error', () => undefined)
  await Promise.all(Array.from({ length: count }, () => once(ask(), 'finish')))
  process.send?.('asked')
}

/** The most memory that this process has until it is asked for. */
function peakMemory(): () => number {
  let peak = process.memoryUsage().rss
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5)
  return () => {
    clearInterval(watch)
    return peak
  }
}

/** One gateway, and one burst of all tools. */
async function beGateway(count: number, bodyName: string): Promise<void> {
  const { gateway, token } = await openBench()
  watchMemory(systemClock)
  const app = await buildApp(gateway, { clock: systemClock, version: '0' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const tools = fork(process.argv[1] ?? '', ['tools', String(count), bodyName], { execArgv: [] })
  process.on('exit', () => tools.kill())
  const [ports] = (await once(tools, 'message')) as [number[]]
  for (const port of ports) {
    const name = `tool-${port}`
    const { id } = await gateway.equipment.create({ name, ip_address: '127.0.0.1', port, gem_startup: false })
    const { communication_state: state } = await gateway.equipment.connect(id, 10)
    if (state !== 'COMMUNICATING') throw new Error(`${name} is ${state}`)
  }
  const stalls = monitorEventLoopDelay({ resolution: 1 })
  const before = process.memoryUsage().rss
  const peakOfBurst = peakMemory()
  stalls.enable()
  const began = performance.now()
  tools.send('go')
  const [replied] = (await once(tools, 'message')) as [number]
  const took = performance.now() - began
  stalls.disable()
  const peak = peakOfBurst()
  await pause(QUIET_MS)
  const after = process.memoryUsage().rss
  const peakOfReaders = peakMemory()
  const { port } = app.server.address() as AddressInfo
  const readers = fork(process.argv[1] ?? '', ['readers', String(2 * count), String(port), token], {
    execArgv: [],
  })
  await once(readers, 'message')
  await pause(UNREAD_MS)
  const peakRead = peakOfReaders()
  readers.kill()
  await pause(QUIET_MS)
  const cells = [before, peak, after, peakRead, process.memoryUsage().rss].map(mebibytes)
  const row = [
    String(count),
    ...cells,
    (took / 1000).toFixed(1),
    (stalls.max / 1e6).toFixed(0),
    String(replied),
  ]
  console.log(bodyName.padEnd(22) + row.map((cell) => cell.padStart(10)).join(''))
  process.exit()
}

async function bench(counts: readonly number[]): Promise<void> {
  const titles = [
    'tools',
    'MiB',
    'peak',
    'after 15 s',
    'lists',
    'after 15 s',
    'took s',
    'stall ms',
    'replied',
  ]
  console.log(`node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`)
  console.log(' '.repeat(22) + titles.map((title) => title.padStart(10)).join(''))
  for (const bodyName of Object.keys(BODIES))
    for (const count of counts) {
      const gateway = fork(process.argv[1] ?? '', ['gateway', String(count), bodyName], {
        execArgv: [...DAEMON_OPTIONS],
        env: { ...process.env, ...DAEMON_VARIABLES },
      })
      await once(gateway, 'exit')
    }
}

const [role, count, bodyName = '', token = ''] = process.argv.slice(2)
if (role === 'tools') await beTools(Number(count), bodyName)
else if (role === 'gateway') await beGateway(Number(count), bodyName)
else if (role === 'readers') await beReaders(Number(count), Number(bodyName), token)
else {
  const given = process.argv.slice(2).map(Number)
  await bench(given.length > 0 ? given : [5, 10, 20, 40])
}
