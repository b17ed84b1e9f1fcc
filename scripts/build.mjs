// Bundles the command line into dist/, one entry a command, and writes oclif's manifest beside package.json.
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Plugin } from '@oclif/core'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Loaded at run time where they are installed: native code, and what oclif looks for only in development. */
const EXTERNAL = ['keytar', '@napi-rs/keyring', 'fs-native-extensions', 'typescript', 'ts-node', 'pnpapi']

/** CommonJS packages inside an ES module still expect these names. */
const BANNER = [
  `import { createRequire as __createRequire } from 'node:module'`,
  `import { dirname as __dirnameOf } from 'node:path'`,
  `import { fileURLToPath as __pathOf } from 'node:url'`,
  `const require = __createRequire(import.meta.url)`,
  `const __filename = __pathOf(import.meta.url)`,
  `const __dirname = __dirnameOf(__filename)`,
].join(';')

const commands = readdirSync(join(root, 'commands'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('commands', file))

// What is there stays until its successor is whole: somebody may be running it.
const fresh = join(root, `dist-${process.pid}`)
await build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries([
    ['run', 'src/cli/run.ts'],
    ['keytar-process', 'src/cli/keytar-process.ts'],
    ...commands.map((file) => [file.replace(/\.ts$/, ''), file]),
  ]),
  outdir: fresh,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: EXTERNAL,
  banner: { js: BANNER },
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: true,
  logLevel: 'warning',
})

const dist = join(root, 'dist')
const old = `${fresh}-old`
if (existsSync(dist)) renameSync(dist, old)
renameSync(fresh, dist)
rmSync(old, { recursive: true, force: true })

const plugin = new Plugin({
  root,
  type: 'core',
  ignoreManifest: true,
  errorOnManifestCreate: true,
  respectNoCacheDefault: true,
})
await plugin.load()
writeFileSync(join(root, 'oclif.manifest.json'), `${JSON.stringify(plugin.manifest)}\n`)
