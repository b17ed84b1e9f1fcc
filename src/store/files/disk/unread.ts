import { StoreDamaged } from '../../failure.js'

/**
 * A read ends with these for a sector or a file system that is damaged, for a network drive that is away, and for a folder in
 * the place of a file.
 */
const CODES = ['EIO', 'EBADMSG', 'EUCLEAN', 'ESTALE', 'ETIMEDOUT', 'EISDIR']

/** What the callers of a read that failed get: `StoreDamaged` where the disk does not give the bytes. */
export function unread(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined || !CODES.includes(code)) return error
  return new StoreDamaged(file, undefined, `it cannot be read: ${message}`, 'unread')
}
