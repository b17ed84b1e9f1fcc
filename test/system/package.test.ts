import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deadLinks, pagesIn } from './page-links.js'

/** The oldest Node that the package promises to run on, and the newest of each line after it. */
const NODES = ['20.19.0', '22', '24']

const folder = mkdtempSync(join(tmpdir(), 'secsctl-package-'))
const run = promisify(execFile)
let tarball = ''

/** Packed as it is published. */
beforeAll(async () => {
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder])
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }]
  tarball = join(folder, filename)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Copies of the sources, of what is installed, and of nothing that was built. */
async function copySources(to: string): Promise<void> {
  const script = `
    mkdir -p "$0"
    git ls-files -co --exclude-standard -z | tar --null -T - -cf - | tar -x -C "$0"
    modules=$(readlink -f node_modules)
    cp -al "$modules" "$0/node_modules" 2>/dev/null || { rm -rf "$0/node_modules"; cp -a "$modules" "$0/node_modules"; }
    ln -s "$PWD/.git" "$0/.git"`
  await run('sh', ['-ec', script, to])
}

test('the same sources in another folder give the same package, byte for byte', async () => {
  const [copy, again] = [join(folder, 'another', 'folder'), join(folder, 'again')]
  await copySources(copy)
  mkdirSync(again)
  const env = { ...process.env, TZ: 'Asia/Seoul', LANG: 'C', GIT_OPTIONAL_LOCKS: '0' }
  const pack = 'umask 077; exec npm pack --silent --pack-destination "$0"'
  await run('sh', ['-ec', pack, again], { cwd: copy, env })
  expect(readFileSync(join(again, basename(tarball))).equals(readFileSync(tarball))).toBe(true)
})

describe.each(NODES)('installed with npm on Node %s, the package', (version) => {
  const home = join(folder, `node-${version}`)
  const node = join(home, 'node_modules', `node-${process.platform}-${process.arch}`)
  const prefix = join(home, 'prefix')
  const installed = join(prefix, 'lib', 'node_modules', 'secsctl')
  const PATH = [join(node, 'bin'), join(prefix, 'bin'), process.env['PATH']].join(delimiter)
  const env = { ...process.env, PATH }
  const bare = { PATH, HOME: home, SECSCTL_HOME: join(home, 'secsctl') }

  /** As a user installs it; from npm's cache where that has what is needed. */
  beforeAll(async () => {
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--prefix']
    await run('npm', [...install, home, `node-${process.platform}-${process.arch}@${version}`], { env })
    await run('npm', [...install, prefix, '--global', '--ignore-scripts', tarball], { env })
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  test('is run by that Node', async () => {
    const { stdout } = await run('node', ['--version'], { env })
    expect(stdout.startsWith(`v${version}.`) || stdout === `v${version}\n`).toBe(true)
  })

  test('has what is needed, and no more', () => {
    expect(readdirSync(installed).sort()).toEqual([
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'NOTICE.md',
      'README.md',
      'SECURITY.md',
      'bin',
      'dist',
      'docs',
      'node_modules',
      'oclif.manifest.json',
      'package.json',
    ])
    expect(readdirSync(join(installed, 'dist'))).toContain('THIRD-PARTY-LICENSES.txt')
    expect(readdirSync(join(installed, 'node_modules'))).toContain('fs-native-extensions')
    expect(readdirSync(join(installed, 'node_modules'))).not.toContain('fastify')
    expect(statSync(tarball).size).toBeLessThan(4_900_000)
  })

  test('has the pages, and what their links and those of the README name', () => {
    expect(deadLinks(installed, ['README.md', 'SECURITY.md', ...pagesIn(installed)])).toEqual([])
    const names = ['monitoring/alerts.yaml', 'monitoring/dashboard.json', 'cluster/haproxy.cfg']
    for (const name of names) expect(existsSync(join(installed, 'docs', name))).toBe(true)
  })

  test('is installed again without a network, from the cache of npm', async () => {
    const offline = [
      'install',
      '--global',
      '--offline',
      '--ignore-scripts',
      '--prefix',
      join(home, 'offline'),
    ]
    await run('npm', [...offline, tarball], { env })
    const again = join(home, 'offline', 'bin', 'secsctl')
    expect((await run(again, ['--version'], { env: bare })).stdout).toMatch(/^secsctl \d/)
  })

  test('says its version', async () => {
    expect((await run('secsctl', ['--version'], { env: bare })).stdout).toMatch(
      /^secsctl \d+\.\d+\.\d+ \((commit [0-9a-f]{12}(-dirty)?, )?build [0-9a-f]{8}, Node \d+\.\d+\.\d+\)\n$/,
    )
  })

  test('does the whole main job', async () => {
    const { stdout } = await run('secsctl', ['demo'], { env: bare })
    expect(stdout).toMatch(/All \d+ checks held/)
  })

  test('finds its own commands and their help', async () => {
    expect((await run('secsctl', ['equipment', 'test', '--help'], { env: bare })).stdout).toContain(
      '--listen',
    )
    await expect(run('secsctl', ['equipmnt', 'list'], { env: bare })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Try: secsctl equipment list'),
    })
  })
})
