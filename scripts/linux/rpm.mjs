// The package for RHEL, Fedora, SUSE and others with rpm.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SETTINGS } from './files.mjs'
import { writeFiles } from './stage.mjs'

const ZSH = '/usr/share/zsh/site-functions/_secsctl'

/** A line of `%files`. */
const listed = (path, mode) =>
  `${SETTINGS.includes(path) ? '%config(noreplace) ' : ''}%attr(0${mode.toString(8)},root,root) ${path}`

/** Such as `Mon Nov 23 2026`. */
const changelogDate = (time) => {
  const [day, date, month, year] = new Date(time * 1000).toUTCString().replace(',', '').split(' ')
  return `${day} ${month} ${date} ${year}`
}

/** Nothing is compiled, stripped or looked into here: the executable stays byte for byte what it is. */
const spec = (
  { version, time, publisher: { maintainer, homepage } },
  files,
  stage,
) => `%global debug_package %{nil}
%global __os_install_post %{nil}
%global _build_id_links none
%global _binary_payload w6.gzdio
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%global _buildhost localhost

Name: secsctl
Version: ${version.replaceAll('-', '~')}
Release: 1
Summary: A gateway for SECS/GEM equipment
License: MIT
Group: Applications/Engineering
Packager: ${maintainer}
${homepage ? `URL: ${homepage}\n` : ''}AutoReqProv: no
Requires: libc.so.6(GLIBC_2.28)(64bit)
Requires: libstdc++.so.6()(64bit)
Requires: libgcc_s.so.1()(64bit)
Requires(pre): /usr/sbin/useradd

%description
Drives semiconductor equipment over SECS/GEM (HSMS) as a GEM host, records
everything that it sends, and serves it on the command line and over REST.
The program has its own Node: no other is needed.

%install
cp -a ${stage}/. %{buildroot}/

%pre
grep -q '^secsctl:' /etc/passwd || useradd --system --user-group --no-create-home --home-dir /var/lib/secsctl \\
  --shell /sbin/nologin --comment 'secsctl, a gateway for equipment' secsctl

%post
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || :
  if [ "$1" = 1 ]; then systemctl preset secsctl.service || :; fi
fi

%preun
if [ "$1" = 0 ] && [ -d /run/systemd/system ]; then
  systemctl disable --now secsctl.service || :
  systemctl stop secsctl-tap.service || :
fi

%postun
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || :
  if [ "$1" -ge 1 ]; then systemctl try-restart secsctl.service || :; fi
fi
if [ "$1" = 0 ] && [ -d /var/lib/secsctl ]; then
  echo 'The recorded history stays in /var/lib/secsctl, and the user secsctl, who owns it.'
fi

%files
%defattr(0644,root,root,0755)
%dir /etc/secsctl
%dir %attr(0700,secsctl,secsctl) /var/lib/secsctl
${[...files].map(([path, { mode }]) => listed(path, mode)).join('\n')}

%changelog
* ${changelogDate(time)} ${maintainer} - ${version.replaceAll('-', '~')}-1
- The changes are in /usr/share/doc/secsctl/CHANGELOG.md.
`

/** Writes `secsctl-VERSION-1.x86_64.rpm` into `folder`. */
export function buildRpm({ folder, files, ...about }) {
  const { time } = about
  const top = mkdtempSync(join(tmpdir(), 'secsctl-rpm-'))
  try {
    const stage = join(top, 'stage')
    const placed = new Map([...files].map(([path, file]) => [path.includes('/zsh/') ? ZSH : path, file]))
    writeFiles(stage, placed, ['/var/lib/secsctl'])
    writeFileSync(join(top, 'secsctl.spec'), spec(about, placed, stage))
    const defines = [
      `_topdir ${top}`,
      `_rpmdir ${folder}`,
      '_rpmfilename %{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm',
    ]
    const options = defines.flatMap((define) => ['--define', define])
    execFileSync(
      'rpmbuild',
      ['-bb', '--quiet', '--target', 'x86_64', ...options, join(top, 'secsctl.spec')],
      {
        env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}
