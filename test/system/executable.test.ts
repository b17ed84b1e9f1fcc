import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'secsctl-executable-test-'))
const packages = join(folder, 'packages')
let secsctl = ''

const build = (to: string, env: Readonly<Record<string, string>> = {}) =>
  run(process.execPath, ['scripts/package.mjs', '--executable', to], { env: { ...process.env, ...env } })

const executableIn = (at: string): string => {
  const name = readdirSync(at).find((file) => file.endsWith('-linux-x64'))
  return join(at, name ?? 'no executable')
}

beforeAll(async () => {
  await build(packages)
  secsctl = executableIn(packages)
}, 180_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** In an empty folder, with no PATH, no home and no Node. */
function alone(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const cwd = mkdtempSync(join(folder, 'empty-'))
  return run(secsctl, args, { cwd, env: { PATH: '', HOME: cwd, SECSCTL_HOME: join(cwd, 'home'), ...env } })
}

describe('the executable', () => {
  test('does the whole main job in an empty folder with an empty PATH', async () => {
    const { stdout } = await alone(['demo'])
    expect(stdout).toMatch(/All \d+ checks held/)
  })

  test('says its version, its commit and its Node', async () => {
    const { stdout } = await alone(['--version'])
    expect(stdout).toMatch(/^secsctl \d+\.\d+\.\d+ \((commit [0-9a-f]{12}(-dirty)?, )?Node 24\.\d+\.\d+\)\n$/)
  })

  test('has its help, its suggestions and its completion', async () => {
    expect((await alone(['equipment', 'test', '--help'])).stdout).toContain('--listen')
    expect((await alone(['__complete', 'bash', 'secsctl equip', ' '])).stdout).toContain('equipment')
    await expect(alone(['equipmnt', 'list'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Try: secsctl equipment list'),
    })
  })

  test('reads a text that is not Latin-1', async () => {
    const { stdout } = await alone(['sml', 'encode', 'S1F1 W <A "设备">.', '--encoding', 'gb18030'])
    expect(stdout.toLowerCase()).toContain('c9e8b1b8')
  })

  test('keeps nothing of its native parts on the disk', async () => {
    const TMPDIR = join(folder, 'tmp')
    mkdirSync(TMPDIR)
    const started = await alone(['daemon', 'start', '--port', '0', '--json'], { TMPDIR })
    const env = { SECSCTL_HOME: JSON.parse(started.stdout).data_folder.replace(/\/data$/, ''), TMPDIR }
    try {
      expect(JSON.parse((await alone(['daemon', 'status', '--json'], env)).stdout)).toMatchObject({
        running: true,
      })
      const page = await fetch(JSON.parse(started.stdout).url, { headers: { accept: 'text/html' } })
      expect(await page.text()).toContain('<script')
    } finally {
      await alone(['daemon', 'stop'], env)
    }
    expect(readdirSync(TMPDIR)).toEqual([])
  })

  test('is started again by its real path where it is called through a link', async () => {
    const link = join(folder, 'linked')
    symlinkSync(secsctl, link)
    const { stdout } = await run(link, ['daemon', 'install', '--print'], { env: { PATH: '', HOME: folder } })
    expect(stdout).toContain(`ExecStart=${secsctl} daemon run`)
  })

  test('says that it has no keytar, where that is asked for', async () => {
    const env = { SECSCTL_HOME: '', SECSCTL_KEYCHAIN: 'keytar' }
    await expect(alone(['logout', '--url', 'http://127.0.0.1:9'], env)).rejects.toMatchObject({
      stderr: expect.stringContaining('keytar is not installed'),
    })
  })

  test('is the same, byte for byte, when it is built again elsewhere', async () => {
    const [temporary, again] = [join(folder, 'other-temporary'), join(folder, 'again')]
    mkdirSync(temporary)
    await build(again, { TMPDIR: temporary, TZ: 'Asia/Seoul', LANG: 'C' })
    expect(await sha256(executableIn(again))).toBe(await sha256(secsctl))
  }, 180_000)
})

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
