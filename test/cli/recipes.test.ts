import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from '../support/command.js'
import { FakeGateway } from '../support/fake-gateway.js'
import { PseudoTerminal } from '../support/pseudo-terminal.js'
import { sampleEquipment } from '../support/sample-equipment.js'
import { Secsctl } from '../support/secsctl.js'

const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const THERE = Buffer.from('STEP 1 \x1b]0;owned\x07\u202e POWER\r\n\tEND\n')
const equipment = sampleEquipment()
const RECIPE = `/equipment/${equipment.id}/recipes/R1`
const RECORDED = { message_id: '71', reply_id: '72' }

const folder = mkdtempSync(join(tmpdir(), 'secsctl-recipes-'))
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
let format = 'B'
const secsctl = new Secsctl()
const gateway = new FakeGateway({
  'GET /equipment': () => ({ body: { items: [equipment], next_cursor: null } }),
  [`GET ${RECIPE}`]: () => ({
    body: {
      ...{ ppid: 'R1', bytes: THERE.length, sha256: sumOf(THERE), item_format: format },
      ...{ body: THERE.toString('base64'), formatted: null, ...RECORDED },
    },
  }),
  [`PUT ${RECIPE}`]: ({ body }) => {
    const bytes = Buffer.from((body as { body?: string }).body ?? '', 'base64')
    return {
      body: {
        ...{ ppid: 'R1', bytes: bytes.length, sha256: sumOf(bytes), accepted: true, verified: null },
        ...{ ppgnt: 0, ppgnt_text: 'granted', ackc7: 0, ackc7_text: 'accepted', ...RECORDED },
      },
    }
  },
})
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  const url = await gateway.listen()
  env = secsctl.environment({ TERM: 'xterm', LANG: 'C.UTF-8', SECSCTL_URL: url, SECSCTL_TOKEN: 'secret' })
})
beforeEach(() => void gateway.calls.splice(0))
afterAll(async () => {
  await gateway.close()
  secsctl.remove()
  rmSync(folder, { recursive: true })
})

const stored = () => gateway.calls.filter(({ method }) => method === 'PUT')

describe('recipes store', () => {
  const store = (words: readonly string[], input = '') =>
    runCommand(['recipes', 'store', 'etcher', 'R1', ...words], { gateway, input })

  test.each([
    ['standard input', () => ['-']],
    ['a file', () => [file('empty', '')]],
    ['a formatted recipe', () => [file('empty.yaml', 'commands: []\n'), '--formatted']],
    ['an empty file as a formatted recipe', () => [file('nothing.yaml', ''), '--formatted']],
  ])('does not overwrite a recipe with an empty one: %s', async (_, words) => {
    const { exitCode, stderr } = await store(words())
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/has no recipe in it: 0 (bytes|commands)/)
    expect(stderr).toContain('--allow-empty')
    expect(stored()).toEqual([])
  })

  test('stores an empty one with --allow-empty', async () => {
    expect(await store(['-', '--allow-empty'])).toMatchObject({ exitCode: 0 })
    expect(stored()).toMatchObject([{ body: { body: '' } }])
    expect(stored()[0]?.query.get('allow_empty')).toBe('true')
  })

  test('asks nothing in a script, and reads nothing first', async () => {
    expect(await store(['-'], 'NEW')).toMatchObject({ exitCode: 0 })
    expect(gateway.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /equipment',
      `PUT ${RECIPE}`,
    ])
  })

  test.each([
    ['n', 2, 0],
    ['y', 0, 1],
  ])('on a terminal it shows what is replaced, and asks: %s', async (key, exit, count) => {
    const given = file('new', 'NEW')
    const terminal = new PseudoTerminal(`node bin/run.js recipes store etcher R1 ${given}`, env)
    await terminal.shows('Replace the recipe R1 in etcher')
    await terminal.shows(/\[\d+G$/)
    expect(terminal.text.replace(/\s+/g, ' ')).toContain(`${THERE.length} bytes, SHA-256 ${sumOf(THERE)}`)
    expect(terminal.text.replace(/\s+/g, ' ')).toContain(`3 bytes, SHA-256 ${sumOf(Buffer.from('NEW'))}`)
    terminal.type(`${key}\r`)
    expect(await terminal.ended()).toBe(exit)
    expect(stored()).toHaveLength(count)
  })

  test.each([
    ['--yes', () => [file('new', 'NEW'), '--yes']],
    ['the same content', () => [file('same', THERE)]],
  ])('on a terminal it does not ask with %s', async (_, words) => {
    const terminal = new PseudoTerminal(`node bin/run.js recipes store etcher R1 ${words().join(' ')}`, env)
    expect(await terminal.ended()).toBe(0)
    expect(stored()).toHaveLength(1)
  })
})

describe('recipes fetch --to -', () => {
  const fetch = (columns?: number) =>
    runCommand(['recipes', 'fetch', 'etcher', 'R1', '--to', '-'], { gateway, ...(columns && { columns }) })

  test('gives a terminal text without a control character', async () => {
    const { stdout, stderr } = await fetch(80)
    expect(stdout).toBe('STEP 1 \\x1b]0;owned\\x07\\u202e POWER\n\tEND\n')
    expect(stderr).toContain('--to FILE')
  })

  test.each([
    ['A', 'A'],
    ['B', undefined],
  ])('of format %s names the format that a store needs: %s', async (given, named) => {
    format = given
    const to = join(folder, `as-${given}`)
    const { stderr } = await runCommand(['recipes', 'fetch', 'etcher', 'R1', '--to', to], { gateway })
    format = 'B'
    expect(/--format (\w+)/.exec(stderr)?.[1]).toBe(named)
  })

  test('gives a pipe the exact bytes', async () => {
    expect(await fetch()).toEqual({ stdout: THERE.toString(), stderr: '', exitCode: 0 })
  })
})
