// Runs the tests on each line of Node that is supported: the oldest release, the newest of each long-term line, and the
// newest of all. Arguments go to vitest.
//   npm run test:nodes -- [--project units] [FILE...]
import { execFileSync, spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODES = ['20.19.0', '22', '24', 'latest']

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The folder of the binary, as npm has it. */
function installed(version) {
  const name = `node-${process.platform}-${process.arch}`
  const prefix = join(root, 'node_modules', '.cache', 'secsctl', `tests-node-${version}`)
  const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel', 'error', '--prefix', prefix]
  execFileSync('npm', ['install', ...options, `${name}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return join(prefix, 'node_modules', name, 'bin')
}

const results = NODES.map((version) => {
  const bin = installed(version)
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) }
  const node = join(bin, 'node')
  const name = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  process.stdout.write(`\nNode ${name}\n`)
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const { status } = spawnSync(node, [vitest, 'run', ...process.argv.slice(2)], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  return { name, passed: status === 0 }
})

process.stdout.write(
  `\n${results.map(({ name, passed }) => `Node ${name}: ${passed ? 'passed' : 'FAILED'}\n`).join('')}`,
)
if (results.some(({ passed }) => !passed)) process.exitCode = 1
