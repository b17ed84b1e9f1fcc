import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeGateway } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'
import { Secsctl } from '../../support/secsctl.js'
import { silentServer } from '../silent-server.js'

const secsctl = new Secsctl()
const gateway = new FakeGateway({
  'GET /equipment/eq_1/variables': () => ({
    body: {
      items: [
        { id: '7', name: 'Chamber Pressure', unit: 'Pa', kind: 'status' },
        { id: '8', name: 'Flow', unit: '', kind: 'status' },
        { id: '9', name: 'Flow', unit: '', kind: 'status' },
        { id: '10', name: '', unit: '', kind: 'status' },
      ],
      next_cursor: null,
    },
  }),
  'GET /messages': () => ({
    body: {
      items: [
        { equipment_id: 'eq_1', data: { PPID: ['OXIDE 1', 'POLY'] } },
        { equipment_id: 'eq_gone', data: { PPID: ['GONE'] } },
        { equipment_id: 'eq_1', data: {} },
      ],
      next_cursor: null,
    },
  }),
  'GET /equipment': () => ({
    body: {
      items: [sampleEquipment({ name: 'my asher' }), sampleEquipment({ id: 'eq_1', name: 'etcher' })],
      next_cursor: null,
    },
  }),
})
let env: Record<string, string> = {}
const complete = (line: string, given = env) =>
  secsctl.runProcess(['__complete', 'bash', line, ' \t\n'], { env: given })

beforeAll(async () => {
  env = { SECSCTL_URL: await gateway.listen(), SECSCTL_TOKEN: 'a-token' }
})
afterAll(async () => {
  await gateway.close()
  secsctl.remove()
})

describe('names of equipment', () => {
  test('come from the server, with the token', async () => {
    expect(await complete('secsctl equipment show ')).toEqual({
      code: 0,
      stdout: 'values\nmy\\ asher\netcher\n',
      stderr: '',
    })
    expect(gateway.calls.at(-1)?.headers['authorization']).toBe('Bearer a-token')
  })

  test('are followed by the recipes of its last list, without a question to it', async () => {
    await expect
      .poll(async () => (await complete('secsctl recipes fetch etcher ')).stdout)
      .toBe('values\nOXIDE\\ 1\nPOLY\n')
    const { path, query } = gateway.calls.at(-1) ?? {}
    expect([path, query?.get('stream'), query?.get('function'), query?.get('equipment_id')]).toEqual([
      '/messages',
      '7',
      '20',
      'eq_1',
    ])
    expect((await complete('secsctl recipes delete --all P')).stdout).toBe('values\nPOLY\n')
  })

  test('are followed by the names that the gateway has of its variables; ids where a name is no word for one', async () => {
    // A busy machine may be slower than anybody at a keyboard would wait.
    await expect
      .poll(async () => (await complete('secsctl variables show etch ')).stdout)
      .toBe('values\nChamber\\ Pressure\n8\n9\n10\n')
    expect(gateway.calls.at(-1)?.query.get('known')).toBe('true')
    const offered = async (line: string): Promise<string> => (await complete(line)).stdout
    await expect.poll(() => offered("secsctl variables show 'et*' ")).toContain('Chamber\\ Pressure\n')
    expect(await offered('secsctl variables show nobody ')).toBe('values\n')
    expect(await offered('secsctl constants show etch ')).toBe('values\n')
  })

  test.each([
    ['no daemon runs', {}],
    ['nothing listens', { SECSCTL_URL: 'http://127.0.0.1:9', SECSCTL_TOKEN: 'x' }],
    ['nobody is logged in', { SECSCTL_PROFILE: 'local' }],
    ['there is no such profile', { SECSCTL_PROFILE: 'nonsense' }],
    ['the variable is wrong', { SECSCTL_KEYCHAIN: 'nonsense' }],
  ])('are none when %s, and nothing is said', async (_, given) => {
    const home = join(secsctl.home, 'empty')
    expect(await complete('secsctl equipment show ', { ...given, SECSCTL_HOME: home })).toEqual({
      code: 0,
      stdout: 'values\n',
      stderr: '',
    })
    expect(existsSync(home)).toBe(false)
  })

  test('are not waited for when the server does not answer', async () => {
    const silent = await silentServer()
    const { code, stdout } = await complete('secsctl send ', {
      SECSCTL_URL: silent.url,
      SECSCTL_TOKEN: 'x',
    })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'values\n' })
    await silent.close()
  })
})

test('profiles are those of this user', async () => {
  await secsctl.runProcess(['profiles', 'add', 'fab2', '--url', 'http://gateway.example'])
  expect((await complete('secsctl profiles use f')).stdout).toBe('values\nfab2\n')
})

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish', 'powershell'])(
    '%s prints a script that asks this program',
    async (shell) => {
      const { code, stdout, stderr } = await secsctl.runProcess(['completion', shell])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain(`secsctl __complete ${shell} `)
      const asJson = await secsctl.runProcess(['completion', shell, '--json'])
      expect(JSON.parse(asJson.stdout)).toEqual({ shell, script: stdout })
    },
  )

  test('of another shell is wrong usage', async () => {
    expect(await secsctl.runProcess(['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' })
  })
})

test('the script completes in bash', async () => {
  const folder = mkdtempSync(join(secsctl.home, 'bin-'))
  writeFileSync(
    join(folder, 'secsctl'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(process.cwd(), 'bin/run.js')}' "$@"\n`,
    { mode: 0o755 },
  )
  const script = [
    'eval "$(secsctl completion bash)"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash reads it
    'try() { COMP_LINE=$1; COMP_POINT=${#1}; _secsctl; printf "%s|" "${COMPREPLY[@]}"; echo; }',
    'try "secsctl equipment sh"',
    'try "secsctl equipment list --output=ts"',
    'try "secsctl sml encode "',
  ].join('\n')
  const { PATH = '' } = process.env
  const stdout = execFileSync('bash', ['--norc', '-c', script], {
    env: { ...secsctl.environment(env), PATH: `${folder}:${PATH}` },
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect(stdout).toBe('show|\ntsv|\n|\n')
})
