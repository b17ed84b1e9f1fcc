import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { Metafile } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../support/free-port.js'
import { PseudoTerminal } from '../support/pseudo-terminal.js'
import { until } from '../support/until.js'
import { DpkgRoot } from './dpkg-root.js'
import { deadLinks, pagesIn } from './page-links.js'
import { SmallRoot } from './small-root.js'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'secsctl-packages-test-'))
const packages = join(folder, 'packages')
let secsctl = ''

const build = (to: string, env: Readonly<Record<string, string>> = {}) =>
  run(process.execPath, ['scripts/package.mjs', to], { env: { ...process.env, ...env } })

const executableIn = (at: string): string => {
  const name = readdirSync(at).find((file) => file.endsWith('-linux-x64'))
  return join(at, name ?? 'no executable')
}

const debIn = (at: string): string =>
  join(at, readdirSync(at).find((name) => name.endsWith('.deb')) ?? 'no deb')

beforeAll(async () => {
  await build(packages)
  secsctl = executableIn(packages)
})
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

  test('starts about as fast as the npm package on the same Node', async () => {
    const node: string = '../../scripts/executable/platforms.mjs'
    const { nodeFolder } = (await import(node)) as { nodeFolder: (root: string) => string }
    const options = { env: { PATH: '', HOME: folder, SECSCTL_HOME: join(folder, 'start') } }
    const programs = [[secsctl], [join(nodeFolder(process.cwd()), 'bin', 'node'), 'bin/run.js']] as const
    const fastest = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let round = 0; round < 10; round++)
      for (const [at, [program, ...args]] of programs.entries()) {
        const started = performance.now()
        await run(program, [...args, 'profiles', 'list'], options)
        fastest[at] = Math.min(fastest[at] ?? 0, performance.now() - started)
      }
    const [executable = 0, npm = 0] = fastest
    expect(executable / npm).toBeLessThan(1.5)
  })

  test('says its version, its commit and its Node', async () => {
    const { stdout } = await alone(['--version'])
    expect(stdout).toMatch(
      /^secsctl \d+\.\d+\.\d+ \((commit [0-9a-f]{12}(-dirty)?, )?build [0-9a-f]{8}, Node 24\.\d+\.\d+\)\n$/,
    )
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
})

describe('what is published', () => {
  const sums = (at: string) => readFileSync(join(at, 'SHA256SUMS'), 'utf8')

  test('is the same, byte for byte, when it is built again elsewhere', async () => {
    const [temporary, again] = [join(folder, 'other-temporary'), join(folder, 'again')]
    mkdirSync(temporary)
    await build(again, { TMPDIR: temporary, TZ: 'Asia/Seoul', LANG: 'C' })
    expect(sums(again)).toBe(sums(packages))
  })

  test('has its checksums', async () => {
    const { stdout } = await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: packages })
    const files = readdirSync(packages).filter((name) => name !== 'SHA256SUMS')
    expect(stdout.trim().split('\n').sort()).toEqual(files.map((name) => `${name}: OK`).sort())
  })

  test('lists the packages that esbuild reports to have put into the bundle, and the native ones', async () => {
    const published = JSON.parse(readFileSync(join(packages, sbomIn(packages)), 'utf8')) as Sbom
    const reported = new Set([
      ...(await bundledByEsbuild('bundle.mjs')),
      ...(await bundledByEsbuild('web.mjs')),
    ])
    expect(reported.size).toBeGreaterThan(100)
    const bundle = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8')) as Sbom
    expect(namesOf(bundle)).toEqual([...reported].sort())
    expect(namesOf(published)).toEqual(expect.arrayContaining([...reported]))
    const native = ['@napi-rs/keyring', '@serialport/bindings-cpp', 'fs-native-extensions', 'node']
    expect(namesOf(published)).toEqual(expect.arrayContaining(native))
    for (const { name, version, licenses } of published.components)
      expect({ name, version, licences: licenses.length }).toMatchObject({
        version: expect.stringMatching(/^\d+\./),
        licences: 1,
      })
  })

  test('has the licence text of each of them', () => {
    const texts = readFileSync(join(packages, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
    const { components } = JSON.parse(readFileSync(join(packages, sbomIn(packages)), 'utf8')) as Sbom
    expect(components.filter(({ name, version }) => !texts.includes(`${name} ${version}`))).toEqual([])
  })
})

