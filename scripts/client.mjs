// The package entry `secsctl/client`: one module without dependencies, and its types, made from the OpenAPI document.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import openapiTS, { astToString } from 'openapi-typescript'
import { lightContract } from './light-contract.mjs'

/** The OpenAPI document, as the daemon serves it. */
async function openApi(root) {
  const folder = mkdtempSync(join(root, 'node_modules', '.cache-client-'))
  try {
    const outfile = join(folder, 'openapi.mjs')
    const entryPoints = [join(root, 'src/api/openapi/openapi.ts')]
    await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external' })
    return (await import(pathToFileURL(outfile).href)).openApiDocument('')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Without what has no type of its own: examples, and the problems that calls are answered with. */
function brief(value, holder) {
  if (Array.isArray(value)) return value.map((part) => brief(part))
  if (typeof value !== 'object' || value === null) return value
  const isNames = holder === 'properties'
  const left = holder === 'responses' ? /^([45]\d\d|default)$/ : /^examples?$/
  const kept = Object.entries(value).filter(([name]) => isNames || !left.test(name))
  return Object.fromEntries(kept.map(([name, part]) => [name, brief(part, isNames ? undefined : name)]))
}

/** The files of dist/client. */
export async function bundleClient(root) {
  const folder = join(root, 'dist', 'client')
  const [{ outputFiles, metafile }, types] = await Promise.all([
    build({
      absWorkingDir: root,
      entryPoints: ['src/client/package/index.ts'],
      outfile: join(folder, 'index.mjs'),
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      legalComments: 'none',
      logLevel: 'warning',
      plugins: [lightContract(join(root, 'src', 'contract'))],
    }),
    openApi(root).then((document) => openapiTS(brief(document))),
  ])
  const files = [
    ...outputFiles.map(({ path, text }) => ({ path, text })),
    { path: join(folder, 'operations.d.mts'), text: astToString(types) },
    {
      path: join(folder, 'index.d.mts'),
      text: readFileSync(join(root, 'src/client/package/index.d.mts'), 'utf8'),
    },
  ]
  return { files, metafile }
}
