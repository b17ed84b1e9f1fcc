// Runs the built command line many times in one process, each as if it were the only one: starting a process for
// each of thousands of runs would take minutes. Given a plan and a file for what came of it.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [, , plan, results] = process.argv
const {
  default: { main },
} = await import(new URL('../../dist/run.js', import.meta.url).href)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Milliseconds after which a command is taken for one that does not end. */
const PATIENCE = 5_000

class Ended extends Error {}

const { exit } = process
const writes = [process.stdout.write, process.stderr.write]
process.setMaxListeners(0)
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)
const home = { ...process.env }

async function run({ args, env }) {
  process.env = { ...home, ...env }
  process.exitCode = undefined
  const told = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (chunk, encoding, done) => {
      told[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      const written = typeof encoding === 'function' ? encoding : done
      if (written) process.nextTick(written)
      return true
    }
  }
  let code
  const ended = new Promise((resolve) => {
    process.exit = (given) => {
      code ??= given ?? process.exitCode ?? 0
      resolve()
      throw new Ended()
    }
  })
  let timer
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE)
  })
  await Promise.race([main(args, root).catch(() => {}), ended, late])
  clearTimeout(timer)
  return { code: code ?? 'it did not end', ...told }
}

const all = []
for (const one of JSON.parse(readFileSync(plan, 'utf8'))) all.push(await run(one))
process.exit = exit
;[process.stdout.write, process.stderr.write] = writes
writeFileSync(results, JSON.stringify(all))
process.exit(0)
