// The native packages of the executable: JavaScript in one file each, and the compiled part.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Each package, its compiled part for Linux x64 with glibc, and the module that finds that part in an installation. */
const NATIVE = [
  {
    name: 'fs-native-extensions',
    addon: 'fs-native-extensions/prebuilds/linux-x64/fs-native-extensions.node',
    finder: /^\.\/binding$/,
  },
  {
    name: '@napi-rs/keyring',
    addon: '@napi-rs/keyring-linux-x64-gnu/keyring.linux-x64-gnu.node',
    finder: /^@napi-rs\/keyring$/,
  },
  {
    name: '@serialport/bindings-cpp',
    addon: '@serialport/bindings-cpp/prebuilds/linux-x64/@serialport+bindings-cpp.glibc.node',
    finder: /^node-gyp-build$/,
  },
]

/** What asks the executable for the compiled part. `node-gyp-build` is a function that returns it. */
const contents = ({ name, finder }) =>
  `const addon = require("addon:native/${name}.node"); module.exports = ${finder.test('node-gyp-build') ? '() => addon' : 'addon'}`

async function javascript(root, one) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [one.name],
    outfile: join(root, 'native', `${one.name}.js`),
    bundle: true,
    write: false,
    metafile: true,
    minifySyntax: true,
    minifyWhitespace: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    legalComments: 'none',
    logLevel: 'warning',
    external: ['addon:*'],
    plugins: [
      {
        name: 'compiled-part',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: one.finder }, () => ({ path: one.name, namespace: 'compiled-part' }))
          onLoad({ filter: /./, namespace: 'compiled-part' }, () => ({ contents: contents(one) }))
        },
      },
    ],
  })
  return { text: outputFiles[0].text, metafile }
}

/** Files by their names among the assets, what esbuild reports of them, and the folders of the packages. */
export async function nativeParts(root) {
  const files = new Map()
  const metafiles = []
  for (const one of NATIVE) {
    const addon = join(root, 'node_modules', one.addon)
    if (!existsSync(addon))
      throw new Error(`${one.addon} is not installed: build on Linux x64, after \`npm ci\``)
    const { text, metafile } = await javascript(root, one)
    files.set(`native/${one.name}.js`, Buffer.from(text)).set(`native/${one.name}.node`, readFileSync(addon))
    metafiles.push(metafile)
  }
  // A compiled part may be in a package of its own.
  const packages = NATIVE.flatMap(({ name, addon }) => [name, /^(@[^/]+\/)?[^/]+/.exec(addon)[0]])
  return { files, metafiles, packages: packages.map((name) => `node_modules/${name}`) }
}
