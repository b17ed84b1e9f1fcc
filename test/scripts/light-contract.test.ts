import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { afterEach, beforeEach, expect, test } from 'vitest'

const file: string = '../../scripts/light-contract.mjs'
const { lightContract } = (await import(file)) as { lightContract(folder: string): Plugin }

const BODY = "import { Type } from 'typebox'\nexport const Body = Type.String()"

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'secsctl-light-'))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  write('src/contract/body.ts', BODY)
  write(
    'src/contract/mixed.ts',
    `import { Type } from 'typebox'
    export const Mixed = Type.String()
    export const NAMES = new Set(['one'])
    export const call = { method: 'GET', body: Mixed }`,
  )
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

/** The bundle of `file`, below `checkout`, that has `name` of a file of the contract. */
async function bundled(file: string, name: string, from: string, checkout = ''): Promise<string> {
  const up = '../'.repeat(file.split('/').length - 1)
  write(join(checkout, file), `import { ${name} } from '${up}src/contract/${from}.js'\nconsole.log(${name})`)
  const { outputFiles } = await build({
    entryPoints: [join(root, checkout, file)],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['typebox'],
    logLevel: 'silent',
    plugins: [lightContract(join(root, checkout, 'src', 'contract'))],
  })
  return outputFiles[0]?.text ?? ''
}

test.each(['src/cli/top/any.ts', 'src/client/any.ts', 'commands/any/list.ts'])(
  '%s is given the data of the contract, without schemas',
  async (file) => {
    const text = await bundled(file, 'call', 'mixed')
    expect(text).toContain('"method": "GET"')
    expect(text).not.toContain('typebox')
  },
)

test('a file in a folder of the contract is given without schemas, too', async () => {
  write(
    'src/contract/topics/deep.ts',
    "import { Body } from '../body.js'\nexport const deep = { body: Body, path: '/deep' }",
  )
  const text = await bundled('commands/any.ts', 'deep', 'topics/deep')
  expect(text).toContain('/deep')
  expect(text).not.toContain('typebox')
})

test('two files of the contract that have one name cannot be built', async () => {
  write('src/contract/topics/body.ts', BODY)
  await expect(bundled('commands/any.ts', 'call', 'mixed')).rejects.toThrow(
    'two files that are called body.ts',
  )
})

test.each([
  ['a schema', 'Mixed', 'mixed'],
  ['a schema of a file that has nothing else', 'Body', 'body'],
  ['what is neither data nor schema', 'NAMES', 'mixed'],
])('a command that asks for %s cannot be built', async (_, name, from) => {
  await expect(bundled('commands/any.ts', name, from)).rejects.toThrow('contract as data alone')
})

test('the gateway is given the whole contract, wherever the checkout is', async () => {
  write('commands/src/cli/src/contract/body.ts', BODY)
  expect(await bundled('src/gateway/any.ts', 'Body', 'body', 'commands/src/cli')).toContain('typebox')
})
