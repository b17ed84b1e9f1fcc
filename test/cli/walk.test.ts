import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleGateway } from '../support/example-gateway.js'
import { PseudoTerminal } from '../support/pseudo-terminal.js'
import { ended, Secsctl } from '../support/secsctl.js'
import { USUAL_ENDS, WALK_CALLS } from './walk-calls.js'

interface Listed {
  readonly id: string
  readonly args: Readonly<Record<string, { readonly name: string; readonly required?: boolean }>>
  readonly flags: Readonly<Record<string, { readonly helpValue?: string }>>
}
interface Run {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}
interface Came {
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
}

const SITUATIONS = ['without a server', 'without a login', 'with everything as it should be'] as const
const WALK = 'test/cli/walk-process.mjs'

const manifest = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as {
  readonly commands: Readonly<Record<string, Listed>>
}
const commands = Object.values(manifest.commands).map((listed) => ({
  ...listed,
  name: listed.id.replaceAll(':', ' '),
}))
const walked = commands.filter(({ name }) => WALK_CALLS[name]?.alone === undefined)

const secsctl = new Secsctl()
const gateway = exampleGateway()
let situations: readonly Record<string, string>[]
/** What came of each run, by where and as what it was run. */
const came = new Map<string, Came>()
const keyOf = ({ args, env }: Run, place: string): string => JSON.stringify([place, args, env])

let files = 0
/** The words of a command as the walk calls it. */
const words = new Map(
  commands.map(({ name, args }) => {
    const named = Object.values(args).filter(({ required }) => required)
    const given = WALK_CALLS[name]?.args ?? named.map(({ name }) => (name === 'equipment' ? 'etcher' : name))
    const made = given.map((word) => {
      const [, content] = /^FILE\((.*)\)$/.exec(word) ?? []
      if (content === undefined) return word
      const file = join(secsctl.home, `file-${++files}`)
      writeFileSync(file, content)
      return file
    })
    return [name, [...name.split(' '), ...made]] as const
  }),
)
const wordsOf = (name: string): readonly string[] => words.get(name) ?? []

/** Commands that name equipment, and how each is called with it as a word and with it as a flag. */
const naming = walked.filter(({ args, flags }) => args['equipment'] && flags['equipment'])
const bothWays = (name: string): readonly (readonly string[])[] => {
  const at = name.split(' ').length
  const given = wordsOf(name).slice(at)
  const place = Math.max(0, given.indexOf('etcher'))
  const others = given.filter((word, index) => index !== place || word !== 'etcher')
  const command = name.split(' ')
  return [
    [...command, ...others.slice(0, place), 'etcher', ...others.slice(place)],
    [...command, ...others, '--equipment', 'etcher'],
    [...command, '--equipment=etcher', ...others],
  ]
}

/** Runs all of them in one process, in a pipe or on a real terminal. */
async function walk(place: 'pipe' | 'terminal', runs: readonly Run[]): Promise<void> {
  const plan = join(secsctl.home, `${place}.plan`)
  const results = join(secsctl.home, `${place}.results`)
  writeFileSync(plan, JSON.stringify(runs))
  const env = secsctl.environment({ TERM: 'xterm', LANG: 'C.UTF-8', SECSCTL_NO_INPUT: '1' })
  const over =
    place === 'terminal'
      ? new PseudoTerminal(`node ${WALK} ${plan} ${results}`, env).ended()
      : ended(spawn(process.execPath, [WALK, plan, results], { env }))
  const end = await over
  expect(typeof end === 'object' ? end?.code : end, JSON.stringify(end)).toBe(0)
  const all = JSON.parse(readFileSync(results, 'utf8')) as readonly Came[]
  for (const [at, run] of runs.entries()) came.set(keyOf(run, place), all[at] as Came)
}

const result = (place: string, args: readonly string[], env: Record<string, string> = {}): Came => {
  const found = came.get(keyOf({ args, env }, place))
  if (!found) throw new Error(`the walk did not come to: ${args.join(' ')}`)
  return found
}

