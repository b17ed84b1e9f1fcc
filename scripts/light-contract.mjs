// The contract as a command needs it: the endpoints and their words, without the schemas that the server checks
// requests by. To make these takes longer than everything else that a command does.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { build } from 'esbuild'

/** Folders that call the API, relative to the folder of the contract. */
const CALLERS = /^\.\.[\\/](cli|client|inspection|explanation|web|\.\.[\\/]commands)[\\/]/

/** Namespace of the replaced files; esbuild prints it in its error for an export that is missing. */
const DATA_ALONE = 'contract as data alone'

/** True for a plain object that JSON can hold; false for a schema, a `Set` and the like. */
const isRecord = (value) => Object.getPrototypeOf(value) === Object.prototype && !('~kind' in value)

/** Members of an endpoint that only documentation shows. */
const DOCUMENTATION = ['summary', 'description', 'examples', 'headers', 'tag']

/** Data without the schemas in it; undefined for anything else. */
function plain(value) {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || !isRecord(value)) return undefined
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !('path' in value && DOCUMENTATION.includes(name)))
      .map(([name, part]) => [name, plain(part)])
      .filter(([, part]) => part !== undefined),
  )
}

/** The files of the contract that make schemas, or use a file that does. Files are known by their names alone. */
function filesWithSchemas(folder) {
  const texts = new Map(
    readdirSync(folder, { recursive: true })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  )
  const names = [...texts.keys()].map((file) => basename(file))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`the contract has two files that are called ${twice}`)
  const found = new Set(['typebox'])
  const uses = (text) =>
    [...text.matchAll(/^import (?!type )[^']*? from '(?:\.[\w./-]*\/)?([\w-]+)(?:\.js)?'/gm)].some(
      ([, name]) => found.has(name),
    )
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const [file, text] of texts) if (uses(text)) found.add(basename(file, '.ts'))
  }
  return [...texts.keys()].filter((file) => found.has(basename(file, '.ts')))
}

/** These files of the contract, each with what it exports besides schemas. */
async function lightened(folder, files) {
  const contents = files
    .map((file, at) => `export * as m${at} from './${file.replaceAll('\\', '/')}'`)
    .join('\n')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
  const whole = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)
  return new Map(files.map((file, at) => [basename(file, '.ts'), plain({ ...whole[`m${at}`] })]))
}

/** Gives callers the contract in `folder` without its schemas. The import of a schema is an error. */
export const lightContract = (folder) => ({
  name: 'light-contract',
  setup(bundle) {
    const files = lightened(folder, filesWithSchemas(folder))
    // Its failure is one of the bundle, where that waits for it; a bundle that failed before does not.
    files.catch(() => {})
    bundle.onResolve(
      { filter: /[\\/]contract[\\/](?:[\w-]+[\\/]){0,2}[\w-]+\.js$/ },
      async ({ path, importer }) => {
        const name = basename(path, '.js')
        if (!CALLERS.test(relative(folder, importer)) || !(await files).has(name)) return undefined
        return { path: name, namespace: DATA_ALONE }
      },
    )
    // Without any export esbuild would take it for CommonJS, and each missing export for undefined.
    bundle.onLoad({ filter: /./, namespace: DATA_ALONE }, async ({ path }) => ({
      contents: Object.entries((await files).get(path))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .concat('export {}')
        .join('\n'),
    }))
  },
})
