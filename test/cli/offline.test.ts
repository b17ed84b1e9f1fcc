import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
afterAll(() => secsctl.remove())

test('--version is the package, its version, the commit, the build and the version of Node', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const built = JSON.parse(readFileSync('dist/package.json', 'utf8')) as { commit?: string; build: string }
  const { commit, build } = built
  expect(build).toMatch(/^[0-9a-f]{8}$/)
  expect(await secsctl.runProcess(['--version'])).toEqual({
    code: 0,
    stdout: `secsctl ${version} (${commit ? `commit ${commit}, ` : ''}build ${build}, Node ${process.versions.node})\n`,
    stderr: '',
  })
})

test.skipIf(!existsSync('/dev/full'))(
  '--version that cannot be written is one line on standard error',
  async () => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, ['bin/run.js', '--version'], { stdio: ['ignore', full, 'pipe'] })
    closeSync(full)
    const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: cannot write the result: .*\n$/)])
  },
)

describe('wrong usage ends with 2, on standard error alone', () => {
  test.each([
    [['equipment', 'list', '--nonsense'], 'equipment list has no flag --nonsense'],
    [['equipment', 'add', 'x', '--lable', 'a=b'], 'Did you mean --label?'],
    [['nonsense'], 'there is no command "nonsense"'],
    [['--json'], 'no command is given, only the flag --json'],
    [['help', 'nonsense'], 'there is no command "nonsense"'],
    [['help', 'equipment', 'lst'], 'Try: secsctl equipment list --help'],
    [['equipment', 'lsit'], 'Try: secsctl equipment list'],
    [['daemon', 'status', 'x'], 'daemon status takes no argument: "x"'],
    [['daemon', 'stop', 'right', 'now'], 'daemon stop takes no argument: "right now"'],
    [['whoami', 'x'], 'Try: secsctl whoami --help'],
    [['equipment', 'rm', 'my tool', '--yes'], "Try: secsctl equipment remove 'my tool' --yes"],
    [['equipment', 'connect', '-dash'], 'follows --: -- -dash'],
    [['equipment', 'show'], 'EQUIPMENT is missing: names, ids'],
    [['completion'], 'SHELL is missing: bash, zsh, fish, powershell'],
    [
      ['equipment', 'list', '-o', 'sml'],
      'Expected --output=sml to be one of: table, wide, tsv, csv, yaml, json',
    ],
    [['equipment', 'connect', 'etcher', '--wait', '10'], '--wait takes a duration'],
    [['simulator', 'fleet', 'x'], 'COUNT is a whole number'],
    [['equipment', 'connect'], 'name equipment, or add --all'],
    [['profiles', 'add', '-x', '--url', 'http://x'], 'profiles add has no flag -x'],
    [['profiles', 'add', 'x', '--url', 'ftp://x'], '"ftp://x" is not the address of a gateway'],
    [['profiles', 'add', 'local', '--url', 'http://x'], '"local" is the daemon on this machine'],
    [['daemon', 'run', '--tls-cert', 'x.pem'], 'tls-key'],
    [['sml', 'encode', '/nowhere/at/all'], '/nowhere/at/all cannot be read: there is no such file'],
    [['conform', 'diff', '/nowhere/a', '/nowhere/b'], '/nowhere/a: there is no such file'],
    [['daemon', 'run', '--keep', 'abc'], 'Error: --keep takes a duration of a day or more, such as 30d'],
    [['daemon', 'run', '--keep', 'abc'], 'Try: secsctl daemon run --help'],
  ])('%j', async (args, words) => {
    const { code, stdout, stderr } = await secsctl.run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('    at ')
  })
})