beforeAll(async () => {
  const url = await gateway.listen()
  const [silent, nobody] = ['silent', 'nobody'].map((name) => ({ SECSCTL_HOME: join(secsctl.home, name) }))
  situations = [
    { ...silent },
    { ...nobody, SECSCTL_URL: url },
    { ...nobody, SECSCTL_URL: url, SECSCTL_TOKEN: 'example' },
  ]
  const real = walked.flatMap(({ name }) => situations.map((env) => ({ args: wordsOf(name), env })))
  const asJson = real.map(({ args, env }) => ({ args: [...args, '--json'], env }))
  const asked = commands.flatMap(({ name }) => [
    { args: [...wordsOf(name), '--nonsense'], env: {} },
    { args: [...wordsOf(name), '--nonsense', '--json'], env: {} },
    { args: [...name.split(' '), '--help'], env: {} },
  ])
  const named = naming.flatMap(({ name }) =>
    bothWays(name).map((args) => ({ args: [...args, '--json'], env: situations[2] ?? {} })),
  )
  await Promise.all([
    walk('pipe', [...real, ...asJson, ...asked, ...named]),
    walk('terminal', [...real, ...asJson]),
  ])
}, 240_000)
afterAll(async () => {
  await gateway.close()
  secsctl.remove()
})

test('every call that the walk knows is one of a command', () => {
  const names = commands.map(({ name }) => name)
  expect(Object.keys(WALK_CALLS).filter((name) => !names.includes(name))).toEqual([])
})

describe.each(commands)('$name', ({ name }) => {
  test('refuses a flag that there is not with 2, in words and as JSON, and prints nothing', () => {
    const { code, stdout, stderr } = result('pipe', [...wordsOf(name), '--nonsense'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('has no flag --nonsense')
    const json = result('pipe', [...wordsOf(name), '--nonsense', '--json'])
    expect({ code: json.code, stdout: json.stdout }).toEqual({ code: 2, stdout: '' })
    expect(JSON.parse(json.stderr)).toMatchObject({ code: 'usage' })
  })

  test('has help', () => {
    const { code, stdout } = result('pipe', [...name.split(' '), '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain(`$ secsctl ${name}`)
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})

test.each(naming)('$name takes equipment as a word and as --equipment', ({ name }) => {
  const [word, ...flags] = bothWays(name).map((args) => result('pipe', [...args, '--json'], situations[2]))
  expect(word?.code, word?.stderr).not.toBe(2)
  // A recording and a result say when they were made.
  const same = ['simulator record', 'scenario run'].includes(name)
    ? { ...word, stdout: expect.any(String) as string }
    : word
  for (const flag of flags) expect(flag).toEqual(same)
})

const cases = walked.flatMap(({ name }) =>
  SITUATIONS.map((situation, at) => ({
    name,
    situation,
    at,
    exit: (WALK_CALLS[name]?.ends ?? USUAL_ENDS)[at] ?? 0,
  })),
)

test.each(cases)('$name $situation ends with $exit in a pipe, on a terminal and with --json', (one) => {
  const { name, at, exit } = one
  const env = situations[at] ?? {}
  const args = wordsOf(name)
  for (const place of ['pipe', 'terminal']) {
    const plain = result(place, args, env)
    const json = result(place, [...args, '--json'], env)
    const hint = `secsctl ${args.join(' ')} (test/cli/walk-calls.ts says how it is called): ${plain.stderr}`
    expect([plain.code, json.code], hint).toEqual([exit, exit])
    expect(plain.stderr, hint).not.toMatch(/^ +at /m)
    // What the equipment said no to is a result, too.
    if (exit === 0 || exit === 8) {
      expect(json.stderr, hint).toBe('')
      expect(() => json.stdout === '' || jsonIn(json.stdout), json.stdout).not.toThrow()
    } else {
      expect(plain.stdout, hint).toBe('')
      expect(plain.stderr, hint).not.toBe('')
      expect(json.stdout, hint).toBe('')
      expect(json.stderr.trimEnd().split('\n'), hint).toHaveLength(1)
      expect(JSON.parse(json.stderr)).toMatchObject({ code: expect.any(String), detail: expect.any(String) })
    }
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what is looked for.
  expect(result('pipe', args, env).stdout).not.toMatch(/\x1b/)
})

/** One JSON value, or one a line. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
  }
}
