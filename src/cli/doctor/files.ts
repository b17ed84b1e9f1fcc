import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OTHERS, privacyFault, WORLD } from '../../kit/private-file.js'
import { shellWord } from '../../kit/shell-word.js'
import { writeFault } from '../errors/file-fault.js'
import type { Folders } from '../profile/folders.js'
import { type Finding, inArea } from './finding.js'

const files = inArea('files')

/** Why something cannot be made in a folder; undefined where it can. */
export type MakingFault = (folder: string) => Promise<NodeJS.ErrnoException | undefined>

const makingFault: MakingFault = (folder) =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error) => error,
  )

/** A folder that is not there yet is made by the first command that needs it, where it can be made. */
async function missingFinding(name: string, folder: string, faultIn: MakingFault): Promise<Finding> {
  let above = dirname(folder)
  let fault = await faultIn(above)
  while (fault?.code === 'ENOENT' && dirname(above) !== above) {
    above = dirname(above)
    fault = await faultIn(above)
  }
  if (!fault) return files.ok(name, `${folder} is not there yet`)
  // With a token of the environment and a gateway elsewhere, nothing is written here.
  const detail = `${folder} is not there, and cannot be made in ${above}: ${writeFault(fault)}. A login or a start of a daemon would fail`
  return files.note(name, detail, 'export SECSCTL_HOME=/tmp/secsctl')
}

/** Who may read a folder and what is in it: `user` alone. */
async function folderFindings(
  name: string,
  folder: string,
  user: number | undefined,
  faultIn: MakingFault,
): Promise<readonly Finding[]> {
  const own = await stat(folder).catch((error: NodeJS.ErrnoException) => error)
  if (own instanceof Error) {
    return own.code === 'ENOENT'
      ? [await missingFinding(name, folder, faultIn)]
      : [files.failed(name, own, `ls -ld ${shellWord(folder)}`)]
  }
  const inside = await readdir(folder).catch(() => [])
  const found: Finding[] = []
  for (const path of [folder, ...inside.map((file) => join(folder, file))]) {
    const stats = await stat(path).catch(() => undefined)
    // The gateway lets the group read what sinks write, for the programs that take it from there.
    const mask = path === join(folder, 'sinks') ? WORLD : OTHERS
    const fault = stats && privacyFault(path, stats, mask, user)
    if (fault) found.push(files.wrong('unexpected', name, fault.message, fault.hint))
  }
  return found.length > 0 ? found : [files.ok(name, `${folder}, for this user alone`)]
}

/** The folders, and who may read them. Windows itself protects the folders of a user. */
export async function fileFindings(
  folders: Folders,
  platform = process.platform,
  faultIn = makingFault,
): Promise<readonly Finding[]> {
  const all = [
    ['configuration', folders.config],
    ['state and log', folders.state],
    ['data', folders.data],
  ] as const
  if (platform === 'win32') return all.map(([name, folder]) => files.ok(name, folder))
  const user = process.getuid?.()
  return (await Promise.all(all.map(([name, folder]) => folderFindings(name, folder, user, faultIn)))).flat()
}
