// Tapped equipment with its hosts, while the daemon is restarted and killed: `npm run soak:tap -- [--taps 200] [--rate 5]
// [--minutes 10] [--full-disk]`. The last one, instead, fills the daemon's disk for the middle third; it wants root.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { endpoints } from '../src/contract/endpoints.js'
import { systemClock as clock, delay } from '../src/kit/clock.js'
import { freePort } from '../test/support/free-port.js'
import { Installed, type SoakedDaemon } from './soak-daemon.js'
import { FabPair, Times } from './tap-fab.js'

const { values } = parseArgs({
  options: {
    taps: { type: 'string', default: '200' },
    rate: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '10' },
    'full-disk': { type: 'boolean', default: false },
  },
})
const [taps, rate, minutes] = [Number(values.taps), Number(values.rate), Number(values.minutes)]
/** Pairs without a tap beside them: what takes long there is not the tap's. */
const DIRECT = Math.max(1, Math.round(taps / 10))
const LOOPBACK = '127.0.0.1'
const SETTLED_MS = 60_000
/** A daemon that got too little of the processor has a long backlog. */
const RECORDED_MS = 15 * 60_000
/** What passed in so many milliseconds before a daemon was killed may be recorded as well as counted. */
const IN_FLIGHT_MS = 1_000
const DISK = '48m'

let missed = 0
function aim(isMet: boolean, text: string): void {
  if (!isMet) missed++
  console.log(`${isMet ? 'met   ' : 'MISSED'} ${text}`)
}

const home = mkdtempSync(join(tmpdir(), 'secsctl-tap-soak-'))
const secsctl = new Installed(home, [])
const times = { tapped: new Times(), direct: new Times() }
const pairs: FabPair[] = []
const direct: FabPair[] = []

async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  limit = SETTLED_MS,
): Promise<void> {
  for (const end = clock.now() + limit; !(await holds()); await delay(clock, 50))
    if (clock.now() > end) throw new Error(`not within ${limit / 1000} s: ${what}`)
}

async function begin({ client }: SoakedDaemon): Promise<void> {
  for (let at = 0; at < taps; at++) {
    const pair = new FabPair(`etcher-${at}`, times.tapped)
    const [port, listen_port] = [await pair.listen(), await freePort()]
    const tap = { listen_port, host_address: LOOPBACK, pause_seconds: 0 }
    const body = { name: pair.name, ip_address: LOOPBACK, port, communication: 'none', tap }
    const { id } = await client.call(endpoints.createEquipment, { body: body as never })
    await client.call(endpoints.connectEquipment, { params: { id }, query: { wait: 0 } }).catch(() => {})
    pairs.push(pair)
    await until('the tap listens', async () => {
      const { connection_state } = await client.call(endpoints.getEquipment, { params: { id } })
      return connection_state === 'LISTENING'
    })
    await pair.connect(listen_port)
  }
  for (let at = 0; at < DIRECT; at++) {
    const pair = new FabPair(`direct-${at}`, times.direct)
    direct.push(pair)
    await pair.connect(await pair.listen())
  }
  await until('all are selected', () => [...pairs, ...direct].every(({ isSelected }) => isSelected))
}

/** Each pair has a transaction, which is two messages, at its own time of each period. */
function load(): () => void {
  const all = [...pairs, ...direct]
  const period = 2000 / rate
  const began = clock.now()
  let done = 0
  const timer = setInterval(() => {
    const due = ((clock.now() - began) / period) * all.length
    for (; done < due; done++) all[done % all.length]?.ask()
  }, 5)
  return () => clearInterval(timer)
}

function tellTimes(when: string): { readonly tapped: number; readonly direct: number } {
  const [tapped, alone] = [times.tapped.take(), times.direct.take()]
  for (const [way, { count, p50, p99, max }] of [
    ['tapped', tapped],
    ['direct', alone],
  ] as const)
    console.log(
      `${when.padEnd(16)} ${way} ${count} messages: p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)}, max ${max.toFixed(1)} ms; load ${loadavg()[0]?.toFixed(1)}`,
    )
  return { tapped: tapped.p99, direct: alone.p99 }
}

/** Messages in the journal, and those that are counted as missing. */
async function recorded(): Promise<{ readonly messages: number; readonly missing: number }> {
  let [messages, missing] = [0, 0]
  for await (const line of secsctl.lines(['journal', 'export'])) {
    const { type, name, data } = JSON.parse(line)
    if (type === 'message' && (name === 'message_received' || name === 'message_sent')) messages++
    if (name === 'tap_gap') missing += data.messages
  }
  return { messages, missing }
}

/** Bytes that have passed and are neither recorded nor counted yet. */
async function waiting(): Promise<number> {
  let text = ''
  for await (const line of secsctl.lines(['tap', 'status', '--json'])) text += line
  return JSON.parse(text).waiting_bytes
}

