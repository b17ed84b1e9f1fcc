import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OTHERS, privacyFault, WORLD } from '../../kit/private-file.js'
import { shellWord } from '../../kit/shell-word.js'
import type { Folders } from '../profile/folders.js'
import { type Finding, inArea } from './finding.js'

const files = inArea('files')

/** Who may read a folder and what is in it: `user` alone. */
async function folderFindings(
  name: string,
  folder: string,
  user: number | undefined,
): Promise<readonly Finding[]> {
  const own = await stat(folder).catch((error: NodeJS.ErrnoException) => error)
  if (own instanceof Error) {
    return own.code === 'ENOENT'
      ? [files.ok(name, `${folder} is not there yet`)]
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
): Promise<readonly Finding[]> {
  const all = [
    ['configuration', folders.config],
    ['state and log', folders.state],
    ['data', folders.data],
  ] as const
  if (platform === 'win32') return all.map(([name, folder]) => files.ok(name, folder))
  const user = process.getuid?.()
  return (await Promise.all(all.map(([name, folder]) => folderFindings(name, folder, user)))).flat()
}
