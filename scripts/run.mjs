// Runs a TypeScript program of this repository that is no part of the product: `node scripts/run.mjs bench/codec.ts`.
// Options of Node, as in `node --cpu-prof scripts/run.mjs …`, are those of the program, too.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [file, ...args] = process.argv.slice(2)
if (file === undefined) throw new Error('which program? such as bench/codec.ts')

// Under node_modules, so that packages are found; one bundle a process, since several may run at once.
const folder = join(root, 'node_modules', '.cache', 'secsctl')
mkdirSync(folder, { recursive: true })
const bundle = join(folder, `${basename(file, '.ts')}-${process.pid}.mjs`)
await build({
  absWorkingDir: root,
  entryPoints: [file],
  outfile: bundle,
  ...JSON.parse(readFileSync(join(root, 'scripts', 'program-build.json'), 'utf8')),
})

const child = spawn(process.execPath, ['--expose-gc', ...process.execArgv, bundle, ...args], {
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  rmSync(bundle, { force: true })
  process.exit(code ?? (signal === null ? 1 : 130))
})
