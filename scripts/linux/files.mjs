// What a package for Linux puts into the system, by its paths.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { documents } from './documents.mjs'
import { manualPages } from './man.mjs'

/** The configuration of the daemon, and variables of its environment. */
const CONFIG = '/etc/secsctl/daemon.yaml'
const ENVIRONMENT = '/etc/secsctl/daemon.env'

/** The unit of the process of the taps. */
const TAP_UNIT = 'secsctl-tap.service'

/** What an administrator may change; kept at upgrades. */
export const SETTINGS = [CONFIG, ENVIRONMENT]

const ENVIRONMENT_TEXT = `# Variables of the daemon of secsctl (secsctl help environment), which systemd reads. They win over ${CONFIG}.
# After a change: systemctl restart secsctl

# Further flags, for one start, such as SECSCTL_DAEMON_FLAGS="--accept-loss". What is to last belongs into ${CONFIG}.
SECSCTL_DAEMON_FLAGS=""
`

/** Replaces one line that has to be there. */
function replaced(lines, from, to) {
  if (!lines.includes(from)) throw new Error(`the unit has no line "${from}"`)
  return lines.flatMap((line) => (line === from ? to : [line]))
}

/**
 * The unit of the package: that of `daemon install --system`, with the user and the settings that the package has.
 * systemd makes each word of SECSCTL_DAEMON_FLAGS an argument.
 */
function packageUnit(printed) {
  const start = printed.split('\n').find((line) => line.startsWith('ExecStart='))
  let lines = printed.split('\n')
  lines = replaced(lines, start, [
    `ExecStart=/usr/bin/secsctl daemon run --config ${CONFIG} $SECSCTL_DAEMON_FLAGS`,
  ])
  lines = replaced(lines, 'DynamicUser=yes', [
    'User=secsctl',
    'Group=secsctl',
    'RemoveIPC=yes',
    'PrivateMounts=yes',
  ])
  lines = replaced(lines, 'EnvironmentFile=-/etc/secsctl.env', [
    `Environment=SECSCTL_TAP_SERVICE=${TAP_UNIT}`,
    `EnvironmentFile=-${ENVIRONMENT}`,
  ])
  const wanted = `network-online.target ${TAP_UNIT}`
  lines = replaced(lines, 'Wants=network-online.target', [`Wants=${wanted}`])
  lines = replaced(lines, 'After=network-online.target', [`After=${wanted}`])
  // The process of the taps is not among the processes of this unit.
  lines = replaced(lines, 'KillMode=process', [])
  return replaced(lines, 'ProtectHome=read-only', ['ProtectHome=yes']).join('\n')
}

/**
 * The unit of the process that has the links of tapped equipment: as restricted as that of the daemon, which starts it
 * and does not stop it. A daemon that is of another version ends the process, so it is started again in any case.
 */
function packageTapUnit(unit) {
  let lines = unit.split('\n')
  const one = (name) => lines.find((line) => line.startsWith(`${name}=`))
  lines = replaced(lines, one('Description'), [
    'Description=secsctl, links of equipment that is shared with its own host',
    'StartLimitIntervalSec=0',
  ])
  lines = replaced(lines, one('Wants'), ['Wants=network-online.target'])
  lines = replaced(lines, one('After'), ['After=network-online.target'])
  lines = replaced(lines, one('ExecStart'), ['ExecStart=/usr/bin/secsctl tap run'])
  lines = replaced(lines, 'Restart=on-failure', ['Restart=always'])
  lines = replaced(lines, one('RestartSec'), ['RestartSec=1'])
  for (const name of [
    'RestartPreventExitStatus',
    'RuntimeDirectory',
    'EnvironmentFile',
    'Environment=SECSCTL_TAP_SERVICE',
  ])
    lines = replaced(lines, one(name), [])
  return `${lines.slice(0, lines.indexOf('[Install]')).join('\n').trimEnd()}\n`
}

/** Files as `{ mode, content }` by their paths. `folder` has what was published of this version. */
export function linuxFiles({ root, folder, version }) {
  const executable = join(folder, `secsctl-${version}-linux-x64`)
  const home = mkdtempSync(join(tmpdir(), 'secsctl-package-home-'))
  const env = { PATH: '', HOME: home, SECSCTL_HOME: home, TZ: 'UTC' }
  const printed = (...args) =>
    execFileSync(executable, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const { description, oclif } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const pages = manualPages({
      manifest: JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')),
      topics: oclif.topics,
      version,
      description,
      environment: printed('help', 'environment'),
    })
    const doc = '/usr/share/doc/secsctl'
    const unit = packageUnit(printed('daemon', 'install', '--print', '--system'))
    const files = new Map([
      ['/usr/bin/secsctl', readFileSync(executable)],
      ['/usr/lib/systemd/system/secsctl.service', unit],
      [`/usr/lib/systemd/system/${TAP_UNIT}`, packageTapUnit(unit)],
      [CONFIG, printed('daemon', 'check-config', '--print-sample')],
      [ENVIRONMENT, ENVIRONMENT_TEXT],
      ['/usr/share/bash-completion/completions/secsctl', printed('completion', 'bash')],
      ['/usr/share/fish/vendor_completions.d/secsctl.fish', printed('completion', 'fish')],
      ['/usr/share/zsh/vendor-completions/_secsctl', printed('completion', 'zsh')],
      [`${doc}/copyright`, readFileSync(join(root, 'LICENSE'))],
      [
        `${doc}/THIRD-PARTY-LICENSES.txt.gz`,
        gzipSync(readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'))),
      ],
      [`${doc}/sbom.cdx.json`, readFileSync(join(folder, `secsctl-${version}.cdx.json`))],
    ])
    for (const [name, content] of documents(root)) files.set(`${doc}/${name}`, content)
    for (const [name, page] of pages)
      files.set(`/usr/share/man/man1/${name}.gz`, gzipSync(page, { level: 9 }))
    const modes = { '/usr/bin/secsctl': 0o755, [ENVIRONMENT]: 0o640 }
    return new Map([...files].map(([path, content]) => [path, { content, mode: modes[path] ?? 0o644 }]))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
