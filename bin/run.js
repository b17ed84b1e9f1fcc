#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const bundle = new URL('../dist/run.js', import.meta.url)
const args = process.argv.slice(2)

// Answered before anything else is loaded: scripts ask this often.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${name} ${version}\n`)
} else if (args[0] === '__complete') {
  // Asked at every key press, so it does without the rest.
  const { complete } = await import(new URL('../dist/complete.js', import.meta.url).href)
  await complete(args.slice(1), fileURLToPath(new URL('..', import.meta.url)))
} else if (existsSync(bundle)) {
  const { main } = await import(bundle.href)
  await main(args, import.meta.url)
} else {
  process.stderr.write('secsctl is not built yet: run `npm run build` first.\n')
  process.exitCode = 1
}
