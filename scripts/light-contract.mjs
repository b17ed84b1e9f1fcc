// The contract as a command needs it: what can be called and the words of it, without the schemas that the server
// checks by. They take longer to make than all else that a command does.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { build } from 'esbuild'

/** What is on the caller's side of the contract, seen from the folder of it. */
const CALLERS = /^\.\.[\\/](cli|client|inspection|explanation|\.\.[\\/]commands)[\\/]/

/** Part of what esbuild says when something else is asked for. */
const DATA_ALONE = 'contract as data alone'

/** True for what JSON can tell, and not for a schema, a `Set` or the like. */
const isRecord = (value) => Object.getPrototypeOf(value) === Object.prototype && !('~kind' in value)

/** Members of an endpoint that only documentation shows. */
const DOCUMENTATION = ['summary', 'description', 'examples', 'headers', 'tag']

/** Data without the schemas in it; undefined for what is no data. */
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

/** The files of the contract that make schemas, or use a file that does. */
function filesWithSchemas(folder) {
  const texts = new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
  const found = new Set(['typebox'])
  const uses = (text) =>
    [...text.matchAll(/^import (?!type )[^']*? from '(?:\.\/)?([\w-]+)(?:\.js)?'/gm)].some(([, name]) =>
      found.has(name),
    )
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const [file, text] of texts) if (uses(text)) found.add(basename(file, '.ts'))
  }
  return [...texts.keys()].filter((file) => found.has(basename(file, '.ts')))
}

/** The files of the contract that make schemas, each with what else it exports. */
async function lightened(folder) {
  const files = filesWithSchemas(folder)
  const contents = files.map((file, at) => `export * as m${at} from './${file}'`).join('\n')
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

/** Gives those who call what they need of the contract in `folder`. A schema that they ask for is an error here. */
export const lightContract = (folder) => ({
  name: 'light-contract',
  setup(bundle) {
    const files = lightened(folder)
    bundle.onResolve({ filter: /[\\/]contract[\\/][\w-]+\.js$/ }, async ({ path, importer }) => {
      const name = basename(path, '.js')
      if (!CALLERS.test(relative(folder, importer)) || !(await files).has(name)) return undefined
      return { path: name, namespace: DATA_ALONE }
    })
    // Without any export esbuild would take it for CommonJS, of which whatever is asked for is undefined.
    bundle.onLoad({ filter: /./, namespace: DATA_ALONE }, async ({ path }) => ({
      contents: Object.entries((await files).get(path))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .concat('export {}')
        .join('\n'),
    }))
  },
})
