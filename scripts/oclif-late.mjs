// esbuild plugins that spare a start what of oclif hardly any start needs.
import { readFile } from 'node:fs/promises'

/** `const x_1 = require("./x")`, also within TypeScript's helpers for the default and the whole of a module. */
const REQUIRED = /^(?:const|var) (\w+_\d+) = ((?:__import\w+\()?require\("[^"]+"\)\)?);$/gm

/** The same of a whole module that is handed on. */
const HANDED_ON = /^exports\.(\w+) = (__importStar\(require\("[^"]+"\)\));$/gm

/** oclif's own code, which loads a module when something of it is used first, instead of all at the start. */
function late(text) {
  const names = []
  const declared = text
    .replace(REQUIRED, (_, name, required) => {
      names.push(name)
      return `let ${name}$; const ${name}$$ = () => (${name}$ ??= ${required});`
    })
    .replace(HANDED_ON, 'Object.defineProperty(exports, "$1", { enumerable: true, get: () => $2 });')
  if (names.length === 0) return declared
  return declared.replace(new RegExp(`\\b(${names.join('|')})\\b(?!\\$)`, 'g'), '($1$$$$())')
}

/** Parts of oclif that are done without: file, what it says, and what instead. */
const CHANGED = [
  // Sorting by the rules of a language loads them first, which takes 10 ms; names of commands are ASCII.
  [
    'config/plugin.js',
    '.sort((a, b) => a.id.localeCompare(b.id))',
    '.sort((a, b) => (a.id < b.id ? -1 : 1))',
  ],
  // It looks for a package.json that a bundle does not have.
  ['index.js', '\ncheckNodeVersion();', ''],
]

export const oclifLate = {
  name: 'oclif-late',
  setup(bundle) {
    bundle.onLoad({ filter: /@oclif.core.lib.*\.js$/ }, async ({ path }) => {
      const own = path.replaceAll('\\', '/').replace(/^.*@oclif\/core\/lib\//, '')
      let text = await readFile(path, 'utf8')
      for (const [file, before, after] of CHANGED) {
        if (file !== own) continue
        if (!text.includes(before)) throw new Error(`${path} does not say ${before}`)
        text = text.replace(before, after)
      }
      return { contents: late(text) }
    })
  },
}

/** Only who sets `DEBUG` is told what oclif does; the package that tells it looks at the terminal first. */
export const debugWhenAsked = {
  name: 'debug-when-asked',
  setup(bundle) {
    bundle.onResolve({ filter: /^debug$/ }, ({ path, importer, namespace, resolveDir }) =>
      namespace === 'file' && /@oclif.core.lib/.test(importer)
        ? { path, namespace: 'debug', pluginData: { resolveDir } }
        : undefined,
    )
    bundle.onLoad({ filter: /./, namespace: 'debug' }, ({ path, pluginData }) => ({
      resolveDir: pluginData.resolveDir,
      contents: `module.exports = process.env.DEBUG ? require(${JSON.stringify(path)}) : () => () => {}`,
    }))
  },
}

/** oclif looks at every start whether this is Windows' Linux, which takes a while and which nothing here asks. */
export const anyLinux = {
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
