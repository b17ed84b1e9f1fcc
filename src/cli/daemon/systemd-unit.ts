import type { UnitScope } from '../../daemon/service-unit.js'

export interface UnitGiven {
  readonly scope: UnitScope
  /** Program and arguments, with absolute paths. */
  readonly command: readonly string[]
  /** What the daemon has to find in its environment. */
  readonly env: Readonly<Record<string, string>>
  /** Of the API; below 1024 it needs a privilege. */
  readonly port: number
}

/** Where the machine's service keeps everything; systemd makes it for the service's own user. */
export const SYSTEM_HOME = '/var/lib/secsctl'

/** What the machine's service reads further variables from, where it is there. */
export const SYSTEM_ENV_FILE = '/etc/secsctl.env'

/** Exit codes of wrong flags and of a damaged data folder: a restart does not mend them. */
const NOT_MENDED = '2 9'

/**
 * What holds in either scope. Not among them: MemoryDenyWriteExecute, since V8 compiles at run time. AF_NETLINK is
 * how a process learns the addresses of its machine.
 */
const HARDENING = [
  'NoNewPrivileges=yes',
  'LockPersonality=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
  'SystemCallArchitectures=native',
  'UMask=0077',
]

/** What needs the machine's own service manager: a user for this service alone, who can write nowhere but to its state. */
const SYSTEM_HARDENING = [
  'DynamicUser=yes',
  'StateDirectory=secsctl',
  'StateDirectoryMode=0700',
  'RuntimeDirectory=secsctl',
  'ProtectSystem=strict',
  'ProtectHome=read-only',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'ProtectProc=invisible',
  'RestrictNamespaces=yes',
  'SystemCallFilter=@system-service',
]

/** The privilege to listen on a port below 1024, and no other. */
const LOW_PORT = 'CAP_NET_BIND_SERVICE'

/** A unit of systemd that runs the daemon and takes it up again when it fails. */
export function systemdUnit({ scope, command, env, port }: UnitGiven): string {
  const capability = port > 0 && port < 1024 ? LOW_PORT : ''
  const system = scope === 'system'
  const lines = [
    '[Unit]',
    'Description=secsctl, a gateway for SECS/GEM equipment',
    ...(system ? ['Wants=network-online.target', 'After=network-online.target'] : []),
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${command.map(word).join(' ')}`,
    ...Object.entries(env).map(([name, value]) => `Environment=${word(`${name}=${value}`)}`),
    ...(system ? [`EnvironmentFile=-${SYSTEM_ENV_FILE}`] : []),
    'Restart=on-failure',
    'RestartSec=5',
    `RestartPreventExitStatus=${NOT_MENDED}`,
    'TimeoutStopSec=45',
    // The process of the taps goes on: links of equipment to its own host are not cut by a restart or an upgrade.
    'KillMode=process',
    ...HARDENING,
    ...(system ? [...SYSTEM_HARDENING, `CapabilityBoundingSet=${capability}`] : []),
    ...(system && capability !== '' ? [`AmbientCapabilities=${capability}`] : []),
    '',
    '[Install]',
    `WantedBy=${system ? 'multi-user.target' : 'default.target'}`,
  ]
  return `${lines.join('\n')}\n`
}

/** One word of a unit: systemd expands `%` and `$`, and takes backslashes and quotes for its own. */
function word(text: string): string {
  const plain = text.replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /^[\w@:=+,./%$-]+$/.test(plain) ? plain : `"${plain.replace(/["\\]/g, '\\$&')}"`
}
