// The command line as files for dist/: one entry for each command, and chunks for what they share.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build, transform } from 'esbuild'
import { lightContract } from './light-contract.mjs'

/** Loaded at run time where they are installed: native code, and what oclif looks for only in development. */
const EXTERNAL = [
  'pg-native',
  'keytar',
  '@napi-rs/keyring',
  'fs-native-extensions',
  '@serialport/bindings-cpp',
  'typescript',
  'ts-node',
  'pnpapi',
]

const TARGET = 'node20.19'

const NOTHING = 'module.exports = {}'

/**
 * Modules that oclif requires for what this command line does not use, and what it is given instead. Without this
 * table a start reads 60 % more code, and takes an eighth longer.
 */
const REPLACED = {
  // These search folders for plugins and commands: `src/cli/installed-commands.ts` gives oclif what it would find.
  lilconfig: NOTHING,
  minimatch: NOTHING,
  tinyglobby: NOTHING,
  // The package manager has compared the version of Node.
  semver: 'exports.satisfies = () => true',
  // This command line has its own spinners.
  'cli-spinners': 'exports.line = exports.dots2 = { frames: [] }',
  // Nothing here depends on whether this is Linux within Windows.
  'wsl-utils': 'exports.isWsl = false; exports.powerShellPath = async () => "powershell.exe"',
  // Loaded when it is used.
  'node:child_process': 'exports.execSync = (...args) => require("node:child_process").execSync(...args)',
  'node:readline': 'exports.createInterface = (...args) => require("node:readline").createInterface(...args)',
  debug: 'module.exports = process.env.DEBUG ? require("debug") : () => () => {}',
}

/** Gives oclif `replaced` in the place of modules. One that it no longer requires is an error. */
export const replacePackages = (replaced) => ({
  name: 'replace-packages',
  setup(bundle) {
    const left = new Set(Object.keys(replaced))
    bundle.onResolve({ filter: /^[\w:-]+$/ }, ({ path, importer, namespace, resolveDir }) => {
      if (namespace !== 'file' || !/@oclif.core.lib/.test(importer) || !Object.hasOwn(replaced, path)) return
      left.delete(path)
      return { path, namespace: 'replaced', pluginData: resolveDir }
    })
    bundle.onLoad({ filter: /./, namespace: 'replaced' }, ({ path, pluginData: resolveDir }) => ({
      contents: replaced[path],
      resolveDir,
    }))
    bundle.onEnd(() => ({
      errors: [...left].map((name) => ({ text: `oclif does not require ${name}: do not replace it` })),
    }))
  },
})

/** Half a megabyte of tables in a file of its own, which only text in another encoding than Latin-1 loads. */
const iconvFromItsFile = {
  name: 'iconv-from-its-file',
  setup(bundle) {
    bundle.onLoad({ filter: /kit.text.iconv\.ts$/ }, () => ({
      contents: 'export const loadIconv = () => require("../iconv-lite.js").default',
    }))
    bundle.onResolve({ filter: /^\.\.\/iconv-lite\.js$/ }, ({ path }) => ({ path, external: true }))
  },
}

/** What `import.meta.url` is in CommonJS. */
const HERE = 'const __here=require("node:url").pathToFileURL(__filename).href;'

/** CommonJS of an ES module: esbuild splits ES modules alone, and of those V8 cannot be given compiled code. */
async function commonJs(text) {
  const { code } = await transform(text, {
    minifySyntax: true,
    minifyWhitespace: true,
    format: 'cjs',
    platform: 'node',
    target: TARGET,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__here' },
    banner: text.includes('import.meta.url') ? HERE : '',
    legalComments: 'none',
    logLevel: 'warning',
  })
  return code
}

/** Bundles the sources below `root`. The files of `chunks/` are named after their content. */
export async function bundle(root) {
  const commands = readdirSync(join(root, 'commands'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join('commands', file))
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries([
      ['run', 'src/cli/run.ts'],
      ['complete', 'src/cli/complete.ts'],
      ['help', 'src/cli/help.ts'],
      ['keytar-process', 'src/cli/profile/keytar-process.ts'],
      ['iconv-lite', 'iconv-lite'],
      ...commands.map((file) => [file.replace(/\.ts$/, ''), file]),
    ]),
    outdir: join(root, 'dist'),
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: TARGET,
    external: EXTERNAL,
    loader: { '.yaml': 'text' },
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [replacePackages(REPLACED), iconvFromItsFile, lightContract(join(root, 'src', 'contract'))],
  })
  const files = outputFiles.map(async ({ path, text }) => ({ path, text: await commonJs(text) }))
  return { files: await Promise.all(files), metafile }
}
