// How fast event reports are recorded and acknowledged: `npm run bench:ingest -- [--rounds 7] [--tools 1,20]`.
// Each tool keeps 32 S6F11 with 20 variables open. Compared with the built daemon: a process that answers every 190
// bytes with a write of 17, and one that also decodes each message. Tools, servers and daemon are processes of their own.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DAEMON_OPTIONS } from '../src/cli/installation.js'
import { endpoints } from '../src/contract/endpoints.js'
import { encodeFrame, FrameReader } from '../src/hsms/frame/frame.js'
import { dataHeader } from '../src/hsms/frame/header.js'
import { systemClock as clock, delay } from '../src/kit/clock.js'
import { decodeBody } from '../src/secs2/decode.js'
import { encodeBody } from '../src/secs2/encode.js'
import { B } from '../src/secs2/item.js'
import { Installed, type SoakedDaemon } from '../stress/soak-daemon.js'
import { FLOOD_TOPICS, serveTools, ToolProcess } from './fairness-tools.js'
import { EXCHANGES } from './hsms-exchange.js'
import { median } from './rate.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '7' },
    tools: { type: 'string', default: '1,20' },
  },
})

const WINDOW = 32
const WARM_UP_MS = 300
const LOOK_MS = 1000

const BARE_NAMES = ['raw', 'decode'] as const
type Bare = (typeof BARE_NAMES)[number]
const TITLES = {
  raw: 'raw TCP, a write per frame',
  decode: 'raw TCP and decode',
  secsctl: 'secsctl, durable',
}
type Contender = keyof typeof TITLES

/** One look at a server. */
interface Look {
  readonly perSecond: number
  /** Microseconds of the server's processor for one message. */
  readonly cost: number
}

/** A server with its tools, which are quiet between two looks. */
interface Case {
  readonly contender: Contender
  readonly count: number
  readonly tools: ToolProcess
  /** Seconds of the processor that the server has taken. */
  processor(): Promise<number>
}

const body = encodeBody(B(0))
const header = dataHeader({ sessionId: 0, systemBytes: 1, body, stream: 6, function: 12, wait: false })
const reply = encodeFrame({ header, body })

function answerRaw(socket: Socket): void {
  let rest = 0
  socket.on('data', ({ length }) => {
    for (rest += length; rest >= EXCHANGES.S6F11.bytes.primary; rest -= EXCHANGES.S6F11.bytes.primary) {
      socket.write(reply)
    }
  })
}

function answerDecoded(socket: Socket): void {
  const reader = new FrameReader(1 << 24)
  socket.on('data', (chunk: Buffer) => {
    for (const frame of reader.read(chunk)) {
      decodeBody(frame.body)
      socket.write(reply)
    }
  })
}

/** Dials tools without HSMS, and answers what they send. */
function serveBare(kind: Bare): void {
  process.on('disconnect', () => process.exit())
  process.on('message', async (ports: readonly number[]) => {
    for (const port of ports) {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true })
      await once(socket, 'connect')
      if (kind === 'raw') answerRaw(socket)
      else answerDecoded(socket)
    }
    process.removeAllListeners('message').on('message', () => {
      const { user, system } = process.cpuUsage()
      process.send?.((user + system) / 1e6)
    })
    process.send?.('ready')
  })
}

async function answerOf(child: ChildProcess, message: readonly number[] | 'processor'): Promise<unknown> {
  child.send(message)
  return (await once(child, 'message'))[0]
}

const program = process.argv[1] ?? ''

async function bareCase(contender: Bare, count: number): Promise<Case> {
  const tools = await ToolProcess.start(program, count)
  const server = fork(program, [contender])
  await answerOf(server, tools.ports)
  return { contender, count, tools, processor: async () => Number(await answerOf(server, 'processor')) }
}

