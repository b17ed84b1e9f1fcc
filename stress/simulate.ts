import { parseArgs } from 'node:util'
import { simulate } from '../test/world/simulation.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    days: { type: 'string', default: '1' },
    tools: { type: 'string', default: '50' },
    interval: { type: 'string', default: '10' },
    faults: { type: 'string', default: '5' },
    until: { type: 'string' },
    except: { type: 'string', multiple: true, default: [] },
    verbose: { type: 'boolean', default: false },
  },
})
const began = process.hrtime.bigint()
const print = (text: string): void => void process.stdout.write(`${text}\n`)
const { violation, steps, time, counts, faults, disk } = await simulate({
  seed: Number(values.seed),
  hours: 24 * Number(values.days),
  tools: Number(values.tools),
  interval: 1000 * Number(values.interval),
  faults: 60_000 * Number(values.faults),
  until: values.until === undefined ? undefined : Number(values.until),
  except: values.except,
  ...(values.verbose && { log: print }),
})
const seconds = Number(process.hrtime.bigint() - began) / 1e9
print(`--seed ${values.seed} --days ${values.days}: ${steps} steps until ${time}, disk ${disk}`)
print(`${seconds.toFixed(1)} s`)
for (const [what, count] of [...counts].sort()) print(`${what.padEnd(60)} ${count}`)
if (violation !== undefined) {
  for (const fault of faults.slice(-10)) print(fault)
  print(`at step ${steps}, ${time}: ${violation instanceof Error ? violation.stack : violation}`)
}
process.exit(violation === undefined ? 0 : 1)
