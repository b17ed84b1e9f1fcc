// The web page as files for dist/web: one script and one style, each named after its content, and a document that names
// both. What is loaded on demand (charts) becomes a chunk of its own.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { lightContract } from './light-contract.mjs'

/** Browsers of 2024 and later: they have `light-dark()`, container queries and `:has()`. */
const TARGET = ['chrome123', 'firefox121', 'safari17.5']

/** Bundles the page of `src/web` below `root`. `files` have paths within `dist/`; scripts and styles also compressed. */
export async function bundleWeb(root) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { app: 'src/web/main.tsx', icon: 'src/web/icon.svg' },
    loader: { '.svg': 'copy' },
    outdir: join(root, 'dist', 'web', 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    splitting: true,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: TARGET,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [lightContract(join(root, 'src', 'contract'))],
  })
  const assets = outputFiles.map(({ path, contents }) => ({ path, contents: Buffer.from(contents) }))
  const entry = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === 'src/web/main.tsx',
  )
  const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1)
  // The browser need not read the script to learn which others it needs.
  const chunks = entry[1].imports.filter(({ kind }) => kind === 'import-statement')
  const preloads = chunks.map(({ path }) => `<link rel="modulepreload" href="/assets/${nameOf(path)}">`)
  const document = readFileSync(join(root, 'src', 'web', 'index.html'), 'utf8')
    .replace('app.js', nameOf(entry[0]))
    .replace('app.css', nameOf(entry[1].cssBundle))
    .replace('</head>', `${preloads.join('')}</head>`)
    .replace('icon.svg', nameOf(assets.find(({ path }) => path.endsWith('.svg')).path))
  assets.push({ path: join(root, 'dist', 'web', 'index.html'), contents: Buffer.from(document) })
  const files = assets.flatMap(({ path, contents }) => [
    { path, contents },
    { path: `${path}.gz`, contents: gzipSync(contents, { level: 9 }) },
  ])
  return { files, metafile }
}
