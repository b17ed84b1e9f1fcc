import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** What the README and .ci/run install, too. */
const NEEDED = [
  'tshark',
  'gnome-keyring',
  'dbus',
  'libsecret-1-0',
  'systemd',
  'zsh',
  'fish',
  'haproxy',
  'postgresql',
  'mosquitto',
  'mosquitto-clients',
  'kcat',
  'chromium',
  'prometheus',
  'rpm',
  'socat',
  'faketime',
  'lintian',
  'rpmlint',
  'debootstrap',
  'qemu-user-static',
  'libc6-arm64-cross',
  'libstdc++6-arm64-cross',
]

async function isInstalled(name: string): Promise<boolean> {
  const asked = promisify(execFile)('dpkg-query', ['--status', name])
  return asked.then(
    ({ stdout }) => stdout.includes('Status: install ok installed'),
    () => false,
  )
}

/** Ends the run, with what to do about it, when a package is missing: none of the tests could say anything then. */
export async function setup(): Promise<void> {
  const there = await Promise.all(NEEDED.map(isInstalled))
  const missing = NEEDED.filter((_, at) => !there[at])
  if (missing.length === 0) return
  process.stderr.write(
    `The system tests need Debian packages that are not installed: ${missing.join(', ')}\n` +
      `  apt-get install --no-install-recommends ${NEEDED.join(' ')}\n`,
  )
  process.exit(1)
}
