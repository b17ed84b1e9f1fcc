import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ErrorKind } from '../../contract/errors.js'
import { readAddress, readLastAddress } from '../../daemon/address-file.js'
import type { StoreDamaged } from '../../daemon/daemon.js'
import { requirePrivateSecret } from '../../kit/private-file.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { readFault } from '../errors/file-fault.js'
import type { Folders } from '../profile/folders.js'
import type { Session } from '../profile/server.js'

/** In place of a URL: the records are in the data folder. */
export const ON_FILES = 'files'

/** Parameters of the URL that name files, as libpq has them. */
const FILE_PARAMETERS = ['sslrootcert', 'sslcert', 'sslkey'] as const

export function requireDatabase(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^postgres(ql)?:$/.test(url.protocol)) return url
  throw wrongUsage(
    `${name} takes the URL of a PostgreSQL database, such as postgres://secsctl@db.fab/secsctl`,
  )
}

/**
 * The URL of the flag, with absolute paths of files. A password in it is refused: everybody on the machine can read the
 * command line.
 */
export async function databaseFlag(text: string): Promise<string> {
  if (hasPassword(requireDatabase(text, '--store')))
    throw wrongUsage(
      '--store with a password is in the list of processes: give --store-password-file, or SECSCTL_STORE',
    )
  return withFiles(text, '.')
}

/** The same of a configuration file, whose paths are relative to its folder. */
export async function databaseInFile(text: string, folder: string): Promise<string> {
  if (text === ON_FILES) return text
  if (hasPassword(requireDatabase(text, 'store')))
    throw wrongUsage(
      'store has a password: put it into a file of its own, and name that in store_password_file',
    )
  return withFiles(text, folder)
}

const hasPassword = ({ password, searchParams }: URL): boolean =>
  password !== '' || searchParams.has('password')

function withFiles(text: string, folder: string): string {
  const url = new URL(text)
  for (const name of FILE_PARAMETERS) {
    const path = url.searchParams.get(name)
    if (path) url.searchParams.set(name, resolve(folder, path))
  }
  return url.href
}

/** The URL as the driver takes it: `sslmode` as libpq means it, files that can be read, and a key that is private. */
export async function databaseUrl(text: string): Promise<string> {
  const url = requireDatabase(text, 'SECSCTL_STORE')
  const { searchParams } = url
  for (const name of FILE_PARAMETERS) {
    const path = searchParams.get(name)
    if (!path) continue
    if (name === 'sslkey') await requirePrivateSecret(path)
    await readFile(path).catch((error: unknown) => {
      throw wrongUsage(`${name} of the database cannot be read: ${readFault(error, path)}`)
    })
  }
  const mode = searchParams.get('sslmode')
  if (mode === 'verify-ca' && !searchParams.has('sslrootcert'))
    throw wrongUsage('sslmode=verify-ca needs sslrootcert, the file with the authority of the database')
  if (mode !== null) searchParams.set('uselibpqcompat', 'true')
  return url.href
}

/** The URL without a password and parameters, to be shown. */
export function shownDatabase(text: string): string {
  const url = new URL(text)
  url.password = ''
  url.search = ''
  return url.href
}

/** What the database says when it refuses a connection or a right (SQLSTATE). */
const REFUSALS: readonly (readonly [RegExp, ErrorKind, string])[] = [
  [/^28/, 'access', 'the database refuses the login'],
  [/^3D000$/, 'missing', 'there is no such database'],
  [/^42501$/, 'access', 'the user of the database may not do this'],
]

/** What to do where a database has what this daemon cannot use. Nothing in it is given up or taken as it is by a flag. */
const AFTER_DAMAGE: Partial<Record<StoreDamaged['kind'], string>> = {
  sealed: 'give the --store-key-file of the other daemons of this database, or a copy of it',
  newer: 'install the secsctl that wrote it, or a newer one',
}

/** Why a daemon did not start on its database; undefined for an error that has another reason. */
export function databaseFailure(error: Error): Failure | undefined {
  const { name, message, code = '' } = error as NodeJS.ErrnoException
  if (name === 'StoreDamaged') {
    const next = AFTER_DAMAGE[(error as StoreDamaged).kind] ?? 'restore the database from a backup'
    return new Failure('damaged', message, next, error)
  }
  if (name === 'StoreUnavailable') return new Failure('unreachable', message, undefined, error)
  const [, kind, what] = REFUSALS.find(([pattern]) => pattern.test(code)) ?? []
  return kind && new Failure(kind, `${what}: ${message}`, undefined, error)
}

/** The database of the daemon on this machine; undefined where its records are in the data folder. */
export async function databaseHere({ folders, environment }: Session): Promise<string | undefined> {
  const address = await readAddress(folders.state)
  if (address) return address.store
  const given = environment.variables['SECSCTL_STORE']
  return given ? shownDatabase(given) : lastDatabase(folders)
}

/** The database of the last daemon here; undefined where the data folder has records. */
export const lastDatabase = async ({ state, data }: Folders): Promise<string | undefined> =>
  (await hasJournal(data)) ? undefined : (await readLastAddress(state))?.store

export const hasJournal = (dataFolder: string): Promise<boolean> =>
  stat(join(dataFolder, 'journal')).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Throws `state` where the records of the daemon on this machine are in a database, and a command reads files. */
export async function requireDataFolder(session: Session, command: string): Promise<void> {
  const database = await databaseHere(session)
  if (database === undefined) return
  throw new Failure(
    'state',
    `${command} is for a data folder, and the records of this daemon are in ${database}: PostgreSQL's own tools back them up and check them (docs/cluster.md)`,
  )
}
