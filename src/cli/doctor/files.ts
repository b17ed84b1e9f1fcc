import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OTHERS, privacyFault } from '../../kit/private-file.js'
import { shellWord } from '../../kit/shell-word.js'
import type { Folders } from '../profile/folders.js'
import { type Finding, inArea } from './finding.js'

const files = inArea('files')

/** What is not right with who may read a file or folder; undefined when it is only its owner. */
function fault(name: string, path: string, stats: Stats, user: number | undefined): Finding | undefined {
  const found = privacyFault(path, stats, OTHERS, user)
  return found && files.wrong('unexpected', name, found.message, found.hint)
}

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
  const found: Finding[] = []
  for (const path of [folder, ...(await inside(folder))]) {
    const stats = await stat(path).catch(() => undefined)
    const wrong = stats && fault(name, path, stats, user)
    if (wrong) found.push(wrong)
  }
  return found.length > 0 ? found : [files.ok(name, `${folder}, for this user alone`)]
}

const inside = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(() => [])).map((file) => join(folder, file))

/** Where things are, and who may read them. On Windows the folders of a user are closed by the system. */
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