describe('the deb', () => {
  const system = new DpkgRoot(join(folder, 'system'))
  const deb = () => debIn(packages)
  const CONFIG = 'etc/secsctl/daemon.yaml'
  const ENVIRONMENT = 'etc/secsctl/daemon.env'
  const WANTED = 'etc/systemd/system/multi-user.target.wants/secsctl.service'

  test('finds what it depends on in Debian', async () => {
    expect((await run('dpkg', ['--dry-run', '--install', deb()])).stdout).not.toContain('depend')
  })

  test('installs the program, its service, its user and the folder for its data', async () => {
    await system.dpkg('--install', deb())
    const { stdout } = await run(system.path('usr/bin/secsctl'), ['--version'], { env: { PATH: '' } })
    expect(stdout).toMatch(/^secsctl \d/)
    const [, uid, gid] =
      /^secsctl:x:(\d+):(\d+):.*:\/usr\/sbin\/nologin$/m.exec(system.read('etc/passwd')) ?? []
    const { uid: owner, gid: group, mode } = statSync(system.path('var/lib/secsctl'))
    expect([owner, group, mode & 0o777]).toEqual([Number(uid), Number(gid), 0o700])
    expect(lstatSync(system.path(WANTED)).isSymbolicLink()).toBe(true)
    expect(statSync(system.path(ENVIRONMENT)).mode & 0o777).toBe(0o640)
    expect(statSync(system.path(CONFIG)).mode & 0o777).toBe(0o644)
  })

  test('has a configuration file with every setting, which the daemon of its service reads', async () => {
    const unit = system.read('usr/lib/systemd/system/secsctl.service')
    expect(unit).toContain(
      `ExecStart=/usr/bin/secsctl daemon run --config /${CONFIG} $SECSCTL_DAEMON_FLAGS\n`,
    )
    expect(system.read(CONFIG)).toContain('\n#equipment_networks: [')
    const file = system.path(CONFIG)
    const { stderr } = await run(system.path('usr/bin/secsctl'), ['daemon', 'check-config', file], {
      env: { PATH: '', HOME: folder },
    })
    expect(stderr).toBe(`${file} is valid.\n`)
  })

  test('has a unit that systemd takes, with an exposure of at most 1.5 of 10', async () => {
    const unit = system.read('usr/lib/systemd/system/secsctl.service')
    const file = join(folder, 'secsctl.service')
    writeFileSync(file, unit.replace('/usr/bin/secsctl', secsctl))
    expect((await run('systemd-analyze', ['verify', file])).stderr).toBe('')
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', file])
    const [, exposure] = /exposure level for secsctl.service: (\d+\.\d+)/.exec(stdout) ?? []
    expect(Number(exposure)).toBeLessThanOrEqual(1.5)
    expect(unit).toContain('EnvironmentFile=-/etc/secsctl/daemon.env')
  })

  test('has a unit of its own for the links of taps, which that of the daemon starts and does not stop', async () => {
    const unit = system.read('usr/lib/systemd/system/secsctl.service')
    const taps = system.read('usr/lib/systemd/system/secsctl-tap.service')
    const files = ['secsctl.service', 'secsctl-tap.service'].map((name) => join(folder, name))
    for (const [at, text] of [unit, taps].entries())
      writeFileSync(files[at] ?? '', text.replace('/usr/bin/secsctl', secsctl))
    expect((await run('systemd-analyze', ['verify', ...files])).stderr).toBe('')
    const { stdout } = await run('systemd-analyze', [
      'security',
      '--offline=true',
      '--no-pager',
      files[1] ?? '',
    ])
    const [, exposure] = /exposure level for secsctl-tap.service: (\d+\.\d+)/.exec(stdout) ?? []
    expect(Number(exposure)).toBeLessThanOrEqual(1.5)
    const set = (text: string, key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1]
    expect(set(taps, 'ExecStart')).toBe('/usr/bin/secsctl tap run')
    for (const key of ['User', 'StateDirectory', 'SystemCallFilter'])
      expect(set(taps, key)).toBe(set(unit, key))
    expect(set(unit, 'Wants')).toContain('secsctl-tap.service')
    expect(unit).toContain('\nEnvironment=SECSCTL_TAP_SERVICE=secsctl-tap.service\n')
    expect(unit).not.toMatch(/^(Requires|BindsTo|KillMode)=/m)
    // Secrets of the daemon are not for it.
    expect(taps).not.toContain('EnvironmentFile')
  })

  test('has the pages, whose links lead somewhere, the alert rules, the dashboard and the HAProxy file', () => {
    const doc = system.path('usr/share/doc/secsctl')
    expect(deadLinks(doc, ['README.md', 'SECURITY.md', ...pagesIn(doc)])).toEqual([])
    const names = ['monitoring/alerts.yaml', 'monitoring/dashboard.json', 'cluster/haproxy.cfg']
    for (const name of names) expect(existsSync(join(doc, 'docs', name))).toBe(true)
  })

  test('has no errors for lintian', async () => {
    const { stdout } = await run('lintian', ['--fail-on', 'error', deb()])
    expect(stdout).not.toMatch(/^E:/m)
  })

  test('has completions, and a manual page for each topic, with every command', async () => {
    const share = (name: string) => readdirSync(system.path(`usr/share/${name}`))
    expect([share('bash-completion/completions'), share('zsh/vendor-completions')]).toEqual([
      ['secsctl'],
      ['_secsctl'],
    ])
    expect(share('fish/vendor_completions.d')).toEqual(['secsctl.fish'])
    const pages = share('man/man1').map((name) =>
      gunzipSync(readFileSync(system.path(`usr/share/man/man1/${name}`))).toString(),
    )
    const manifest = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as { commands: object }
    const text = pages.join('').replaceAll('\\-', '-')
    const missing = Object.keys(manifest.commands).filter(
      (id) => !text.includes(`.SS secsctl ${id.replaceAll(':', ' ')}`),
    )
    expect(missing).toEqual([])
  })

  test('keeps the settings, the user and the history at an upgrade and a removal', async () => {
    system.write(CONFIG, 'port: 8443\n')
    system.write(ENVIRONMENT, 'SECSCTL_KEEP=60d\n')
    system.write('var/lib/secsctl/history', 'recorded')
    const users = system.read('etc/passwd')
    await system.dpkg('--install', await newer(deb()))
    expect(await system.dpkg('--list', 'secsctl')).toMatch(/^ii +secsctl +9\.0\.0/m)
    const kept = () => [
      system.read(CONFIG),
      system.read(ENVIRONMENT),
      system.read('var/lib/secsctl/history'),
      system.read('etc/passwd'),
    ]
    expect(kept()).toEqual(['port: 8443\n', 'SECSCTL_KEEP=60d\n', 'recorded', users])
    await system.dpkg('--remove', 'secsctl')
    expect(existsSync(system.path('usr/bin/secsctl'))).toBe(false)
    expect(kept()).toEqual(['port: 8443\n', 'SECSCTL_KEEP=60d\n', 'recorded', users])
  })

  test('removes everything but the history when it is purged, and says so', async () => {
    expect(await system.dpkg('--purge', 'secsctl')).toContain('history stays in /var/lib/secsctl')
    expect(existsSync(system.path('etc/secsctl'))).toBe(false)
    expect(() => lstatSync(system.path(WANTED))).toThrow('ENOENT')
    expect(system.read('var/lib/secsctl/history')).toBe('recorded')
  })

  /** The same package as version 9.0.0, with other settings. */
  async function newer(file: string): Promise<string> {
    const content = join(folder, 'newer')
    await run('dpkg-deb', ['--raw-extract', file, content])
    const control = join(content, 'DEBIAN', 'control')
    writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*/m, 'Version: 9.0.0'))
    for (const name of [CONFIG, ENVIRONMENT]) appendFileSync(join(content, name), '# new\n')
    await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', content, `${content}.deb`])
    return `${content}.deb`
  }
})

