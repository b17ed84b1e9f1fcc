const ANY: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EISDIR: 'it is a folder',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
}

/** What to do about a file of this user that cannot be used. */
export const OTHER_HOME = 'SECSCTL_HOME names another folder for profiles, tokens and data.'

const faultText = (error: unknown, own: Readonly<Record<string, string>>): string => {
  const { code = '', message } = error as NodeJS.ErrnoException
  return own[code] ?? ANY[code] ?? message
}

/** Why a file cannot be read, in words where there are any. `path` where the sentence does not name it. */
export const readFault = (error: unknown, path?: string): string =>
  faultText(error, {
    ENOENT: path === undefined ? 'there is no such file' : `there is no file ${path}`,
    ENOTDIR: path === undefined ? 'there is no such file' : `there is no file ${path}`,
  })

/** Why a file cannot be written. */
export const writeFault = (error: unknown): string =>
  faultText(error, { ENOENT: 'there is no such folder', ENOTDIR: 'there is no such folder' })