test('with --json an error is one line of JSON on standard error, with the same exit code', async () => {
  const { code, stdout, stderr } = await secsctl.run(['equipment', 'list', '--nonsense', '--json'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(JSON.parse(stderr)).toMatchObject({ code: 'usage', detail: 'equipment list has no flag --nonsense' })
})

describe('without a daemon', () => {
  test.each([
    ['equipment list'],
    ['send etcher S1F1'],
    ['alarms list'],
    ['daemon status'],
    ['whoami'],
    ['login'],
  ])('%s ends with 6 and says how to start one', async (line) => {
    const { code, stdout, stderr } = await secsctl.run(line.split(' '))
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
    expect(stderr).toContain('secsctl daemon start')
  })

  test('daemon stop has nothing to do, and status leaves nothing over', async () => {
    const home = join(secsctl.home, 'fresh')
    const given = { env: { SECSCTL_HOME: home } }
    expect(await secsctl.run(['daemon', 'stop'], given)).toMatchObject({ code: 0, stdout: '' })
    expect(existsSync(home)).toBe(false)
  })
})

describe('SML', () => {
  test('is encoded from standard input', async () => {
    const { code, stdout } = await secsctl.run(['sml', 'encode'], { input: "<L <U4 1> <A 'x'>>" })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '0102b10400000001410178\n' })
  })

  test('is what hex decodes to', async () => {
    const { stdout } = await secsctl.run(['sml', 'decode', '-'], { input: '01 02 b1 04 00000001 41 01 78\n' })
    expect(stdout).toBe('<L [2]\n  <U4 1>\n  <A "x">\n>\n')
  })

  test('is put in canonical form, or in JSON, from a file', async () => {
    const file = join(secsctl.home, 'x.sml')
    writeFileSync(file, 'S1F3 W <L <U4 1>>. S1F1 W.')
    const { stdout } = await secsctl.run(['sml', 'format', file, '--to', 'json'])
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { stream: 1, function: 3, w_bit: true, body: { L: [{ U4: [1] }] } },
      { stream: 1, function: 1, w_bit: true, body: null },
    ])
  })

  test('is printed as JSON wherever any command would print so', async () => {
    const input = '<U4 1>'
    expect((await secsctl.run(['sml', 'encode', '-o', 'json'], { input })).stdout).toBe('{"U4":[1]}\n')
    expect((await secsctl.run(['sml', 'format', '--json'], { input })).stdout).toBe('{"U4":[1]}\n')
  })

  test('is made of typed JSON, in the encoding that is told', async () => {
    const { code, stdout } = await secsctl.run(['sml', 'encode', '--encoding', 'gb18030'], {
      input: '{"A":"中"}\r\n{"L":[]}\r\n',
    })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '4102d6d0\n0100\n' })
  })

  test('of an HSMS message is after its explanation, and is read back', async () => {
    const input = '00000000: 0000 000c 0001 810d 0000 0000 0003 0100  ................'
    const { code, stdout } = await secsctl.run(['sml', 'decode'], { input })
    expect({ code, last: stdout.split('\n').slice(-3) }).toEqual({
      code: 0,
      last: ['S1F13 W', '<L [0]>.', ''],
    })
    expect(stdout).toContain('// S1F13 Establish Communications Request\n')
    expect(await secsctl.run(['sml', 'encode'], { input: stdout })).toMatchObject({
      code: 0,
      stdout: '0100\n',
    })
  })

  test('is folded where it is told to, and nothing gives nothing', async () => {
    const folded = await secsctl.run(['sml', 'format', '--width', '20'], { input: '<U4 1 2 3 4 5 6 7 8 9>' })
    expect(folded.stdout).toBe('<U4 1 2 3 4 5 6 7 8\n  9>\n')
    expect(await secsctl.run(['sml', 'decode'], { input: '' })).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('that is wrong is reported by line and column, and prints nothing', async () => {
    const { code, stdout, stderr } = await secsctl.run(['sml', 'encode'], { input: '<L\n  <U4 x>>' })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('line 2, column 7')
  })
})