describe('the deb in a Debian that debootstrap made', () => {
  const root = join(folder, 'debian')
  const inRoot = (command: string) => run('chroot', [root, '/bin/bash', '-c', `cd /root && ${command}`])
  /** On a terminal of 80 columns; `answers` are typed at its questions. */
  async function typed(command: string, answers: readonly string[] = []): Promise<string> {
    const quoted = `'${command.replaceAll("'", String.raw`'\''`)}'`
    const terminal = new PseudoTerminal(`chroot ${root} /bin/bash -c ${quoted}`, {
      PATH: process.env['PATH'],
      TERM: 'xterm',
    })
    let from = 0
    for (const answer of answers) {
      await terminal.shows(/[Pp]assword/, from)
      from = terminal.text.length
      terminal.type(`${answer}\r`)
    }
    const code = await terminal.ended()
    return `${terminal.text}\nexit ${code}`
  }
  /** The commands of the page's part about the deb, as they stand; systemd does not run here. */
  const page = readFileSync('docs/install.md', 'utf8').split('\n## deb\n')[1]?.split('\n## rpm\n')[0] ?? ''
  const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    .filter((line) => !/^(sudo )?systemctl /.test(line))
  const [login = ''] = /(?<=`)secsctl login --url [^`]+/.exec(page) ?? []
  const PASSWORD = 'a long enough password'
  const MOUNTS = [
    ['proc', 'proc'],
    ['devpts', 'dev/pts'],
  ] as const
  let daemon: ChildProcess | undefined

  beforeAll(async () => {
    await run('debootstrap', ['--variant=minbase', '--include=sudo', 'bookworm', root])
    for (const [type, at] of MOUNTS) await run('mount', ['-t', type, type, join(root, at)])
    writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost ${hostname()}\n`)
    copyFileSync(debIn(packages), join(root, 'root', basename(debIn(packages))))
    // As on a machine that systemd runs.
    mkdirSync(join(root, 'run/systemd/system'), { recursive: true })
    await inRoot('useradd --create-home ann')
  })
  afterAll(async () => {
    daemon?.kill()
    if (daemon && daemon.exitCode === null) await once(daemon, 'exit')
    for (const [, at] of MOUNTS) await run('umount', ['--lazy', join(root, at)])
  })

  /** Starts the service as its unit says: its user, its environment, its folders. */
  async function startService(): Promise<void> {
    const unit = readFileSync(join(root, 'usr/lib/systemd/system/secsctl.service'), 'utf8')
    const all = (key: string): string[] =>
      [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, v = '']) => v)
    const file = readFileSync(join(root, 'etc/secsctl/daemon.env'), 'utf8')
    const variables = Object.fromEntries(
      [...all('Environment'), ...file.split('\n').filter((line) => /^\w+=/.test(line))].map((line) => {
        const [name = '', ...value] = line.split('=')
        return [name, value.join('=').replace(/^"(.*)"$/, '$1')]
      }),
    )
    const [user = ''] = all('User')
    await inRoot(`install --directory --owner ${user} --mode 0755 /run/${all('RuntimeDirectory')[0]}`)
    const [start = ''] = all('ExecStart')
    const command = start.replace('$SECSCTL_DAEMON_FLAGS', variables['SECSCTL_DAEMON_FLAGS'] ?? '')
    daemon = spawn('chroot', [`--userspec=${user}:${user}`, root, ...command.split(/ +/).filter(Boolean)], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', RUNTIME_DIRECTORY: '/run/secsctl', ...variables },
      stdio: 'ignore',
    })
    await until(() => existsSync(join(root, 'run/secsctl/url')))
  }

  test('is installed by the page alone, up to the first command of a user of the machine', async () => {
    const [install = '', addUser = '', check = ''] = commands
    expect(commands).toHaveLength(3)
    await inRoot(install)
    expect(await typed('sudo -u ann -i secsctl equipment list')).toMatch(/systemctl start secsctl/)
    // Its usual port may be in use on this machine.
    const port = await freePort()
    appendFileSync(join(root, 'etc/secsctl/daemon.yaml'), `port: ${port}\n`)
    await startService()
    expect(await typed(addUser, [PASSWORD, PASSWORD])).toMatch(/exit 0$/)
    const refused = await typed('sudo -u ann -i secsctl equipment list')
    expect(refused).toContain(`secsctl login --url http://127.0.0.1:${port}`)
    const here = login.replace('7327', String(port))
    expect(await typed(`sudo -u ann -i ${here}`, [PASSWORD])).toMatch(/exit 0$/)
    expect(await typed('sudo -u ann -i secsctl equipment list')).toMatch(/No equipment[\s\S]*exit 0$/)
    expect(await typed('sudo -u ann -i secsctl daemon start')).toMatch(
      /a --port\s+of its own[\s\S]*exit [^0]/,
    )
    expect(await typed('sudo -u ann -i secsctl demo')).toMatch(/checks held/)
    expect(await typed(check)).toMatch(/is valid/)
  })
})

