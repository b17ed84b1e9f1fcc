// The package for Debian and Ubuntu.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { SETTINGS } from './files.mjs'
import { writeFiles } from './stage.mjs'

const control = (version, bytes, { maintainer, homepage }) => `Package: secsctl
Version: ${version}
Architecture: amd64
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.28), libstdc++6 (>= 5), libgcc-s1 | libgcc1, passwd, init-system-helpers (>= 1.54)
Section: net
Priority: optional
${homepage ? `Homepage: ${homepage}\n` : ''}Description: gateway for SECS/GEM equipment
 Drives semiconductor equipment over SECS/GEM (HSMS) as a GEM host, records
 everything that it sends, and serves it on the command line and over REST.
 The program has its own Node: no other is needed.
`

/** What lintian calls an error and is meant so. */
const OVERRIDES = `# The executable is Node with the program in it; stripping it would remove the program.
secsctl: unstripped-binary-or-object [usr/bin/secsctl]
# Node has its own zlib inside; it is updated with Node, as SECURITY.md says.
secsctl: embedded-library * [usr/bin/secsctl]
`

/** The changes in Debian's form. */
const changelog = (version, time, { maintainer }) => `secsctl (${version}) unstable; urgency=medium

  * The changes are in CHANGELOG.md beside this file.

 -- ${maintainer}  ${new Date(time * 1000).toUTCString().replace('GMT', '+0000')}
`

/** As debhelper writes them. DPKG_ROOT is set where a system is installed into a folder. */
const SCRIPTS = {
  postinst: `#!/bin/sh
set -e
root="\${DPKG_ROOT:-}"
case "$1" in configure|abort-upgrade|abort-deconfigure|abort-remove) ;; *) exit 0 ;; esac

if ! grep -q '^secsctl:' "$root/etc/passwd"; then
  useradd \${root:+--prefix "$root"} --system --user-group --no-create-home --home-dir /var/lib/secsctl \\
    --shell /usr/sbin/nologin --comment 'secsctl, a gateway for equipment' secsctl
fi
if [ ! -d "$root/var/lib/secsctl" ]; then
  mkdir -p "$root/var/lib"
  mkdir -m 0700 "$root/var/lib/secsctl"
  chown "$(sed -n 's/^secsctl:[^:]*:\\([0-9]*\\):\\([0-9]*\\):.*/\\1:\\2/p' "$root/etc/passwd")" "$root/var/lib/secsctl"
fi

deb-systemd-helper unmask secsctl.service >/dev/null || true
if deb-systemd-helper --quiet was-enabled secsctl.service; then
  deb-systemd-helper enable secsctl.service >/dev/null || true
else
  deb-systemd-helper update-state secsctl.service >/dev/null || true
fi
if [ -z "$root" ] && [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
  if [ -n "$2" ]; then action=restart; else action=start; fi
  deb-systemd-invoke "$action" secsctl.service >/dev/null || true
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "\${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
  deb-systemd-invoke stop secsctl.service secsctl-tap.service >/dev/null || true
fi
`,
  postrm: `#!/bin/sh
set -e
root="\${DPKG_ROOT:-}"
if [ "$1" = remove ] && [ -z "$root" ] && [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
fi
if [ "$1" = purge ]; then
  if command -v deb-systemd-helper >/dev/null; then deb-systemd-helper purge secsctl.service >/dev/null || true; fi
  # What equipment sent cannot be had again, so it is only removed by hand.
  if [ -d "$root/var/lib/secsctl" ]; then
    echo 'The recorded history stays in /var/lib/secsctl, and the user secsctl, who owns it.'
    echo 'To remove them: rm -r /var/lib/secsctl; userdel secsctl'
  fi
fi
`,
}

/** Writes `secsctl_VERSION_amd64.deb` into `folder`. */
export function buildDeb({ folder, version, files, time, publisher }) {
  const stage = mkdtempSync(join(tmpdir(), 'secsctl-deb-'))
  const executable = (content) => ({ content, mode: 0o755 })
  try {
    const bytes = [...files.values()].reduce((sum, { content }) => sum + content.length, 0)
    writeFiles(
      stage,
      new Map([
        ...files,
        [
          '/usr/share/doc/secsctl/changelog.gz',
          { content: gzipSync(changelog(version, time, publisher), { level: 9 }), mode: 0o644 },
        ],
        ['/usr/share/lintian/overrides/secsctl', { content: OVERRIDES, mode: 0o644 }],
        ['DEBIAN/control', { content: control(version, bytes, publisher), mode: 0o644 }],
        ['DEBIAN/conffiles', { content: SETTINGS.map((path) => `${path}\n`).join(''), mode: 0o644 }],
        ...Object.entries(SCRIPTS).map(([name, script]) => [`DEBIAN/${name}`, executable(script)]),
      ]),
    )
    const output = join(folder, `secsctl_${version}_amd64.deb`)
    // Compressed with gzip: xz saves a quarter, and takes ten times as long.
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z6', '--build', stage, output], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}
