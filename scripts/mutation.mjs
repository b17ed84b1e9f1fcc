// Which changes of a folder's code does no test detect: `npm run mutation -- src/hsms --sample 40 --seed 1`.
//
// A whole folder takes hours. A sample is that many stretches of 12 lines, chosen by the seed, and the score of
// their mutants; the interval beside it is where the score of the whole folder is with a probability of 95 %.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const STRETCH_LINES = 12
/** What only tests with a database reach: changed where it is named. */
const ON_A_DATABASE = ['src/store/postgres', 'src/store/migration/postgres-content.ts']

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
})
const [target] = positionals
if (!/^src\/\w+/.test(target ?? '')) {
  console.error('Say what to change: npm run mutation -- src/hsms [--sample 40 --seed 1], or one file of it.')
  process.exit(2)
}
const needsDatabase = (path) => ON_A_DATABASE.some((one) => path.startsWith(one))
const folder = needsDatabase(target) ? 'postgres' : target.split('/')[1]

/** Numbers of 0 to 1 from a seed (mulberry32). */
function* chance(seed) {
  for (let state = seed >>> 0; ; ) {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    yield ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** @returns each stretch of the folder, as `FILE:FIRST-LAST` */
function stretches() {
  const files = readdirSync(join(root, target), { recursive: true }).filter((name) => name.endsWith('.ts'))
  return files.flatMap((name) => {
    const file = join(target, name)
    if (needsDatabase(file) && !needsDatabase(target)) return []
    const lines = readFileSync(join(root, file), 'utf8').split('\n').length
    return Array.from(
      { length: Math.ceil(lines / STRETCH_LINES) },
      (_, n) => `${file}:${n * STRETCH_LINES + 1}-${(n + 1) * STRETCH_LINES}`,
    )
  })
}

function sampled(count) {
  const all = stretches()
  const random = chance(Number(values.seed))
  const chosen = []
  while (chosen.length < count && all.length > 0)
    chosen.push(...all.splice(Math.floor(random.next().value * all.length), 1))
  return chosen
}

const mutate = target.endsWith('.ts')
  ? [target]
  : values.sample === undefined
    ? [`${target}/**/*.ts`]
    : sampled(Number(values.sample))
const run = spawnSync('npx', ['stryker', 'run', '--mutate', mutate.join(',')], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, MUTATED_FOLDER: folder },
})
if (run.status !== 0) process.exit(run.status ?? 1)

const report = JSON.parse(readFileSync(join(root, '.stryker-tmp/mutation.json'), 'utf8'))
const outcomes = Object.values(report.files).flatMap((file) => file.mutants.map((mutant) => mutant.status))
const count = (...statuses) => outcomes.filter((status) => statuses.includes(status)).length
const counted = count('Killed', 'Timeout', 'Survived', 'NoCoverage')
const percent = (share) => `${(share * 100).toFixed(1)} %`
const share = count('Killed') / counted
const deviation = 1.96 * Math.sqrt((share * (1 - share)) / counted)
console.log(
  `${target}: tests detect ${count('Killed')} of ${counted} mutants, ${percent(share)} ± ${percent(deviation)}`,
)
// A mutant that loops for ever is detected, too. The time limit is long, so a busy machine does not reach it.
const slow = count('Timeout')
if (slow > 0) console.log(`${slow} more ran out of time, with which it is ${percent(share + slow / counted)}`)
