// How fast messages go and are answered: raw TCP, secs4js and this driver, on the loopback, a process each side.
import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:net'
import { cpus, loadavg } from 'node:os'
import type { ExchangeName, Requester } from './hsms-exchange.js'
import { dialOurs, serveOurs } from './hsms-ours.js'
import { dialRaw, type RawWriting, serveRaw } from './hsms-raw.js'
import { dialSecs4js, serveSecs4js } from './hsms-secs4js.js'
import { median } from './rate.js'

/** One line of work: who, what, how many at once. */
interface Case {
  readonly contender: string
  readonly exchange: ExchangeName
  readonly depth: number
  readonly requester: Requester
}

const ROUNDS = 15
const LOOK = 200
const DEPTHS = [1, 32]
const EXCHANGE_NAMES = ['S1F1', 'S6F11'] as const

const RAW = 'raw TCP, a write a frame'
const THEIRS = 'secs4js'

const peers: ChildProcess[] = []

/** Runs one server in a process of its own; gives its port. */
function startPeer(...args: readonly string[]): Promise<number> {
  const child = fork(process.argv[1] ?? '', ['serve', ...args])
  peers.push(child)
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve(Number(port)))
    child.once('exit', (code) => reject(new Error(`the peer ended with ${code}`)))
  })
}

async function serve([who = '', ...args]: readonly string[]): Promise<number> {
  if (who === 'secsctl') return serveOurs()
  if (who === 'secs4js') return serveSecs4js(Number(args[0]))
  return serveRaw(args[0] as ExchangeName, args[1] as RawWriting)
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0))
    })
  })
}

async function cases(): Promise<readonly Case[]> {
  const all: Case[] = []
  const ours = await dialOurs(await startPeer('secsctl'))
  const theirs = await dialSecs4js(await startPeer('secs4js', String(await freePort())))
  for (const exchange of EXCHANGE_NAMES) {
    const each = await dialRaw(await startPeer('raw', exchange, 'each'), 'each')
    const joined = await dialRaw(await startPeer('raw', exchange, 'joined'), 'joined')
    for (const depth of DEPTHS) {
      all.push({ contender: RAW, exchange, depth, requester: each })
      if (depth > 1) all.push({ contender: 'raw TCP, writes joined', exchange, depth, requester: joined })
      all.push({ contender: THEIRS, exchange, depth, requester: theirs })
      all.push({ contender: 'secsctl', exchange, depth, requester: ours })
    }
  }
  return all
}

type Looks = ReadonlyMap<Case, readonly number[]>

/** Looks at each case in turns, so that what else the machine does meets all of them alike. */
async function measure(all: readonly Case[]): Promise<Looks> {
  const looks = new Map<Case, number[]>(all.map((one) => [one, []]))
  for (const { requester, exchange, depth } of all) await requester.rate(exchange, depth, 2 * LOOK)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [{ requester, exchange, depth }, seen] of looks) {
      seen.push(await requester.rate(exchange, depth, LOOK))
    }
  }
  return looks
}

/** How many times as fast the one is, compared round by round. */
const times = (rates: readonly number[], others: readonly number[]): string =>
  median(rates.map((rate, round) => rate / (others[round] ?? Number.NaN))).toFixed(2)

function print(looks: Looks): void {
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, load ${loadavg()[0]}`,
  )
  console.log(`exchanges a second: median and best of ${ROUNDS} looks of ${LOOK} ms`)
  for (const exchange of EXCHANGE_NAMES) {
    for (const depth of DEPTHS) {
      const group = [...looks].filter(([one]) => one.exchange === exchange && one.depth === depth)
      const raw = group.find(([{ contender }]) => contender === RAW)?.[1] ?? []
      const theirs = group.find(([{ contender }]) => contender === THEIRS)?.[1] ?? []
      const title = `${exchange}, ${depth === 1 ? 'one' : depth} at a time`
      console.log(`\n${title.padEnd(28)}    median       best  × raw TCP  × secs4js`)
      for (const [{ contender }, rates] of group) {
        const numbers = [median(rates), Math.max(...rates)].map((rate) =>
          Math.round(rate).toLocaleString('en'),
        )
        const ratios = [times(rates, raw), times(rates, theirs)]
        console.log(
          `  ${contender.padEnd(26)}${[...numbers, ...ratios].map((text) => text.padStart(10)).join(' ')}`,
        )
      }
    }
  }
}

async function main(): Promise<void> {
  const all = await cases()
  print(await measure(all))
  await Promise.all([...new Set(all.map(({ requester }) => requester))].map((requester) => requester.close()))
  for (const peer of peers) peer.removeAllListeners('exit').kill()
}

const [role, ...args] = process.argv.slice(2)
if (role === 'serve') {
  process.on('disconnect', () => process.exit())
  process.send?.(await serve(args))
} else await main()
