import { type Stats, statSync } from 'node:fs'
import { chmod, lstat, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { shellWord } from './shell-word.js'

/** The part of a file's stats that shows who has access. */
export interface Access {
  readonly mode: number
  readonly uid: number
  isDirectory(): boolean
}

/** Everybody on the machine may do something. */
export const WORLD = 0o007
/** Everybody on the machine may write. */
export const WORLD_WRITES = 0o002
/** Others than the owner may do something. */
export const OTHERS = 0o077
/** The same for a file of root's, which a group may be given to read. */
const ROOTS = 0o037

/** A file or folder that another user has made, or could read or change: it is not used. */
export class NotPrivate extends Error {
  override readonly name = 'NotPrivate'
  readonly kind = 'unexpected'

  constructor(
    message: string,
    /** The command that mends it. */
    readonly hint: string,
  ) {
    super(message)
  }
}

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0')

/** The user that this process acts as; undefined on Windows, where the folders of a user are closed by the system. */
const currentUser = (): number | undefined => process.geteuid?.()

/**
 * Why a file or folder is not this user's alone; undefined where it is. `mask`: the bits of its mode that may not be
 * set.
 */
export function privacyFault(
  path: string,
  stats: Access,
  mask: number,
  user = currentUser(),
): NotPrivate | undefined {
  if (user === undefined) return undefined
  const word = shellWord(path)
  if (stats.uid !== user)
    return new NotPrivate(`${path} belongs to another user (${stats.uid})`, `sudo chown ${user} ${word}`)
  if ((stats.mode & mask) === 0) return undefined
  const what = `${path} is open to other users (mode ${octal(stats.mode)})`
  return new NotPrivate(what, stats.isDirectory() ? `chmod -R go= ${word}` : `chmod 600 ${word}`)
}

/** Throws `NotPrivate` for what is not this user's alone. */
export function requirePrivate(path: string, stats: Access, mask: number): void {
  const fault = privacyFault(path, stats, mask)
  if (fault) throw fault
}

/** A link could lead to a file of another user. */
export const symbolicLink = (path: string): NotPrivate =>
  new NotPrivate(`${path} is a symbolic link, and is not followed`, `ls -l ${shellWord(path)}`)

/**
 * Throws `NotPrivate` for a symbolic link, and for a file that is another user's or has bits of `mask` set. Takes away
 * what its group may do. A folder is passed over.
 */
export async function requirePrivateFile(path: string, mask: number): Promise<void> {
  const stats = await ifThere(lstat(path))
  if (!stats || stats.isDirectory()) return
  if (stats.isSymbolicLink()) throw symbolicLink(path)
  requirePrivate(path, stats, mask)
  if ((stats.mode & OTHERS) !== 0 && currentUser() !== undefined) await chmod(path, 0o600)
}

/**
 * Throws `NotPrivate` for a file with a secret that others could have read, by the rules of PostgreSQL: it is this
 * user's alone, or root's and at most readable for a group. Links are followed; root may read the files of every user. What
 * is no plain file, such as a pipe of a shell, is passed over.
 */
export async function requirePrivateSecret(path: string): Promise<void> {
  const stats = statsIfThere(path)
  const user = currentUser()
  if (!stats?.isFile() || user === undefined) return
  const isRoots = stats.uid === 0
  const owner = user === 0 || isRoots ? stats.uid : user
  const fault = privacyFault(path, stats, isRoots ? ROOTS : OTHERS, owner)
  if (!fault) return
  throw isRoots && user !== 0 ? new NotPrivate(fault.message, `sudo chmod 640 ${shellWord(path)}`) : fault
}

/** Throws `NotPrivate` for a file that another user could have written; root trusts everybody's. */
export async function requireOwnWords(path: string): Promise<void> {
  const stats = statsIfThere(path)
  const user = currentUser()
  if (stats && user !== undefined && user !== 0) requirePrivate(path, stats, WORLD_WRITES)
}

/** A folder that only its owner may enter. */
export async function makePrivateFolder(folder: string): Promise<void> {
  const made = await makeFolders(folder)
  if (made !== undefined) await chmod(folder, 0o700)
}

/** Puts a file in place whole, readable for its owner alone. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await makePrivateFolder(dirname(file))
  // A link, as people have who keep their settings elsewhere, stays one.
  const path = await realpath(file).catch(() => file)
  // Loaded here: every command reads such files, and few write one.
  const { randomBytes } = await import('node:crypto')
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx' })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/**
 * Makes a folder, and those above it where they are missing. Resolves with the topmost folder that it made, undefined
 * where it made none. Node's recursive `mkdir` never ends where the system lets nobody make a folder, as in /proc/1.
 */
export async function makeFolders(folder: string, mode = 0o700): Promise<string | undefined> {
  const make = (): Promise<void> => mkdir(folder, { mode })
  try {
    await make()
    return folder
  } catch (error) {
    if (await isFolder(folder)) return undefined
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error
  }
  const topmost = await makeFolders(dirname(folder), mode)
  await make().catch(async (error: unknown) => {
    if (!(await isFolder(folder))) throw error
  })
  return topmost ?? folder
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false

/** Read at once: a command that starts does not wait for the thread pool. */
function statsIfThere(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch (error) {
    return absent(error as NodeJS.ErrnoException)
  }
}

const ifThere = (found: Promise<Stats>): Promise<Stats | undefined> => found.catch(absent)

/** Throws any other error. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
