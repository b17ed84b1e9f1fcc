import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { installedCommands } from '../../src/cli/installed-commands.js'
import { Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
afterAll(() => secsctl.remove())

const told = join(secsctl.home, 'loaded.json')

interface Loaded {
  /** Of each file of the bundle its name and what is in it. */
  readonly bundle: ReadonlyMap<string, string>
  /** Modules of node. */
  readonly builtin: readonly string[]
}

/** What a command loads, whatever its exit code. */
async function loadedBy(...args: string[]): Promise<Loaded> {
  const child = promisify(execFile)(
    process.execPath,
    ['--require', './test/cli/loaded-files.cjs', 'bin/run.js', ...args],
    { env: secsctl.environment({ LOADED_FILES: told }) },
  )
  child.child.stdin?.end('S1F3 W <L <U4 1001>>.')
  await child.catch(() => undefined)
  const { read, builtin } = JSON.parse(readFileSync(told, 'utf8')) as {
    readonly read: readonly [string, number][]
    readonly builtin: readonly string[]
  }
  const files = read.map(([file]) => file).filter((file) => file.includes(`${sep}dist${sep}`))
  return { bundle: new Map(files.map((file) => [basename(file), readFileSync(file, 'utf8')])), builtin }
}

/** Commands, and the most characters of the bundle that their start reads: a fifth more than it does. */
const COMMANDS: readonly (readonly [string, number])[] = [
  ['profiles list', 850_000],
  ['equipment list', 860_000],
  ['sml format', 1_090_000],
  ['alarms list', 850_000],
  ['send etcher S1F1', 1_050_000],
]

/** A start takes longer for each: what most commands load is in one. */
const MOST_FILES = 20

/** Packages that only a text encoding, a terminal, a setting or a stream needs. */
const SELDOM = /^(cli-table3|conf|iconv-lite|undici)\b/

/** Typebox marks its schemas so. */
const SCHEMA_MARK = '"~kind"'

const withSchemas = ({ bundle }: Loaded): string[] =>
  [...bundle].filter(([, text]) => text.includes(SCHEMA_MARK)).map(([name]) => name)

test.each(COMMANDS)('%s loads at its start what it needs, and no more', async (line, most) => {
  const loaded = await loadedBy(...line.split(' '))
  const names = [...loaded.bundle.keys()]
  expect(names).toContain('run.js')
  expect(names.length).toBeLessThan(MOST_FILES)
  expect(withSchemas(loaded)).toEqual([])
  expect(names.filter((name) => SELDOM.test(name))).toEqual([])
  const heavy = ['child_process', 'crypto', 'module', 'perf_hooks', 'readline', 'worker_threads']
  expect(loaded.builtin.filter((name) => heavy.includes(name))).toEqual([])
  expect([...loaded.bundle.values()].reduce((sum, text) => sum + text.length, 0)).toBeLessThan(most)
})

test.each([
  ['equipment list --json', 'equipment:list'],
  ['eq list', 'equipment:list'],
  ['alarm list etcher', 'alarms:list'],
  ['explain S1F1', 'explain'],
])('%s has oclif look through no other command', async (line, id) => {
  const { commands } = await installedCommands(process.cwd(), line.split(' '))
  expect(commands.map((command) => command.id)).toEqual([id])
})

test.each(['', 'equipment', 'equipment list --help', 'eq list -h', 'equipmnt list', 'help'])(
  '"%s" has all commands, with what help says of them',
  async (line) => {
    const { commands } = await installedCommands(process.cwd(), line.split(' '))
    expect(commands.length).toBeGreaterThan(100)
    expect(commands.find(({ id }) => id === 'equipment:list')?.summary).toBeTypeOf('string')
  },
)

test('a start reads its files without the thread pool', async () => {
  const { builtin } = await loadedBy('profiles', 'list')
  expect(builtin).not.toContain('fs/promises')
})

test('all of the bundle is ASCII: a character beyond it would take two bytes for each of a file', () => {
  const texts = readdirSync('dist/chunks').map((file) => [
    file,
    readFileSync(join('dist/chunks', file), 'utf8'),
  ])
  expect(texts.filter(([, text = '']) => /[^\0-\x7f]/.test(text)).map(([file]) => file)).toEqual([])
})

test('the bundle has the schemas, and they are known by their mark', () => {
  const texts = readdirSync('dist/chunks').map((file) => readFileSync(join('dist/chunks', file), 'utf8'))
  expect(texts.filter((text) => text.includes(SCHEMA_MARK)).length).toBeGreaterThan(0)
})

test('no start runs what a data folder says is a plugin', async () => {
  const folder = join(secsctl.home, 'secsctl')
  const plugin = join(folder, 'node_modules', 'planted')
  mkdirSync(plugin, { recursive: true })
  const listed = { name: 'mine', oclif: { plugins: [{ name: 'planted', type: 'user', tag: 'latest' }] } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(listed))
  const hooked = { name: 'planted', version: '1.0.0', oclif: { hooks: { init: './hook.js' } } }
  writeFileSync(join(plugin, 'package.json'), JSON.stringify(hooked))
  writeFileSync(join(plugin, 'hook.js'), "module.exports = async () => console.log('planted')")
  const ran = await secsctl.run(['profiles', 'list'], { env: { XDG_DATA_HOME: secsctl.home } })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).not.toContain('planted')
})