describe('the rpm', () => {
  const system = new SmallRoot(join(folder, 'rpm-system'))
  const built = () => join(packages, readdirSync(packages).find((name) => name.endsWith('.rpm')) ?? 'no rpm')
  const SETTINGS = 'etc/secsctl/daemon.env'
  const read = (name: string) => readFileSync(system.path(name), 'utf8')
  const rpm = (...args: string[]) => run('rpm', [`--root=${system.folder}`, '--nodeps', ...args])

  test('installs the program, its service, its user and the folder for its data, with what its scripts need', async () => {
    for (const program of ['/bin/sh', '/usr/bin/grep', '/usr/sbin/useradd']) await system.add(program)
    await system.addLibraries(secsctl)
    system.write('etc/passwd', 'root:x:0:0:root:/root:/bin/sh\n')
    system.write('etc/group', 'root:x:0:\n')
    for (const name of ['etc/shadow', 'etc/gshadow']) system.write(name, '')
    mkdirSync(system.path('var/tmp'), { recursive: true })

    await rpm('--install', built())
    expect((await system.run(['/usr/bin/secsctl', '--version'])).stdout).toMatch(/^secsctl \d/)
    const [, uid, gid] = /^secsctl:x:(\d+):(\d+):.*:\/sbin\/nologin$/m.exec(read('etc/passwd')) ?? []
    const { uid: owner, gid: group, mode } = statSync(system.path('var/lib/secsctl'))
    expect([owner, group, mode & 0o777]).toEqual([Number(uid), Number(gid), 0o700])
    expect(statSync(system.path(SETTINGS)).mode & 0o777).toBe(0o640)
    expect(read('usr/lib/systemd/system/secsctl.service')).toContain('\nUser=secsctl\n')
    expect((await rpm('--verify', 'secsctl')).stdout).toBe('')
    expect((await run('rpm', ['--query', '--package', '--requires', built()])).stdout).toMatch(
      /^libc\.so\.6\(GLIBC_2\.28\)\(64bit\)$/m,
    )
  })

  test('has no errors for rpmlint', async () => {
    const { stdout } = await run('rpmlint', ['--rpmlintrc', 'scripts/linux/secsctl.rpmlintrc', built()])
    expect(stdout).toContain(' 0 errors,')
  })

  test('has the files of the deb, byte for byte', async () => {
    const digests = await run('rpm', [
      '--query',
      '--package',
      '--queryformat',
      '[%{FILEDIGESTS} %{FILENAMES}\n]',
      built(),
    ])
    const content = join(folder, 'deb-content')
    await run('dpkg-deb', ['--extract', debIn(packages), content])
    const files = await run('sh', ['-c', 'find . -type f -exec sha256sum {} +'], { cwd: content })
    const lines = (text: string) =>
      text
        .replace(/ +\.?\/.*\/_secsctl$/m, ' _secsctl')
        .replace(/ +\.?\//g, ' /')
        .trim()
        .split('\n')
        // Each system has the list of changes in its own form, and lintian is Debian's.
        .filter((line) => !/changelog\.gz$|\/lintian\//.test(line))
    expect(
      lines(digests.stdout)
        .filter((line) => /^[0-9a-f]/.test(line))
        .sort(),
    ).toEqual(lines(files.stdout).sort())
  })

  test('keeps changed settings, the user and the history when it is erased', async () => {
    system.write(SETTINGS, 'SECSCTL_DAEMON_FLAGS="--port 8443"\n')
    system.write('var/lib/secsctl/history', 'recorded')
    await rpm('--upgrade', '--replacepkgs', built())
    expect(read(SETTINGS)).toBe('SECSCTL_DAEMON_FLAGS="--port 8443"\n')
    const users = read('etc/passwd')
    expect((await rpm('--erase', 'secsctl')).stdout).toContain('history stays in /var/lib/secsctl')
    expect(existsSync(system.path('usr/bin/secsctl'))).toBe(false)
    expect(read(`${SETTINGS}.rpmsave`)).toBe('SECSCTL_DAEMON_FLAGS="--port 8443"\n')
    expect([read('var/lib/secsctl/history'), read('etc/passwd')]).toEqual(['recorded', users])
  })
})

interface Sbom {
  readonly components: readonly {
    readonly name: string
    readonly version: string
    readonly licenses: readonly unknown[]
  }[]
}

const sbomIn = (at: string): string => readdirSync(at).find((name) => name.endsWith('.cdx.json')) ?? 'no SBOM'
const namesOf = ({ components }: Sbom): string[] => [...new Set(components.map(({ name }) => name))].sort()

/** The names of the packages that have bytes in what `scripts/NAME` bundles, by esbuild's report of it. */
async function bundledByEsbuild(name: string): Promise<string[]> {
  const file: string = `../../scripts/${name}`
  const { bundle, bundleWeb } = (await import(file)) as Record<
    string,
    (root: string) => Promise<{ metafile: Metafile }>
  >
  const { metafile } = (await (bundle ?? bundleWeb)?.(process.cwd())) ?? { metafile: { outputs: {} } }
  return Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([input]) => {
      const [, path] = /.*node_modules\/(.*)/.exec(input) ?? []
      return path === undefined ? [] : [path.split('/', path.startsWith('@') ? 2 : 1).join('/')]
    })
}