/** Messages that passed just before a daemon was killed, or its disk was full. */
let inFlight = 0

const passed = (): number => pairs.reduce((sum, { messages }) => sum + messages, 0)

/** Two restarts and a kill, and the daemon that runs afterwards. */
async function restarts(first: SoakedDaemon, length: number): Promise<SoakedDaemon> {
  let daemon = first
  for (const [signal, away] of [
    ['SIGTERM', 1_000],
    ['SIGKILL', 10_000],
    ['SIGTERM', 5_000],
  ] as const) {
    await delay(clock, length / 4 - IN_FLIGHT_MS)
    const before = passed()
    await delay(clock, IN_FLIGHT_MS)
    tellTimes('before')
    await daemon.end(signal)
    if (signal === 'SIGKILL') inFlight += passed() - before
    await delay(clock, away)
    tellTimes(`${signal}, away`)
    daemon = await secsctl.daemon()
    await delay(clock, 5_000)
    tellTimes('started again')
  }
  await delay(clock, length / 4)
  tellTimes('afterwards')
  return daemon
}

/** The disk is full for the middle third; a daemon that has ended with it is started again afterwards. */
async function fullDisk(first: SoakedDaemon, length: number): Promise<SoakedDaemon> {
  await delay(clock, length / 3 - IN_FLIGHT_MS)
  tellTimes('before')
  const before = passed()
  await delay(clock, IN_FLIGHT_MS)
  const filler = join(home, 'filler')
  const file = openSync(filler, 'w')
  const full = clock.now() + length / 3
  const block = Buffer.alloc(65_536)
  while (clock.now() < full) {
    if (first.isRunning) inFlight = passed() - before
    // What retention or a rotation frees is taken, too.
    try {
      for (;;) writeSync(file, block)
    } catch {}
    await delay(clock, 50)
  }
  tellTimes('full')
  console.log(`the daemon ${first.isRunning ? 'runs' : 'has ended'}`)
  closeSync(file)
  rmSync(filler)
  const daemon = first.isRunning ? first : await secsctl.daemon()
  await delay(clock, length / 3)
  tellTimes('after')
  return daemon
}

async function main(): Promise<void> {
  if (values['full-disk']) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', home])
  let daemon = await secsctl.daemon()
  try {
    await begin(daemon)
    const stop = load()
    await delay(clock, 2000)
    tellTimes('warm-up')
    const work = values['full-disk'] ? fullDisk : restarts
    daemon = await work(daemon, minutes * 60_000)
    stop()
    await until('all has arrived', () => pairs.every(({ isQuiet }) => isQuiet))
    const found = [...pairs, ...direct].flatMap((pair) => pair.differences())
    for (const one of found.slice(0, 20)) console.log(one)
    const bytes = pairs.reduce((sum, pair) => sum + pair.bytes, 0)
    aim(
      found.length === 0,
      `${pairs.length} links: ${bytes} bytes came as they were sent, and no link was cut`,
    )
    const stopped = clock.now()
    await until('nothing waits to be recorded', async () => (await waiting()) === 0, RECORDED_MS)
    // A gap is told after a second. What is told later would be too much.
    await delay(clock, 3 * IN_FLIGHT_MS)
    console.log(`nothing waited ${((clock.now() - stopped) / 1000).toFixed(0)} s after the last message`)
    const { messages, missing } = await recorded()
    const surplus = messages + missing - passed()
    aim(
      messages <= passed() && surplus >= 0 && surplus <= inFlight,
      `${passed()} messages passed: ${messages} recorded, ${missing} counted as missing; ${surplus} are both, of ${inFlight} that may be`,
    )
  } finally {
    await end(daemon)
  }
  if (missed > 0) process.exitCode = 1
}

async function end(daemon: SoakedDaemon): Promise<void> {
  const lock = join(home, 'state', 'taps', 'lock')
  for (const pair of [...pairs, ...direct]) pair.end()
  await daemon.end('SIGKILL')
  try {
    process.kill(Number(readFileSync(lock, 'utf8').split('\n')[0]), 'SIGKILL')
  } catch (error) {
    console.log(`the process of the taps: ${(error as Error).message}`)
  }
  const warnings = ['log', join('state', 'taps.log')].flatMap((name) =>
    readFileSync(join(home, name), 'utf8')
      .split('\n')
      .filter((line) => /^\(node:\d+\) \w*Warning/.test(line)),
  )
  for (const line of warnings.slice(0, 5)) console.log(line)
  aim(warnings.length === 0, 'no warnings of Node')
  if (values['full-disk']) execFileSync('umount', ['--lazy', home])
  rmSync(home, { recursive: true, force: true })
}

await main()
