// The command line as files for dist/: one entry for each command, and chunks for what they share.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import * as promises from 'node:fs/promises'
import * as modules from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
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
  // Only `checkNodeVersion`, which is not called, requires it.
  semver: NOTHING,
  // This command line has its own spinners.
  'cli-spinners': 'exports.line = exports.dots2 = { frames: [] }',
  // Nothing here depends on whether this is Linux within Windows.
  'wsl-utils': 'exports.isWsl = false; exports.powerShellPath = async () => "powershell.exe"',
  // Loaded when it is used.
  'node:child_process': 'exports.execSync = (...args) => require("node:child_process").execSync(...args)',
  // By way of the thread pool, the theme that hardly anybody has would take a twentieth of a start.
  'node:fs/promises':
    'const { accessSync, readdirSync, readFileSync, statSync } = require("node:fs"); exports.access = async (...args) => accessSync(...args); exports.readdir = async (...args) => readdirSync(...args); exports.readFile = async (...args) => readFileSync(...args); exports.stat = async (...args) => statSync(...args)',
  'node:readline': 'exports.createInterface = (...args) => require("node:readline").createInterface(...args)',
  debug: 'module.exports = process.env.DEBUG ? require("debug") : () => () => {}',
}

/** Gives oclif `replaced` in the place of modules. One that it no longer requires is an error. */
export const replacePackages = (replaced) => ({
  name: 'replace-packages',
  setup(bundle) {
    const left = new Set(Object.keys(replaced))
    bundle.onResolve({ filter: /^[\w:/-]+$/ }, ({ path, importer, namespace, resolveDir }) => {
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

/**
 * oclif requires all of itself at the start: help, errors, themes. In the bundle each of its modules is required where
 * it is used, so that a command loads only the modules that it needs.
 */
const requireWhereUsed = {
  name: 'require-where-used',
  setup(bundle) {
    bundle.onLoad({ filter: /@oclif.core.lib.+\.js$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8')
        // The package manager has compared the version of Node, and oclif finds none in the bundle.
        .replace(/^checkNodeVersion\(\);$/m, '')
        .replaceAll("await import('wsl-utils')", "require('wsl-utils')")
      const imports = /^const (\w+_\d+) = ((?:\w+\()?require\("[^"]+"\)\)?);$/gm
      for (const [line, name, required] of contents.matchAll(imports))
        contents = contents
          .replace(line, '')
          .replaceAll(new RegExp(`(?<![\\w.$])${name}(?![\\w$])`, 'g'), `(${required})`)
      return { contents }
    })
  },
}

/** Modules of Node whose functions load them when they are called: no start needs them, and each loads others. */
const LOADED_BY_CALLS = { 'node:fs/promises': promises, 'node:module': modules }

const loadedByCalls = {
  name: 'loaded-by-calls',
  setup(bundle) {
    bundle.onResolve({ filter: /^node:[\w/]+$/ }, ({ path, importer }) =>
      /\.ts$/.test(importer) && Object.hasOwn(LOADED_BY_CALLS, path)
        ? { path, namespace: 'by-calls' }
        : undefined,
    )
    bundle.onLoad({ filter: /./, namespace: 'by-calls' }, ({ path }) => ({
      contents: Object.entries(LOADED_BY_CALLS[path])
        .filter(([name, value]) => name !== 'default' && typeof value === 'function')
        .map(
          ([name]) =>
            `export const ${name} = (...given) => require(${JSON.stringify(path)}).${name}(...given)`,
        )
        .join('\n'),
    }))
  },
}

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
const HERE = 'const __here={get url(){return require("node:url").pathToFileURL(__filename).href}};'

/** What esbuild writes at the end of a chunk. */
const EXPORTS = /^export \{\n([^}]*)\n\};$/gm

/** The same as getters of one object: esbuild would define each twice, by functions that are in every chunk. */
const getters = (_, names) => {
  const each = names.split(/,\s*/).map((one) => {
    const [name, exported = name] = one.trim().split(' as ')
    return `get ${exported}(){return ${name}}`
  })
  return `module.exports={__esModule:true,${each}}`
}

/** So that V8 keeps a byte for each character, and the loader reads them as they are. esbuild leaves regular expressions. */
export function ascii(code) {
  const [escaped] = /(?<!\\)(?:\\\\)*\\[^\0-\x7f]/.exec(code) ?? []
  if (escaped !== undefined)
    throw new Error(`a backslash before ${escaped.at(-1)} is not expected in a chunk`)
  return code.replaceAll(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** CommonJS of an ES module: esbuild splits ES modules alone, and of those V8 cannot be given compiled code. */
async function commonJs(text) {
  const { code } = await transform(text.replace(EXPORTS, getters), {
    minifySyntax: true,
    minifyWhitespace: true,
    format: 'cjs',
    platform: 'node',
    target: TARGET,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__here.url' },
    banner: text.includes('import.meta.url') ? HERE : '',
    legalComments: 'none',
    logLevel: 'warning',
    logOverride: { 'commonjs-variable-in-esm': 'silent' },
  })
  return ascii(code)
}

/** The chunks that a file of dist/ loads at once, by the names of the files. */
function chunksOf(name, { outputs }, found = new Set()) {
  for (const { path, kind } of outputs[join('dist', name)].imports) {
    const chunk = relative('dist', path)
    if (kind !== 'import-statement' || !(join('dist', chunk) in outputs) || found.has(chunk)) continue
    chunksOf(chunk, { outputs }, found.add(chunk))
  }
  return found
}

/** A file of its own takes a start as long as so many characters that it does not need. */
const FILE_COST = 75_000

/** The chunks that `run.js` loads, and the chunks and commands that take a start longer as files of their own. */
function coreOf(names, texts, metafile) {
  const times = new Map(names.map((name) => [name, 1]))
  for (const name of names)
    for (const chunk of chunksOf(name, metafile)) times.set(chunk, (times.get(chunk) ?? 0) + 1)
  const isCheaper = ([name, count]) => {
    const share = count / names.length
    return share > 1 / 2 || texts.get(name).length < FILE_COST * share
  }
  return new Set([...chunksOf('run.js', metafile), ...[...times].filter(isCheaper).map(([name]) => name)])
}

/**
 * The files of dist/ with what nearly every command loads in one, since a start takes longer for each file that it
 * reads; the chunks stay beside it for what loads no core, and for Node's own loader. That file, and the code of each
 * command, get names with a hash of their content, as chunks have.
 */
function withCore(texts, metafile) {
  const entries = [...texts.keys()].filter((name) => /^commands\b/.test(name))
  const core = coreOf(entries, texts, metafile)
  const files = new Map(texts)
  /** Moves the text of an entry to `chunks/`. */
  const move = (name, text) => {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
    const moved = `chunks/${basename(name, '.js')}-${hash}.js`
    files.set(moved, text)
    files.set(
      name,
      `module.exports=require(${JSON.stringify(`${relative(dirname(name), '.') || '.'}/${moved}`)})\n`,
    )
  }
  const beside = (text) => text.replaceAll(/"(?:\.\.?\/)+chunks\//g, '"./')
  for (const name of entries) move(name, beside(texts.get(name)))
  const parts = [...core].sort().map((name) => {
    const head = 'function(exports,require,module,__filename,__dirname)'
    return `${JSON.stringify(name.replaceAll('\\', '/'))}:${head}{${texts.get(name)}\n}`
  })
  move('run.js', `require.provide?.({${parts}});\n${beside(texts.get('run.js'))}`)
  return [...files]
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
    plugins: [
      replacePackages(REPLACED),
      requireWhereUsed,
      iconvFromItsFile,
      loadedByCalls,
      lightContract(join(root, 'src', 'contract')),
    ],
  })
  const outputs = await Promise.all(
    outputFiles.map(async ({ path, text }) => [relative(join(root, 'dist'), path), await commonJs(text)]),
  )
  const files = withCore(new Map(outputs), metafile)
  return { files: files.map(([name, text]) => ({ path: join(root, 'dist', name), text })), metafile }
}
