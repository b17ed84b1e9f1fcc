import { build, type Plugin } from 'esbuild'
import { expect, test } from 'vitest'

const file: string = '../../scripts/bundle.mjs'
const { replacePackages } = (await import(file)) as {
  replacePackages(replaced: Readonly<Record<string, string>>): Plugin
}

const bundled = (replaced: Readonly<Record<string, string>>) =>
  build({
    stdin: { contents: "import '@oclif/core/run'; import 'semver'", resolveDir: '.' },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    logLevel: 'silent',
    external: ['typescript', 'ts-node', 'pnpapi'],
    plugins: [replacePackages(replaced)],
  })

test('a package is replaced where oclif requires it, and nowhere else', async () => {
  const { metafile } = await bundled({ minimatch: 'module.exports = {}', tinyglobby: 'module.exports = {}' })
  const inputs = Object.keys(metafile?.inputs ?? {})
  expect(inputs.filter((input) => /node_modules\/(minimatch|tinyglobby)\//.test(input))).toEqual([])
  expect(inputs).toContain('node_modules/semver/index.js')
})

test('a package that oclif does not require cannot be replaced', async () => {
  await expect(bundled({ minimatch: '', moment: '' })).rejects.toThrow('oclif does not require moment')
})
