import { resolve } from 'node:path'
import { hasJournal, requireDataFolder } from '../daemon/store-url.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { optional } from '../input/arguments.js'
import { textFlag } from '../input/flags.js'
import type { Folders } from '../profile/folders.js'
import { LOCAL } from '../profile/profiles.js'
import type { Session } from '../profile/server.js'

export const DATA_FLAG = textFlag(
  'FOLDER',
  'Data folder, such as a copy or a backup; that of the daemon on this machine without it.',
)

/** The same as an argument. */
export const DATA_ARGUMENT = optional('The same as --data.')

/** The folder by either way. */
export function dataGiven(argument: string | undefined, flag: string | undefined): string | undefined {
  if (argument !== undefined && flag !== undefined)
    throw wrongUsage(`the folder is there twice, as ${argument} and as --data ${flag}: give one of them`)
  return argument ?? flag
}

/** The data folder that is meant, once it is clear that there is a journal in it. */
export async function dataFolderGiven(folders: Folders, given: string | undefined): Promise<string> {
  const folder = given === undefined ? folders.data : resolve(given)
  if (await hasJournal(folder)) return folder
  const next = given === undefined ? 'secsctl daemon start' : undefined
  throw new Failure('missing', `there is no journal in ${folder}`, next)
}

/**
 * The gateway elsewhere whose journal is meant; undefined where it is that of a folder on this machine. Throws
 * `usage` where both are named.
 */
export async function journalElsewhere(
  session: Session,
  data: string | undefined,
): Promise<string | undefined> {
  const { url, profile } = session.choice
  if (data !== undefined && (url !== undefined || profile !== undefined)) {
    const flag = url !== undefined ? '--url' : '--profile'
    throw wrongUsage(`--data names a folder on this machine, and ${flag} a gateway: give one of them`)
  }
  if (data !== undefined) return undefined
  const target = await session.target()
  return target.profile === LOCAL ? undefined : (target.profile ?? target.url)
}

/** Throws `usage` where a gateway elsewhere is meant, whose files cannot be read from here. */
export async function requireFilesHere(
  session: Session,
  command: string,
  data: string | undefined,
): Promise<void> {
  const elsewhere = await journalElsewhere(session, data)
  if (elsewhere === undefined) return data === undefined ? requireDataFolder(session, command) : undefined
  const { profile, url = '' } = await session.target()
  const { flags } = await session.called({ profile, url })
  throw wrongUsage(
    `${command} reads the files of this machine, not those of the gateway ${elsewhere}: run it there, or name what is here`,
    `secsctl ${command} --profile ${LOCAL}; secsctl journal export${flags}`,
  )
}
