// Runs scripts of package.json at once: `node scripts/run-at-once.mjs types types:web units`. The last one has the terminal;
// what the others print comes when they end. Fails where one of them does.
import { spawn } from 'node:child_process'

const names = process.argv.slice(2)

async function run(name, ownsTerminal) {
  const stdio = ['inherit', ownsTerminal ? 'inherit' : 'pipe', ownsTerminal ? 'inherit' : 'pipe']
  const child = spawn('npm', ['run', '--silent', name], { stdio, shell: process.platform === 'win32' })
  const parts = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => parts.push(part))
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  process.stdout.write(Buffer.concat(parts))
  if (code !== 0) process.stderr.write(`npm run ${name} failed.\n`)
  return code === 0
}

const ended = await Promise.all(names.map((name, at) => run(name, at === names.length - 1)))
process.exitCode = ended.every(Boolean) ? 0 : 1
