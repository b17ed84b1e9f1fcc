import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { GROUPS } from '../../src/cli/help-groups.js'
import { Secsctl } from '../support/secsctl.js'

interface Manifest {
  readonly commands: Readonly<
    Record<
      string,
      {
        readonly id: string
        readonly summary?: string
        readonly examples?: readonly string[]
        readonly usage?: string
        readonly args: Readonly<Record<string, object>>
        readonly flags: Readonly<
          Record<
            string,
            {
              readonly char?: string
              readonly hidden?: boolean
              readonly helpGroup?: string
              readonly options?: readonly string[]
            }
          >
        >
      }
    >
  >
}
const { commands } = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as Manifest
const all = Object.values(commands)

const secsctl = new Secsctl()
afterAll(() => secsctl.remove())

test.each(all)('$id has a summary and an example', ({ summary, examples }) => {
  expect(summary).toMatch(/^[A-Z].*\.$/s)
  expect(examples?.length).toBeGreaterThan(0)
})

test.each(all)('the examples of $id use commands and flags that there are', ({ examples = [] }) => {
  for (const example of examples) {
    const [, line = ''] = /\bsecsctl (.*)$/.exec(example) ?? []
    const words = line.split(' ')
    const command = [words.slice(0, 2).join(':'), words[0] ?? ''].map((id) => commands[id]).find(Boolean)
    expect(command, line).toBeDefined()
    // What stands in quotes is no flag.
    const bare = line.replace(/'[^']*'|"[^"]*"/g, '').replace(/\|.*$/, '')
    for (const [, long, char] of bare.matchAll(/\s(?:--([a-z-]+)|-([a-zA-Z]))\b/g)) {
      const known = Object.entries(command?.flags ?? {}).some(
        ([name, flag]) => name === long || flag.char === char,
      )
      expect(known, `${long ?? char} in: ${line}`).toBe(true)
    }
  }
})

test.each(all)('$id takes the flags that every command takes', ({ flags }) => {
  expect(Object.keys(flags)).toEqual(expect.arrayContaining(['url', 'profile', 'output', 'json', 'no-input']))
})

test.each(all.filter(({ usage }) => usage !== undefined))(
  'the usage line of $id names the arguments as its help lists them',
  ({ id, usage = '', args }) => {
    const words = usage
      .slice(id.length)
      .replace(/\[--[^\]]*\]|\[KEY=VALUE\.\.\.\]/g, '')
      .split(' ')
      .filter(Boolean)
      .map((word) => word.replace(/[[\].]|=VALUE/g, ''))
    expect(words).toEqual(Object.keys(args).map((name) => name.toUpperCase()))
  },
)

test('--url and --profile are listed only where they choose a gateway', () => {
  const listed = (id: string) => commands[id]?.flags['url']?.hidden !== true
  expect(['equipment:list', 'doctor', 'equipment:test', 'login'].filter(listed)).toHaveLength(4)
  expect(
    ['explain', 'catalogue:describe', 'sml:encode', 'completion', 'daemon:status'].filter(listed),
  ).toEqual([])
})

test('formats are listed only where they are printed', () => {
  const formats = (id: string) => commands[id]?.flags['output']?.options
  expect(formats('journal:export')).toEqual(['json'])
  expect(formats('completion')).toEqual(['json'])
  expect(formats('simulator:schema')).toEqual(['json'])
})

test('help shows all paragraphs of a description', async () => {
  const { stdout } = await secsctl.run(['completion', 'zsh', '--help'])
  expect(stdout).toContain('bash: eval')
  expect(stdout).toContain('Names of equipment come from')
})

test('every topic and command is in one group of the help, and every name in a group exists', async () => {
  const roots = Object.keys(commands).map((id) => id.split(':')[0] ?? '')
  const visible = new Set(roots)
  expect(GROUPS.flatMap(({ names }) => names).toSorted()).toEqual([...visible].toSorted())
  const { stdout } = await secsctl.run(['--help'])
  for (const name of visible) expect(stdout).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'))
})

test('a command with many flags shows the usual ones, and all of them with --help-all', async () => {
  const few = await secsctl.run(['daemon', 'start', '--help'])
  expect(few.stdout).toContain('--port')
  expect(few.stdout).toContain('--help-all')
  expect(few.stdout).not.toMatch(/^ *--lease=/m)
  const all = await secsctl.run(['daemon', 'start', '--help-all'])
  const shown = Object.entries(commands['daemon:start']?.flags ?? {}).filter(([, { hidden }]) => !hidden)
  for (const [name] of shown) expect(all.stdout).toContain(name)
})

test('every flag of a command is named in its help', async () => {
  for (const { id, flags } of Object.values(commands)) {
    const { stdout } = await secsctl.run([...id.split(':'), '--help'])
    for (const [name, { hidden, helpGroup }] of Object.entries(flags))
      if (!hidden && helpGroup !== 'GLOBAL') expect(stdout, id).toContain(name)
  }
})

test('no help lists more than 22 flags', async () => {
  for (const { id } of Object.values(commands)) {
    const { stdout } = await secsctl.run([...id.split(':'), '--help'])
    expect((stdout.match(/^ {2,6}(-\w, )?--/gm) ?? []).length, id).toBeLessThanOrEqual(22)
  }
})
