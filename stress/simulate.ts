import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { PostgresServer } from '../test/system/postgres-server.js'
import { Violation } from '../test/world/observer.js'
import { productIn } from '../test/world/older-product.js'
import { monthsOf, type Run, runSideBySide } from '../test/world/side-by-side.js'
import { type SimulationResult, simulate } from '../test/world/simulation.js'

const { values, tokens } = parseArgs({
  tokens: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    days: { type: 'string', default: '1' },
    /** How many gateways share a database; one gateway on a disk when left out. */
    gateways: { type: 'string' },
    /** It is a real one, of Debian's package postgresql, which is started for the run; a model of it when left out. */
    postgres: { type: 'boolean', default: false },
    tools: { type: 'string', default: '50' },
    /** Seconds between two reports of a tool. */
    interval: { type: 'string', default: '10' },
    /** Minutes between two faults. */
    faults: { type: 'string', default: '5' },
    /** How many of the calls that change something are the last of their process, 0 to 1; by the seed when left out. */
    crashes: { type: 'string' },
    /** How many times as rarely as usual tools report and people do something. Hours of faults last up to half a day. */
    pace: { type: 'string', default: '1' },
    /** When it begins, such as 2028-02-01; by the seed when left out. */
    from: { type: 'string' },
    /** After one of so many hours the site rests for more than a day; never when left out. */
    nights: { type: 'string' },
    /** Numbers of faults that are left out, with commas between. */
    without: { type: 'string', default: '' },
    /** A folder with the sources of an earlier secsctl: gateways begin with it, and are upgraded to this one. */
    older: { type: 'string' },
    /** Words that the name of a fault has: of no other ones there are any, besides crashes amid calls. */
    only: { type: 'string', default: '' },
    /** Ends at this step. */
    until: { type: 'string' },
    /** A sentence that is known not to hold; may be repeated. */
    except: { type: 'string', multiple: true, default: [] },
    /** Where a sentence does not hold: finds out which faults do not matter. */
    shrink: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    /** So many seeds from `seed` on, side by side on all cores. */
    seeds: { type: 'string' },
    /** Each month of this year with a seed of its own, side by side on all cores. */
    year: { type: 'string' },
  },
})

const run = promisify(execFile)
const print = (text: string): void => void process.stdout.write(`${text}\n`)
if (values.postgres && values.older !== undefined) throw new Error('--older is for the model of the database')
const gateways = values.gateways ?? (values.postgres ? '2' : undefined)
const numbers = (text: string): number[] => text.split(',').filter(Boolean).map(Number)

/** True where the same sentence does not hold without these faults, either: in a process of its own. */
async function failsWithout(without: readonly number[], sentence: string): Promise<boolean> {
  const [program, ...given] = process.argv.slice(1) as [string, ...string[]]
  const args = given.filter((arg) => arg !== '--shrink')
  const again = await run(process.execPath, [program, ...args, '--without', without.join()], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { readonly stdout: string }) => error)
  return again.stdout.includes(sentence)
}

/** Leaves out one fault after the other, the last first, as long as the sentence does not hold. */
async function shrunk(sentence: string, faults: number): Promise<number[]> {
  let without = numbers(values.without)
  for (let fault = faults - 1; fault >= 0; fault--) {
    if (without.includes(fault)) continue
    const fewer = [...without, fault]
    if (await failsWithout(fewer, sentence)) without = fewer
  }
  return without
}

function report({ violation, steps, time, counts, faults, lastSteps, disk }: SimulationResult): void {
  print(`--seed ${values.seed} --days ${values.days}: ${steps} steps until ${time}, disk ${disk}`)
  for (const [what, count] of [...counts].sort()) print(`${what.padEnd(60)} ${count}`)
  if (violation === undefined) return
  for (const step of lastSteps) print(step)
  for (const fault of faults) print(fault)
  print(`at step ${steps}, ${time}: ${violation instanceof Error ? violation.stack : violation}`)
}

/** Of several at once; undefined where it is one. */
function runsAtOnce(): readonly Run[] | undefined {
  const { seeds, year, from } = values
  const seed = Number(values.seed)
  if (year !== undefined) return monthsOf(Number(year), seed)
  if (seeds === undefined) return undefined
  const days = Number(values.days)
  return Array.from({ length: Number(seeds) }, (_, at) => ({ seed: seed + at, days, ...(from && { from }) }))
}

/** This program with what was given, but for what each of several has of its own. */
const program = (): readonly string[] => [
  ...process.execArgv,
  process.argv[1] as string,
  ...tokens.flatMap((token) =>
    token.kind !== 'option' || ['seeds', 'year', 'seed', 'days', 'from'].includes(token.name)
      ? []
      : [token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`],
  ),
]

// What has passed until then is reported.
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
const runs = runsAtOnce()
if (runs) {
  const holds = await runSideBySide(runs, program(), { print, signal: ending.signal })
  process.exit(holds ? 0 : 1)
}
const server = values.postgres ? await PostgresServer.start({ autovacuum: 'off', fsync: 'off' }) : undefined
const began = process.hrtime.bigint()
const result = await simulate({
  seed: Number(values.seed),
  hours: 24 * Number(values.days),
  tools: Number(values.tools),
  gateways: gateways === undefined ? undefined : Number(gateways),
  postgres: await server?.database(),
  interval: 1000 * Number(values.interval),
  faults: 60_000 * Number(values.faults),
  crashes: values.crashes === undefined ? undefined : Number(values.crashes),
  pace: Number(values.pace),
  from: values.from === undefined ? undefined : Date.parse(values.from),
  nights: values.nights === undefined ? undefined : Number(values.nights),
  without: numbers(values.without),
  only: values.only,
  ...(values.older !== undefined && { older: await productIn(values.older) }),
  until: values.until === undefined ? undefined : Number(values.until),
  except: values.except,
  signal: ending.signal,
  ...(values.verbose && { log: print }),
}).finally(() => server?.remove())
const seconds = Number(process.hrtime.bigint() - began) / 1e9
const { user, system } = process.cpuUsage()
/** How many times as fast as so many real seconds the made-up time passed. */
const times = (real: number): number => Math.round((result.hours * 3600) / real)
report(result)
const processor = (user + system) / 1e6
print(`${processor.toFixed(1)} s of the processor: made-up time passed ${times(processor)} times as fast`)
print(
  `${seconds.toFixed(1)} s until it ended: ${times(seconds)} times as fast, less where other programs run too`,
)
const { violation } = result
if (values.shrink && violation instanceof Violation) {
  const without = await shrunk(violation.sentence, result.faultCount)
  print(`the same without the faults ${without.join()}: --without ${without.join()}`)
}
process.exit(violation === undefined ? 0 : 1)
