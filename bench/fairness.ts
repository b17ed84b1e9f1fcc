// What a quiet tool notices of tools that flood: `npm run bench:fairness -- [--seconds 5] [--tools 1,4,16]
// [--kinds S6F11,S9,secondaries,Linktest.req]`. The daemon is one process, the tools that flood are another.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DAEMON_OPTIONS } from '../src/cli/installation.js'
import { endpoints } from '../src/contract/endpoints.js'
import { systemClock as clock, delay } from '../src/kit/clock.js'
import { Installed, type SoakedDaemon } from '../stress/soak-daemon.js'
import {
  FLOOD_TOPICS,
  FLOODS,
  type FloodCount,
  type FloodKind,
  RawTool,
  serveTools,
  ToolProcess,
} from './fairness-tools.js'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    tools: { type: 'string', default: '1,4,16' },
    kinds: { type: 'string', default: FLOODS.join(',') },
  },
})

/** The aims: milliseconds of the quiet tool, MiB of the daemon. */
const AIMS = { report: 50, rest: 100, memory: 300 } as const
/** Milliseconds from one look at the quiet tool to the next, and before the first one counts. */
const EVERY = 20
const WARM_UP = 1000
/** How long what was sent may take to be answered when the flood is over, in milliseconds. */
const PATIENCE = 120_000

let missed = 0

/** Connects a tool that listens there; resolves with its id once it communicates. */
async function connect(daemon: SoakedDaemon, name: string, port: number): Promise<string> {
  const address = { ip_address: '127.0.0.1', port, mode: 'passive', device_id: 0 } as const
  const { id } = await daemon.client.call(endpoints.createEquipment, {
    body: { name, ...address, gem_startup: false },
  })
  await daemon.client.call(endpoints.connectEquipment, { params: { id }, query: { wait: 30 } })
  return id
}

/** Milliseconds of each call until the time is over. */
async function looks(until: number, call: () => Promise<unknown>): Promise<readonly number[]> {
  const taken: number[] = []
  while (clock.now() < until) {
    const began = clock.now()
    await call()
    if (began < until) taken.push(clock.now() - began)
    await delay(clock, EVERY)
  }
  return taken
}

function share(taken: readonly number[], part: number): number {
  const sorted = [...taken].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

async function settled(tools: ToolProcess): Promise<FloodCount> {
  for (const end = clock.now() + PATIENCE; ; await delay(clock, 100)) {
    const count = await tools.tell('count')
    if (sum(count.answered) >= sum(count.sent) || clock.now() > end) return count
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** How many messages of this topic the journal has of each equipment, by id. */
async function recorded(secsctl: Installed, topic: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for await (const line of secsctl.lines(['journal', 'export', '--type', 'message'])) {
    if (!line.includes('"name":"message_received"') || !line.includes(`"topic":"${topic}"`)) continue
    const key = /"key":"([^"]*)"/.exec(line)?.[1] ?? ''
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

async function look(kind: FloodKind, flooding: number): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'secsctl-fairness-'))
  const secsctl = new Installed(home, DAEMON_OPTIONS)
  const daemon = await secsctl.daemon()
  const tools = await ToolProcess.start(process.argv[1] ?? '', flooding)
  const quiet = await RawTool.listen()
  try {
    const id = await connect(daemon, 'quiet', quiet.port)
    const ids: string[] = []
    for (const [at, port] of tools.ports.entries()) ids.push(await connect(daemon, `flooding-${at}`, port))
    await tools.tell({ flood: kind })
    await delay(clock, WARM_UP)
    const before = await tools.tell('count')
    const began = clock.now()
    const busy = daemon.processor
    const seconds = Number(values.seconds)
    const until = clock.now() + seconds * 1000
    const [reports, calls] = await Promise.all([
      looks(until, () => quiet.report()),
      looks(until, () =>
        daemon.client.call(endpoints.sendMessage, {
          params: { id },
          query: {},
          body: { stream: 1, function: 1 },
        }),
      ),
    ])
    const after = await tools.tell('quiet')
    const took = (clock.now() - began) / 1000
    const flooded = sum(after.answered) - sum(before.answered)
    const rate = flooded / took
    const cost = ((daemon.processor - busy) * 1e6) / flooded
    const { sent, answered } = await settled(tools)
    const memory = daemon.peak
    await daemon.end('SIGTERM')
    const topic = FLOOD_TOPICS[kind]
    const kept = topic === undefined ? undefined : await recorded(secsctl, topic)
    const arrived = kept ? ids.map((one) => kept.get(one) ?? 0) : answered
    const lost = sum(sent.map((count, at) => Math.max(0, count - (arrived[at] ?? 0))))
    print(`${String(flooding).padStart(2)} × ${kind}`, { reports, calls, memory, rate, cost, lost })
  } finally {
    tools.end()
    if (daemon.isRunning) await daemon.end('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  }
}

interface Figures {
  /** Milliseconds that the quiet tool waited for each S6F12, and a caller for each S1F1. */
  readonly reports: readonly number[]
  readonly calls: readonly number[]
  /** MiB. */
  readonly memory: number
  /** Messages of the flood a second, and the time of the processor that the daemon took for one, in microseconds. */
  readonly rate: number
  readonly cost: number
  readonly lost: number
}

function print(name: string, { reports, calls, memory, rate, cost, lost }: Figures): void {
  const [report = 0, rest = 0] = [share(reports, 0.99), share(calls, 0.99)]
  const met = report < AIMS.report && rest < AIMS.rest && memory < AIMS.memory && lost === 0
  if (!met) missed += 1
  const columns = [
    share(reports, 0.5).toFixed(1),
    report.toFixed(1),
    share(calls, 0.5).toFixed(1),
    rest.toFixed(1),
    memory.toFixed(0),
    Math.round(rate).toLocaleString('en'),
    Number.isFinite(cost) ? cost.toFixed(0) : '',
    String(lost),
    String(reports.length),
    (loadavg()[0] ?? 0).toFixed(1),
  ]
  console.log(
    `${met ? 'met   ' : 'MISSED'} ${name.padEnd(18)}${columns.map((text) => text.padStart(10)).join('')}`,
  )
}

async function main(): Promise<void> {
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`)
  console.log(
    `aims: p99 of S6F12 < ${AIMS.report} ms, of S1F1 over REST < ${AIMS.rest} ms, memory < ${AIMS.memory} MiB, nothing lost`,
  )
  const heads = [
    'S6F12 p50',
    'p99',
    'S1F1 p50',
    'p99',
    'MiB peak',
    'flood/s',
    'µs CPU',
    'lost',
    'looks',
    'load',
  ]
  console.log(`${' '.repeat(25)}${heads.map((text) => text.padStart(10)).join('')}`)
  await look('S6F11', 0)
  for (const kind of values.kinds.split(',')) {
    for (const count of values.tools.split(',')) await look(kind as FloodKind, Number(count))
  }
  process.exit(missed > 0 ? 1 : 0)
}

const [role, count] = process.argv.slice(2)
await (role === 'tools' ? serveTools(Number(count)) : main())
