import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A folder that dpkg takes for a system, with a user `root` and no package. Maintainer scripts get it as DPKG_ROOT. */
export class DpkgRoot {
  constructor(readonly folder: string) {
    for (const name of ['etc', 'var/lib/dpkg/updates', 'var/lib/dpkg/info', 'var/log'])
      mkdirSync(join(folder, name), { recursive: true })
    this.write('etc/passwd', 'root:x:0:0:root:/root:/bin/sh\n')
    this.write('etc/group', 'root:x:0:\n')
    for (const name of ['etc/shadow', 'etc/gshadow', 'var/lib/dpkg/status', 'var/lib/dpkg/available'])
      this.write(name, '')
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8')
  }

  write(name: string, text: string): void {
    writeFileSync(this.path(name), text)
  }

  /** What dpkg prints. A changed file of settings is kept without a question. */
  async dpkg(...args: string[]): Promise<string> {
    const options = ['--force-script-chrootless', '--force-depends', '--force-confdef', '--force-confold']
    const { stdout } = await promisify(execFile)('dpkg', [`--root=${this.folder}`, ...options, ...args])
    return stdout
  }
}
