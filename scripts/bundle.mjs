// The command line as files for dist/, one entry a command, what commands share in chunks.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build, transform } from 'esbuild'
import { lightContract } from './light-contract.mjs'
import { anyLinux, debugWhenAsked, oclifLate } from './oclif-late.mjs'

/** Loaded at run time where they are installed: native code, and what oclif looks for only in development. */
const EXTERNAL = ['keytar', '@napi-rs/keyring', 'fs-native-extensions', 'typescript', 'ts-node', 'pnpapi']

/** Large, and loaded when something of them is used: each has a file of its own, so that no other start reads it. */
const SELDOM = ['cli-spinners', 'ejs', 'iconv-lite', 'minimatch', 'semver', 'tinyglobby']

const COMMON = {
  write: false,
  metafile: true,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external: EXTERNAL,
  legalComments: 'none',
  logLevel: 'warning',
}
const MINIFIED = { minifySyntax: true, minifyWhitespace: true }

/** What `import.meta.url` is in CommonJS. */
const HERE = 'const __here=require("node:url").pathToFileURL(__filename).href;'

/** The version, and the form, of a package that code in `folder` is given when it requires it. */
const asRequired = (folder) => ({
  name: 'as-required',
  setup(bundle) {
    bundle.onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'entry-point' ? { path, namespace: 'as-required' } : undefined,
    )
    bundle.onLoad({ filter: /./, namespace: 'as-required' }, ({ path }) => ({
      resolveDir: folder,
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }))
  },
})

/** Has those who require what is seldom needed take it from its file. */
const fromFiles = (files) => ({
  name: 'from-files',
  setup(bundle) {
    bundle.onResolve({ filter: new RegExp(`^(${SELDOM.join('|')})$`) }, ({ path, kind }) =>
      kind === 'require-call' ? { path: `./${files.get(path)}`, external: true } : undefined,
    )
    // It cannot be imported only when it is used, since what uses it does not wait.
    bundle.onLoad({ filter: /src.secs2.text\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('createRequire(import.meta.url)(', 'require('),
      loader: 'ts',
    }))
  },
})

/**
 * Bundles the sources below `root`. The files of `chunks/` have names that tell their content. `metafile` says of
 * what they are made before they become CommonJS: esbuild splits ES modules alone, and of those V8 cannot be given
 * code that it compiled before.
 */
export async function bundle(root) {
  const outdir = join(root, 'dist')
  const commands = readdirSync(join(root, 'commands'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join('commands', file))
  const seldom = await build({
    ...COMMON,
    ...MINIFIED,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(SELDOM.map((name) => [name, name])),
    outdir: join(outdir, 'chunks'),
    entryNames: '[name]-[hash]',
    format: 'cjs',
    plugins: [asRequired(join(root, 'node_modules', '@oclif', 'core', 'lib'))],
  })
  const files = new Map(
    seldom.outputFiles.map(({ path }) => [basename(path).replace(/-\w+\.js$/, ''), basename(path)]),
  )
  const modules = await build({
    ...COMMON,
    absWorkingDir: root,
    entryPoints: Object.fromEntries([
      ['run', 'src/cli/run.ts'],
      ['complete', 'src/cli/complete.ts'],
      ['help', 'src/cli/help.ts'],
      ['keytar-process', 'src/cli/profile/keytar-process.ts'],
      ...commands.map((file) => [file.replace(/\.ts$/, ''), file]),
    ]),
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    format: 'esm',
    loader: { '.yaml': 'text' },
    plugins: [
      oclifLate,
      debugWhenAsked,
      anyLinux,
      lightContract(join(root, 'src', 'contract')),
      fromFiles(files),
    ],
  })
  const scripts = await Promise.all(
    modules.outputFiles.map(async ({ path, text }) => {
      const { code } = await transform(text, {
        ...MINIFIED,
        format: 'cjs',
        platform: 'node',
        target: COMMON.target,
        supported: { 'dynamic-import': false },
        define: { 'import.meta.url': '__here' },
        banner: text.includes('import.meta.url') ? HERE : '',
        legalComments: 'none',
        logLevel: 'warning',
      })
      return { path, text: code }
    }),
  )
  const inputs = [seldom, modules].flatMap(({ metafile }) => Object.keys(metafile.inputs))
  return { files: [...seldom.outputFiles, ...scripts], inputs, metafile: modules.metafile }
}