async function daemonCase(daemon: SoakedDaemon, count: number): Promise<Case> {
  const tools = await ToolProcess.start(program, count)
  for (const [at, port] of tools.ports.entries()) {
    const address = { ip_address: '127.0.0.1', port, mode: 'passive', device_id: 0 } as const
    const { id } = await daemon.client.call(endpoints.createEquipment, {
      body: { name: `tool-${count}-${at}`, ...address, gem_startup: false },
    })
    await daemon.client.call(endpoints.connectEquipment, { params: { id }, query: { wait: 30 } })
  }
  return { contender: 'secsctl', count, tools, processor: async () => daemon.processor }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0)

async function look({ tools, processor }: Case): Promise<Look> {
  await tools.tell({ flood: 'S6F11', window: WINDOW })
  await delay(clock, WARM_UP_MS)
  const before = await tools.tell('count')
  const busy = await processor()
  const began = performance.now()
  await delay(clock, LOOK_MS)
  const after = await tools.tell('quiet')
  const seconds = (performance.now() - began) / 1000
  const messages = sum(after.answered) - sum(before.answered)
  const cost = ((await processor()) - busy) * 1e6
  await delay(clock, 50) // until the last open messages are answered
  return { perSecond: messages / seconds, cost: cost / messages }
}

const whole = (value: number): string => Math.round(value).toLocaleString('en')

function print(count: number, looks: ReadonlyMap<Case, readonly Look[]>): void {
  const group = [...looks].filter(([one]) => one.count === count)
  const raw = group.find(([{ contender }]) => contender === 'raw')?.[1] ?? []
  console.log(`\n${`${count} × ${WINDOW} open`.padEnd(30)}   per second   × raw TCP       µs CPU`)
  for (const [{ contender }, seen] of group) {
    const ratios = seen.map(({ perSecond }, round) => perSecond / (raw[round]?.perSecond ?? Number.NaN))
    const cells = [
      whole(median(seen.map(({ perSecond }) => perSecond))),
      median(ratios).toFixed(2),
      median(seen.map(({ cost }) => cost)).toFixed(1),
    ]
    console.log(`  ${TITLES[contender].padEnd(28)}${cells.map((text) => text.padStart(13)).join('')}`)
  }
}

/** How many event reports the journal has. */
async function recorded(secsctl: Installed): Promise<number> {
  let count = 0
  for await (const line of secsctl.lines(['journal', 'export', '--type', 'message'])) {
    if (line.includes('"name":"message_received"') && line.includes(`"topic":"${FLOOD_TOPICS.S6F11}"`))
      count += 1
  }
  return count
}

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'secsctl-ingest-'))
  process.on('exit', () => rmSync(home, { recursive: true, force: true }))
  const secsctl = new Installed(home, DAEMON_OPTIONS)
  const daemon = await secsctl.daemon()
  const counts = values.tools.split(',').map(Number)
  const cases: Case[] = []
  for (const count of counts) {
    for (const name of BARE_NAMES) cases.push(await bareCase(name, count))
    cases.push(await daemonCase(daemon, count))
  }
  const rounds = Number(values.rounds)
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, load ${loadavg()[0]?.toFixed(1)}`,
  )
  console.log(`S6F11 with 20 variables, W-bit: median of ${rounds} looks of ${LOOK_MS} ms, in turns`)
  const looks = new Map<Case, Look[]>(cases.map((one) => [one, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [one, seen] of looks) {
      const taken = await look(one)
      if (round > 0) seen.push(taken) // the first round warms up
    }
  }
  for (const count of counts) print(count, looks)
  const ours = cases.filter(({ contender }) => contender === 'secsctl')
  let answered = 0
  for (const { tools } of ours) answered += sum((await tools.tell('count')).answered)
  console.log(`\npeak memory of the daemon ${whole(daemon.peak)} MiB`)
  await daemon.end('SIGTERM')
  const kept = await recorded(secsctl)
  console.log(`acknowledged ${whole(answered)}, recorded ${whole(kept)}`)
  process.exit(kept < answered ? 1 : 0)
}

const [role, count] = positionals
if (role === 'tools') await serveTools(Number(count))
else if (role === 'raw' || role === 'decode') serveBare(role)
else await main()
