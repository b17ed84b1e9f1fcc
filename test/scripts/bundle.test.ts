import { build, type Plugin } from 'esbuild'
import { expect, test } from 'vitest'

const file: string = '../../scripts/bundle.mjs'
const { replacePackages, ascii } = (await import(file)) as {
  ascii(code: string): string
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

test('what V8 is given has a byte for each character, and is the same', () => {
  const code = ascii('[/^[\u2022\u{1f600}]+$/, "a\\\\\u00e9", `\u7a0b`]')
  expect(code).toMatch(/^[\0-\x7f]+$/)
  const [pattern, text, template] = new Function(`return ${code}`)() as [RegExp, string, string]
  expect([pattern.test('\u2022\u{1f600}'), pattern.test('u2022'), text, template]).toEqual([
    true,
    false,
    'a\\\u00e9',
    '\u7a0b',
  ])
  expect(() => ascii('/\\\u00e9/')).toThrow('a backslash before \u00e9')
})
