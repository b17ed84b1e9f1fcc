import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { mayBeAlive } from '../../daemon/address-file.js'
import type { Environment } from '../environment.js'

/** The file of a temporary folder that names the machine and the process which made it. */
const OWNER = 'owner'

export const noteOwner = (folder: string): void =>
  writeFileSync(join(folder, OWNER), `${hostname()} ${process.pid}`)

/** As the folders of conform, scenario host and demo are called. */
const TEMPORARY = /^secsctl-(conform|host|demo)-\w{6}$/

/** Ends a process of a temporary place with the one that started it, and removes the folder when it ends. */
export function endWithInput({ variables, stdin, interruption }: Environment): void {
  const gone = (): void => {
    const folder = variables['SECSCTL_HOME'] ?? ''
    process.once('exit', () => {
      if (TEMPORARY.test(basename(folder)) && dirname(folder) === tmpdir()) remove(folder)
    })
    interruption.signal('SIGTERM')
  }
  stdin.once('end', gone).once('error', gone).resume()
}

/** Removes the folders that were left by processes which were killed together with all that they had started. */
export function removeOrphans(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!TEMPORARY.test(name)) continue
    const folder = join(tmpdir(), name)
    try {
      const [machine, owner] = readFileSync(join(folder, OWNER), 'utf8').split(' ')
      if (machine === hostname() && !mayBeAlive(Number(owner))) remove(folder)
    } catch {
      // It is another user's, or not yet written.
    }
  }
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })
