// The native packages of the executable: JavaScript in one file each, and the compiled part.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { HERE, PLATFORMS, packageFolder } from './platforms.mjs'

/** Each package, where its compiled part for a platform is, and the module that finds that part in an installation. */
const NATIVE = [
  {
    name: 'fs-native-extensions',
    addon: (root, platform) =>
      join(prebuilds(root, 'fs-native-extensions', platform), 'fs-native-extensions.node'),
    finder: /^\.\/binding$/,
  },
  { name: '@napi-rs/keyring', addon: keyringAddon, finder: /^@napi-rs\/keyring$/ },
  {
    name: '@serialport/bindings-cpp',
    addon: (root, platform) =>
      join(prebuilds(root, '@serialport/bindings-cpp', platform), PLATFORMS[platform].serial),
    finder: /^node-gyp-build$/,
  },
]

const prebuilds = (root, name, platform) =>
  join(root, 'node_modules', name, 'prebuilds', platform.replace('win-', 'win32-'))

/** npm installs it for the platform of this machine alone. */
function keyringAddon(root, platform) {
  const { keyring } = PLATFORMS[platform]
  const name = `@napi-rs/keyring-${keyring}`
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { version, integrity } = packages[`node_modules/${name}`]
  const folder = join(root, 'node_modules', name)
  return join(
    existsSync(folder) ? folder : packageFolder(root, name, version, integrity),
    `keyring.${keyring}.node`,
  )
}

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
export async function nativeParts(root, platform = HERE) {
  const files = new Map()
  const metafiles = []
  for (const one of NATIVE) {
    const addon = one.addon(root, platform)
    if (!existsSync(addon)) throw new Error(`${addon} is not there: build after \`npm ci\``)
    const { text, metafile } = await javascript(root, one)
    files.set(`native/${one.name}.js`, Buffer.from(text)).set(`native/${one.name}.node`, readFileSync(addon))
    metafiles.push(metafile)
  }
  // The compiled part of one is in a package of its own.
  const packages = [...NATIVE.map(({ name }) => name), `@napi-rs/keyring-${PLATFORMS[platform].keyring}`]
  return { files, metafiles, packages: packages.map((name) => `node_modules/${name}`) }
}
