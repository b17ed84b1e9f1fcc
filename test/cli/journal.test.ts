import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ran, Secsctl } from '../support/secsctl.js'

const secsctl = new Secsctl()
const data = join(secsctl.home, 'data')
const run = (...args: readonly string[]): Promise<Ran> => secsctl.run(args)

interface Line {
  readonly seq: number
  readonly key: string
  readonly type: string
}
const linesOf = ({ stdout }: Ran): Line[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)

describe('journal', () => {
  beforeAll(async () => {
    expect(await run('daemon', 'start', '--port', '0')).toMatchObject({ code: 0 })
    // Nobody listens there: each connect leaves its attempts in the journal.
    for (const name of ['one', 'two']) {
      await run('equipment', 'add', name, '--address', '127.0.0.1:1', '--label', `area=${name}`)
      await run('equipment', 'connect', name, '--wait', '0s')
      await run('equipment', 'disconnect', name)
    }
  })
  afterAll(async () => {
    await run('daemon', 'stop')
    secsctl.remove()
  })

  test('verify and export work beside a daemon, and change nothing', async () => {
    const journal = join(data, 'journal')
    const before = readdirSync(journal)
    const verified = await run('journal', 'verify', '--json')
    expect({ code: verified.code, stderr: verified.stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(verified.stdout)).toMatchObject({ folder: data, faults: [] })
    const all = linesOf(await run('journal', 'export'))
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, at) => at + 1))
    expect(all.length).toBeGreaterThanOrEqual(4)
    expect(readdirSync(journal)).toEqual(before)
  })

  test('export takes a range and filters, and equipment by its name or the id it had', async () => {
    const all = linesOf(await run('journal', 'export'))
    expect(linesOf(await run('journal', 'export', '--after', '1', '--before', '4'))).toEqual(all.slice(1, 3))
    const [other, two] = JSON.parse((await run('equipment', 'list', '--json')).stdout) as {
      id: string
      name: string
    }[]
    const ofTwo = all.filter(({ key }) => key === two?.id)
    expect(ofTwo.length).toBeGreaterThan(0)
    const area = `area=${two?.name}`
    expect(linesOf(await run('journal', 'export', '--equipment', two?.name ?? ''))).toEqual(ofTwo)
    expect(linesOf(await run('journal', 'export', '-l', area))).toEqual(ofTwo)
    expect(linesOf(await run('journal', 'export', '--equipment', `*${two?.name}`, '-l', 'area'))).toEqual(
      ofTwo,
    )
    expect(linesOf(await run('journal', 'export', '--equipment', other?.name ?? '', '-l', area))).toEqual([])
    expect(await run('journal', 'export', '-l', 'area=(')).toMatchObject({ code: 2, stdout: '' })
    await run('equipment', 'remove', two?.id ?? '', '--yes')
    expect(linesOf(await run('journal', 'export', '-l', area))).toEqual([])
    const afterwards = linesOf(await run('journal', 'export', '--equipment', two?.id ?? ''))
    expect(afterwards.slice(0, ofTwo.length)).toEqual(ofTwo)
    expect(linesOf(await run('journal', 'export', '--type', 'alarm'))).toEqual([])
    expect(linesOf(await run('journal', 'export', '--since', '1h'))).toHaveLength(
      all.length + afterwards.length - ofTwo.length,
    )
    expect(await run('journal', 'export', '--equipment', 'nobody')).toMatchObject({ code: 3, stdout: '' })
    expect(await run('journal', 'export', '--since', 'whenever')).toMatchObject({ code: 2, stdout: '' })
  })

  test('export of a gateway elsewhere is what the gateway has, line by line', async () => {
    const { url } = JSON.parse((await run('daemon', 'status', '--json')).stdout) as { url: string }
    const elsewhere = new Secsctl()
    try {
      const kept = readFileSync(join(secsctl.home, 'config', 'tokens.json'), 'utf8')
      const { token } = JSON.parse((JSON.parse(kept) as { local: string }).local) as { token: string }
      const env = { SECSCTL_TOKEN: token }
      const remote = (...args: readonly string[]): Promise<Ran> => elsewhere.run(args, { env })
      const [here, there] = [await run('journal', 'export'), await remote('journal', 'export', '--url', url)]
      expect({ ...there, stdout: '' }).toEqual({ code: 0, stdout: '', stderr: '' })
      expect(linesOf(there).length).toBeGreaterThan(3)
      expect(there.stdout).toBe(here.stdout)
      const filters = ['--equipment', 'o*', '-l', 'area=one', '--after', '2', '--type', 'connection']
      expect((await remote('journal', 'export', '--url', url, ...filters)).stdout).toBe(
        (await run('journal', 'export', ...filters)).stdout,
      )
      await elsewhere.run(['profiles', 'add', 'fab', '--url', url])
      expect((await remote('journal', 'export', '--profile', 'fab')).stdout).toBe(here.stdout)
      await elsewhere.run(['profiles', 'add', 'fab2', '--url', 'http://fab2.example'])
      await elsewhere.run(['profiles', 'use', 'fab'])
      expect((await remote('journal', 'export')).stdout).toBe(here.stdout)
      for (const command of [['verify'], ['backup', join(elsewhere.home, 'copy')]]) {
        const { code, stdout, stderr } = await remote('journal', ...command, '--url', url)
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
        expect(stderr).toContain('reads the files of this machine')
        const named = await remote('journal', ...command, '--profile', 'fab2')
        expect(named.stderr).toContain('--profile local; secsctl journal export --profile fab2\n')
        // The current profile is another gateway, too.
        expect(await remote('journal', ...command)).toMatchObject({ code: 2 })
        expect(await remote('journal', ...command, '--profile', 'local')).toMatchObject({ code: 3 })
      }
      expect(await remote('journal', 'export', '--data', data, '--url', url)).toMatchObject({ code: 2 })
    } finally {
      elsewhere.remove()
    }
  })

  test('a backup into the data folder itself is refused', async () => {
    const folder = join(data, 'copies', 'monday')
    expect(await run('journal', 'backup', folder)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is inside the data folder'),
    })
  })

  test('a backup of a folder that a daemon works on is one that a daemon starts on', async () => {
    const restored = new Secsctl()
    const folder = join(restored.home, 'data')
    try {
      const { code, stdout, stderr } = await run('journal', 'backup', folder, '--json')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const { entries } = JSON.parse(stdout) as { entries: number }
      expect(entries).toBeGreaterThanOrEqual(4)
      expect(linesOf(await run('journal', 'export', '--data', folder))).toHaveLength(entries)
      expect(await run('journal', 'backup', folder)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('is not empty'),
      })
      expect(await restored.run(['daemon', 'start', '--port', '0'])).toMatchObject({ code: 0 })
      const names = readFileSync(join(folder, 'equipment.json'), 'utf8')
      expect(names).toBe(readFileSync(join(data, 'equipment.json'), 'utf8'))
    } finally {
      await restored.run(['daemon', 'stop'])
      restored.remove()
    }
  })

  test('a torn tail is named and no loss; damage is, with its place, and ends with 9', async () => {
    await run('daemon', 'stop')
    const [name = ''] = readdirSync(join(data, 'journal')).filter((file) => file.endsWith('.ndjson'))
    const path = join(data, 'journal', name)
    const whole = readFileSync(path)
    appendFileSync(path, '{"seq":99')
    const torn = await run('journal', 'verify')
    expect(torn).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ bytes: nothing is lost\.\n$/),
      stderr: '',
    })
    expect(torn.stdout.split('\t').slice(0, 3)).toEqual(['torn', join('journal', name), String(whole.length)])
    writeFileSync(path, Buffer.from(whole).fill(0x7e, 200, 201))
    const damaged = await run('journal', 'verify', '--data', data)
    expect(damaged).toMatchObject({
      code: 9,
      stdout: expect.stringMatching(/ bytes: something is lost\.\n$/),
    })
    expect(damaged.stdout).toContain('entry 1 is lost')
    const cut = await run('journal', 'export')
    const copied = await run('journal', 'export', '--data', data)
    expect(copied.stderr).toContain(`Try: secsctl journal verify ${data}\n`)
    expect(await run('journal', 'verify', data)).toEqual(damaged)
    expect(await run('journal', 'export', data)).toEqual(copied)
    for (const command of ['verify', 'export'])
      expect(await run('journal', command, data, '--data', data)).toMatchObject({ code: 2, stdout: '' })
    expect(cut).toMatchObject({ code: 9, stderr: expect.stringContaining('Try: secsctl journal verify') })
    writeFileSync(path, whole)
  })

  test('without a journal there is nothing to look at: exit 3', async () => {
    for (const command of [['verify'], ['export'], ['backup', join(secsctl.home, 'copy')]]) {
      const nowhere = join(secsctl.home, 'config')
      const { code, stdout, stderr } = await run('journal', ...command, '--data', nowhere)
      expect({ code, stdout, stderr }).toEqual({
        code: 3,
        stdout: '',
        stderr: expect.stringContaining('no journal'),
      })
    }
  })

  test('daemon bench-disk measures the disk', async () => {
    const { code, stdout } = await run('daemon', 'doctor', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      data_folder: data,
      sync_ms: expect.any(Number),
      verdict: expect.stringMatching(/^(fine|slow|too_fast)$/),
    })
    expect(readdirSync(data).filter((file) => file.startsWith('probe'))).toEqual([])
  })
})
