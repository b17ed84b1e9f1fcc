// Bundles the command line into dist/, one entry a command, and writes oclif's manifest beside package.json.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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

/** A file without any of these names does without the banner, whose paths take a while to make. */
const NEEDS_BANNER = /\b(require|__filename|__dirname)\b/

/** What oclif loads at every start, and uses for what hardly any start does. */
const SELDOM = /^(clean-stack|ejs|minimatch|semver|tinyglobby|node:(child_process|perf_hooks|readline))$/

/** Loads these packages when something of them is used. None of them says that it is an ES module. */
const whenUsed = {
  name: 'when-used',
  setup(bundle) {
    bundle.onResolve({ filter: SELDOM }, ({ path, importer, resolveDir, kind, pluginData }) =>
      kind === 'require-call' && pluginData !== 'used' && /@oclif.core/.test(importer)
        ? { path, namespace: 'when-used', pluginData: { resolveDir } }
        : undefined,
    )
    bundle.onResolve({ filter: /./, namespace: 'when-used' }, ({ path, pluginData, kind }) =>
      bundle.resolve(path, { resolveDir: pluginData.resolveDir, kind, pluginData: 'used' }),
    )
    bundle.onLoad({ filter: /./, namespace: 'when-used' }, ({ path, pluginData }) => ({
      contents: `
        const used = () => require(${JSON.stringify(path)})
        module.exports = new Proxy(function () {}, {
          get: (_, name) => (name === '__esModule' ? undefined : used()[name]),
          apply: (_, self, args) => Reflect.apply(used(), self, args),
        })`,
      pluginData,
    }))
  },
}

/** A package that a source file loads only when it is used; the bundle holds it, and loads it as late. */
const requiredLate = {
  name: 'required-late',
  setup(bundle) {
    bundle.onLoad({ filter: /src.secs2.text\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('createRequire(import.meta.url)(', 'require('),
      loader: 'ts',
    }))
  },
}

/** oclif looks at every start whether this is Windows' Linux, which takes a while and which nothing here asks. */
const anyLinux = {
  name: 'any-linux',
  setup(bundle) {
    bundle.onResolve({ filter: /^wsl-utils$/ }, ({ path, importer }) =>
      /@oclif.core/.test(importer) ? { path, namespace: 'any-linux' } : undefined,
    )
    bundle.onLoad({ filter: /./, namespace: 'any-linux' }, () => ({
      contents: `
        export const isWsl = false
        export const powerShellPath = async () => 'powershell.exe'`,
    }))
  },
}

const commands = readdirSync(join(root, 'commands'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('commands', file))

/** The licence texts of the packages that the bundle holds, by the files that it was made of. */
function licences(inputs) {
  const folders = new Set(inputs.flatMap((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))
  const packages = [...folders].map((name) => {
    const folder = join(root, name.slice(name.indexOf('node_modules/')))
    const { name: known, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry))
    const text =
      file === undefined ? `Licensed under ${license}.` : readFileSync(join(folder, file), 'utf8').trim()
    return `${known} ${version} (${license})\n\n${text}\n`
  })
  return packages.sort().join(`\n${'-'.repeat(80)}\n\n`)
}

// What is there stays until its successor is whole: somebody may be running it.
const fresh = join(root, `dist-${process.pid}`)
const { outputFiles, metafile } = await build({
  write: false,
  metafile: true,
  absWorkingDir: root,
  entryPoints: Object.fromEntries([
    ['run', 'src/cli/run.ts'],
    ['complete', 'src/cli/complete.ts'],
    ['help', 'src/cli/help.ts'],
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
  loader: { '.yaml': 'text' },
  plugins: [whenUsed, anyLinux, requiredLate],
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
})
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, NEEDS_BANNER.test(text) ? `${BANNER}\n${text}` : text)
}

writeFileSync(join(fresh, 'THIRD-PARTY-LICENSES.txt'), licences(Object.keys(metafile.inputs)))

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
