// What a command costs to start: CPU and wall time against `node -e 0`, in turns, with a daemon of its own.
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { median } from './rate.js'

const ROUNDS = Number(process.argv[2] ?? 15)
/** Another installation may be measured: `npm run bench:cli -- 15 DIR/bin/run.js`. */
const BIN = resolve(process.argv[3] ?? 'bin/run.js')

interface Case {
  readonly name: string
  readonly args: readonly string[]
  readonly input?: string
  /** The most that it may cost, as a multiple of `node -e 0`. */
  readonly aim?: number
}

const CASES: readonly Case[] = [
  { name: 'node -e 0', args: ['-e', '0'] },
  { name: '--version', args: [BIN, '--version'], aim: 1.5 },
  { name: 'profiles list', args: [BIN, 'profiles', 'list'], aim: 3 },
  { name: 'sml format', args: [BIN, 'sml', 'format'], input: 'S1F3 W <L <U4 1001>>.', aim: 4 },
  { name: 'equipment list', args: [BIN, 'equipment', 'list'], aim: 2.2 },
  { name: 'equipment list, token given', args: [BIN, 'equipment', 'list', '--json'], aim: 2.2 },
  { name: 'alarms list', args: [BIN, 'alarms', 'list'], aim: 2.6 },
  { name: '--help', args: [BIN, '--help'], aim: 4 },
]

interface Cost {
  /** User and system time, in milliseconds. */
  readonly cpu: number
  readonly wall: number
}

// NODE_EXTRA_CA_CERTS alone costs 70 ms.
const { PATH = '' } = process.env
const home = mkdtempSync(join(tmpdir(), 'secsctl-bench-'))
const env: Record<string, string> = { PATH, SECSCTL_HOME: home, TZ: 'UTC' }
const call = (...args: string[]) => promisify(execFile)(process.execPath, [BIN, ...args], { env })

/** The shell measures, because Node does not report the CPU time of child processes. */
function cost({ name, args, input = '' }: Case, token: string): Promise<Cost> {
  const script = 'TIMEFORMAT="%U %S %R"; time "$@" > /dev/null 2> /dev/null'
  const given = name.endsWith('token given') ? { ...env, SECSCTL_TOKEN: token } : env
  return new Promise((settle, reject) => {
    const child = spawn('bash', ['--norc', '-c', script, 'bash', process.execPath, ...args], { env: given })
    let times = ''
    child.stderr.on('data', (chunk: Buffer) => {
      times += chunk.toString()
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`${name} ended with ${code}`))
      const [user = 0, system = 0, wall = 0] = times.trim().split(' ').map(Number)
      settle({ cpu: (user + system) * 1000, wall: wall * 1000 })
    })
    child.stdin.end(input)
  })
}

/** Measures all of them in turns, and prints a table. */
async function compare(isUnread: () => boolean): Promise<void> {
  const tokens = JSON.parse(readFileSync(join(home, 'config', 'tokens.json'), 'utf8')) as {
    readonly local: string
  }
  const { token } = JSON.parse(tokens.local) as { readonly token: string }
  const costs = new Map(CASES.map((one) => [one, [] as Cost[]]))
  console.log(`node ${process.versions.node}, median of ${ROUNDS} rounds; times as multiples of node -e 0`)
  for (const one of CASES) await cost(one, token)
  for (let round = 0; round < ROUNDS && !isUnread(); round++) {
    for (const one of CASES) costs.get(one)?.push(await cost(one, token))
  }
  const of = (one: Case, part: keyof Cost): number => median((costs.get(one) ?? []).map((cost) => cost[part]))
  const [base = CASES[0]] = CASES
  console.log(
    `${'command'.padEnd(30)}${'CPU ms'.padStart(8)}${'times'.padStart(8)}${'wall ms'.padStart(10)}${'times'.padStart(8)}   aim`,
  )
  for (const one of CASES) {
    const [cpu, wall] = [of(one, 'cpu'), of(one, 'wall')]
    const times = (value: number, part: keyof Cost) =>
      (base ? value / of(base, part) : 1).toFixed(2).padStart(8)
    console.log(
      `${one.name.padEnd(30)}${cpu.toFixed(0).padStart(8)}${times(cpu, 'cpu')}${wall.toFixed(0).padStart(10)}${times(wall, 'wall')}   ${one.aim ?? ''}`,
    )
  }
}

// The daemon is stopped also when the reader of the output ends, or Ctrl-C is pressed.
let unread = false
process.stdout.on('error', () => {
  unread = true
})
const stopped = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => reject(new Error(`stopped by ${signal}`)))
})

try {
  await call('daemon', 'start', '--port', '0')
  await Promise.race([compare(() => unread), stopped]).finally(() => call('daemon', 'stop'))
} finally {
  rmSync(home, { recursive: true, force: true })
}
process.exit()
