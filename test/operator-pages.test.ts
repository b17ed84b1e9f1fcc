import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIRST_CERTIFICATE } from './support/certificates.js'
import { Home } from './support/daemon-process.js'
import { freePort } from './support/free-port.js'
import { consoleSteps, isHeading, Shell, type Step, untilListening, wordsOf } from './support/page-shell.js'

const PAGES = ['install', 'configure', 'secure', 'backup', 'upgrade', 'monitoring', 'troubleshoot']

const read = (name: string): string => readFileSync(`docs/${name}.md`, 'utf8')

/** The commands of the blocks of a page, in their order. A block of `sh` shows no output. */
const stepsOf = (name: string): readonly Step[] =>
  [...read(name).matchAll(/^ *```(sh|console)\n[\s\S]*?^ *```$/gm)].flatMap(([block, kind]) => {
    if (kind === 'console') return consoleSteps(block)
    const lines = block.split('\n').slice(1, -1)
    return lines
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((command) => ({ command, shown: [] }))
  })

/** Where the commands are tested that need a system, a network or a container engine; '' for a page that says so. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^(sudo (dpkg --install|dnf install|systemctl enable)|systemctl status)/, 'test/system/packages.test.ts'],
  [/^install -m 0755 secsctl/, 'test/system/packages.test.ts'],
  [/^secsctl demo/, 'test/cli/demo'],
  [/^docker |^SECSCTL_ADMIN_EMAIL=\S+ \S+ docker/, ''],
  [/^secsctl login --sso/, 'test/cli/sign-on.test.ts'],
  [/^npm (pack|install)/, 'test/system/package.test.ts'],
  [/^secsctl daemon nodes/, 'test/system/daemons-on-postgres.test.ts'],
]
const isElsewhere = (command: string): boolean => ELSEWHERE.some(([pattern]) => pattern.test(command))

describe.each(PAGES)('docs/%s.md', (page) => {
  const steps = stepsOf(page)
  const needsOther = read(page).includes('127.0.0.1:5000')
  const home = new Home()
  const etc = join(home.folder, 'etc')
  const system = join(home.folder, 'secsctl')
  let shell: Shell
  let otherPort: number

  /** The paths, users and ports of a page, as they are in this run. */
  const here = (command: string): string =>
    command
      .replaceAll('/etc/secsctl', etc)
      .replaceAll('/var/lib/secsctl', system)
      .replaceAll(
        /\/backup\/secsctl-\d{8}T\d{6}Z/g,
        `$(ls -d ${join(home.folder, 'backup')}/secsctl-*Z | tail -1)`,
      )
      .replaceAll(/ \/backup\b/g, ` ${join(home.folder, 'backup')}`)
      .replace('etch-17 PAUSE', 'etcher START LOTID=L1 PPID=OXIDE-ETCH-01')
      .replaceAll('127.0.0.1:5000', `127.0.0.1:${otherPort}`)
      .replace(/--group=secsctl |-u secsctl /, '')
      .replace(/^sudo chown .*/, 'true')
      .replace(/https:\/\/fab2\.example:7327/, 'https://127.0.0.1:1')

  beforeAll(async () => {
    const port = await freePort()
    otherPort = await freePort()
    mkdirSync(etc)
    const cert = page === 'secure'
    for (const folder of [etc, home.folder]) {
      writeFileSync(
        join(folder, 'daemon.yaml'),
        'keep: 60d\nequipment_networks: [10.1.0.0/16, 127.0.0.0/8]\n',
      )
      writeFileSync(join(folder, 'cert.pem'), FIRST_CERTIFICATE.cert)
      writeFileSync(join(folder, 'fab-ca.pem'), FIRST_CERTIFICATE.cert)
      if (cert) writeFileSync(join(folder, 'key.pem'), FIRST_CERTIFICATE.key, { mode: 0o600 })
    }
    chmodSync(etc, 0o755)
    shell = new Shell(home)
    const run = `${process.execPath} ${process.cwd()}/bin/run.js`
    // systemd and sudo are not here: the service is the daemon in the background.
    await shell.run(`cd ${home.folder}
export SECSCTL_NEW_PASSWORD='a long enough password' PATH=${home.folder}/bin:$PATH SECSCTL_NO_INPUT=1
mkdir bin; printf '#!/bin/sh\\nexec ${run} "$@"\\n' > bin/secsctl; chmod +x bin/secsctl
sudo() { "$@"; }
# Tools that are no part of this: where they are missing, what is given to them is not looked at.
command -v jq > /dev/null || jq() { cat > /dev/null; }
command -v openssl > /dev/null || openssl() { echo 0123456789abcdef; }
systemctl() {
  case "$1" in
  kill) kill -HUP "$(secsctl daemon status | sed -n 's/^pid\\t//p')" ;;
  start) secsctl daemon start --port 0 --hsms-host 127.0.0.1 ;;
  *) secsctl daemon "$1" ;;
  esac
}
for port in ${port}${needsOther ? ` ${otherPort}` : ''}; do
  secsctl simulator run etcher --port $port > $port.log 2>&1 &
  ${untilListening('$port.log')}
done
secsctl daemon start --port 0 --hsms-host 127.0.0.1 --config ${etc}/daemon.yaml
secsctl equipment add etcher --address 127.0.0.1:${port}; secsctl equipment connect etcher`)
  })
  afterAll(async () => {
    await shell.run('secsctl daemon stop')
    shell.end()
    home.dispose()
  })

  test('has commands', () => expect(steps.length).toBeGreaterThan(0))

  test.each(steps.filter(({ command }) => !isElsewhere(command)))(
    '$command runs',
    async ({ command, shown }) => {
      const { output, exit } = await shell.run(here(command))
      expect(exit, output).toBe(0)
      for (const line of shown.filter((line) => !isHeading(line)))
        for (const word of wordsOf(here(line))) expect(output).toContain(word)
    },
  )
})

test('what is not run here is run elsewhere', () => {
  const used = PAGES.flatMap(stepsOf).map(({ command }) => command)
  for (const [pattern, where] of ELSEWHERE) {
    expect(used.some((command) => pattern.test(command))).toBe(true)
    if (where.endsWith('.ts')) expect(readFileSync(where, 'utf8')).toContain('test(')
  }
})

test('the configuration that the pages show is one', async () => {
  const { effectiveSettings } = await import('../src/cli/daemon/settings/settings.js')
  const home = new Home()
  const shown = ['configure', 'secure'].flatMap((page) => [
    ...read(page).matchAll(/^```yaml\n([\s\S]*?)^```$/gm),
  ])
  expect(shown).toHaveLength(3)
  for (const [, text = ''] of shown) {
    const config = join(home.folder, 'daemon.yaml')
    writeFileSync(config, text)
    expect((await effectiveSettings({ config }, {})).faults).toEqual([])
  }
  home.dispose()
})