describe('catalogue describe knows without any gateway', () => {
  test('a message', async () => {
    const { code, stdout } = await secsctl.run(['messages', 'describe', 's2f42', '--json'])
    expect(code).toBe(0)
    const described = JSON.parse(stdout) as { items: { name: string }[] }
    expect(described).toMatchObject({ stream: 2, function: 42, forms: [{ w_bit: 'forbidden' }] })
    expect(described.items.map(({ name }) => name)).toContain('HCACK')
    expect(await secsctl.run(['message', 'describe', 'S99F1'])).toMatchObject({ code: 3, stdout: '' })
  })

  test('a message in a pipe, with its structure', async () => {
    const { code, stdout } = await secsctl.run(['messages', 'describe', 'S2F42'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^form\tequipment\tforbidden\t<L <HCACK> <L PARAMS\.\.\. <L <CPNAME> <CPACK>>>>\t/m,
    )
    expect(stdout).toContain('code\tHCACK\t2\tcannot perform now\n')
  })

  test('a data item, in any case', async () => {
    const { code, stdout } = await secsctl.run(['messages', 'describe', 'hcack', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ name: 'HCACK', messages: ['S2F42', 'S2F50'] })
  })

  test('the messages of a stream, and all of them', async () => {
    const { code, stdout } = await secsctl.run(['messages', 'describe', 'S9'])
    expect({ code, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 0, lines: 7 })
    const all = await secsctl.run(['messages', 'describe'])
    expect(all.stdout).toContain('S21F20\tItem Type Feature Support Results\teither way\t\n')
    expect(await secsctl.run(['messages', 'describe', 'S99'])).toMatchObject({ code: 3, stdout: '' })
  })
})

describe('profiles', () => {
  test('are added, used, and left again, in a file that only its owner reads', async () => {
    const run = async (line: string) => (await secsctl.run([...line.split(' '), '--json'])).stdout
    expect(JSON.parse(await run('profiles add fab2 --url https://gateway.example:7327/'))).toMatchObject({
      name: 'fab2',
      url: 'https://gateway.example:7327',
      current: false,
    })
    expect(JSON.parse(await run('profiles use fab2'))).toMatchObject({ name: 'fab2', current: true })
    expect(JSON.parse(await run('profiles use -'))).toMatchObject({ name: 'local', current: true })
    expect(JSON.parse(await run('profiles use -'))).toMatchObject({ name: 'fab2' })
    expect(JSON.parse(await run('profiles list'))).toHaveLength(2)
    const config = join(secsctl.home, 'config')
    expect(statSync(config).mode & 0o777).toBe(0o700)
    for (const file of readdirSync(config)) expect(statSync(join(config, file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await run('profiles remove fab2 --yes'))).toEqual({ removed: 'fab2' })
    expect(JSON.parse(await run('profiles show'))).toMatchObject({ name: 'local', current: true })
  })

  test('are not removed without a word, where nobody can be asked', async () => {
    await secsctl.run(['profiles', 'add', 'fab3', '--url', 'http://x'])
    expect(await secsctl.run(['profiles', 'remove', 'fab3'])).toMatchObject({ code: 2, stdout: '' })
    expect(await secsctl.run(['profiles', 'show', 'fab3'])).toMatchObject({ code: 0 })
  })

  test('in a pipe are tab-separated values without a title line', async () => {
    const other = new Secsctl()
    try {
      const { stdout } = await other.run(['profiles', 'list'])
      expect(stdout).toBe('*\tlocal\t(the daemon on this machine)\t\t\n')
      expect(await other.run(['profiles', 'list', '--json'])).toMatchObject({ stderr: '' })
    } finally {
      other.remove()
    }
  })

  test('in a damaged file are refused, and the file is left alone', async () => {
    const other = new Secsctl()
    try {
      await other.run(['profiles', 'add', 'x', '--url', 'http://x'])
      const file = join(other.home, 'config', 'config.json')
      writeFileSync(file, '{"profiles":')
      const { code, stderr } = await other.run(['profiles', 'list'])
      expect(code).toBe(1)
      expect(stderr).toContain(`${file} is damaged`)
      expect(readFileSync(file, 'utf8')).toBe('{"profiles":')
    } finally {
      other.remove()
    }
  })
})

test('sml decode prints what is whole, explains what is cut, and ends with 2', async () => {
  const input = '0000000affff00000001000000010000000c0001810d00000000000301'
  const { code, stdout, stderr } = await secsctl.run(['sml', 'decode'], { input })
  expect(code).toBe(2)
  expect(stdout).toContain('// Select.req\n')
  expect(stdout).toContain('\n\n// S1F13 Establish Communications Request, cut\n')
  expect(stderr).toContain('line 1: an HSMS message of 12 bytes, but 11 are left (at byte 14)')
})
