import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { type Clock, delay } from '../kit/clock.js'
import { requirePrivate, symbolicLink, WORLD_WRITES } from '../kit/private-file.js'
import type { LogSink } from './log-output.js'

/** A log file that has grown to this many bytes is put aside; so many files are kept beside the one that is written. */
const MAX_FILE_BYTES = 16 * 1024 * 1024
const MAX_OLD_FILES = 3
/** The time until a terminal that takes nothing is tried again. */
const RETRY_MS = 100

/** Puts a log file aside, and removes the oldest of those that were. */
async function putAside(path: string): Promise<void> {
  const names = [path, ...Array.from({ length: MAX_OLD_FILES }, (_, at) => `${path}.${at + 1}`)]
  for (let at = names.length - 2; at >= 0; at--) {
    await rename(names[at] as string, names[at + 1] as string).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
}

/** Opens a log to append to, for its owner alone; one that is too large is put aside first. */
export async function openLog(path: string, maxBytes = MAX_FILE_BYTES): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants
  const flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK
  const file = await open(path, flags, 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? symbolicLink(path) : error
  })
  try {
    const stats = await file.stat()
    requirePrivate(path, stats, WORLD_WRITES)
    if (stats.size < maxBytes) return file
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  await putAside(path)
  return open(path, flags, 0o600)
}

/** A log file that is followed by another one when it has grown. */
export class LogFile implements LogSink {
  #file: FileHandle | undefined
  #size = 0

  private constructor(
    readonly path: string,
    readonly maxBytes: number,
  ) {}

  /** `maxBytes`: when a file is put aside. Rejects where it cannot be opened. */
  static async open(path: string, maxBytes = MAX_FILE_BYTES): Promise<LogFile> {
    const log = new LogFile(path, maxBytes)
    await log.#open()
    return log
  }

  async write(bytes: Buffer): Promise<number> {
    try {
      if (this.#size > 0 && this.#size + bytes.length > this.maxBytes) await this.#follow(bytes.length)
      const { fd } = this.#file ?? (await this.#open())
      const written = await writeAll(fd, bytes)
      this.#size += written
      return written
    } catch {
      return 0
    }
  }

  writeNow(bytes: Buffer): void {
    if (this.#file) writeSync(this.#file.fd, bytes)
  }

  async close(): Promise<void> {
    await this.#file?.close()
  }

  async #open(): Promise<FileHandle> {
    this.#file = await openLog(this.path, this.maxBytes)
    this.#size = (await this.#file.stat()).size
    return this.#file
  }

  /** Begins the next file, unless this one is smaller than counted: it may have been truncated. */
  async #follow(bytes: number): Promise<void> {
    const own = await this.#file?.stat()
    if (!own) return
    this.#size = own.size
    if (own.size + bytes <= this.maxBytes) return
    const named = await stat(this.path).catch(() => undefined)
    try {
      if (named?.ino === own.ino && named.dev === own.dev) await putAside(this.path)
    } catch {
      return // where an open file cannot be renamed it grows: better than no log
    }
    await this.#file?.close()
    this.#file = undefined
  }
}

/** The standard error of this process: a file, pipe, socket or terminal. Never blocks the process when it is not read. */
export function standardError(clock: Clock): LogSink {
  const stats = fstatSync(2)
  if (stats.isFIFO() || stats.isSocket()) {
    // Node writes to them without blocking, and queues; one write at a time bounds that queue.
    return {
      write: (bytes) =>
        new Promise((resolve) => {
          process.stderr.write(bytes, (error) => resolve(error ? 0 : bytes.length))
        }),
    }
  }
  const file = stats.isCharacterDevice() ? ownTerminal() : 2
  return { write: (bytes) => writeAll(file, bytes, clock) }
}

/** A terminal whose output a person has stopped would block its writer; opened again like this it does not. */
function ownTerminal(): number {
  try {
    const { O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants
    return openSync('/proc/self/fd/2', O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return 2
  }
}

/** How many bytes could be written. With a clock, what takes nothing now is tried again and again. */
async function writeAll(file: number, bytes: Buffer, clock?: Clock): Promise<number> {
  let written = 0
  while (written < bytes.length) {
    const put = await new Promise<number | string>((resolve) => {
      write(file, bytes, written, bytes.length - written, null, (error, count) =>
        resolve(error ? (error.code ?? '') : count),
      )
    })
    if (put === 'EAGAIN' && clock) await delay(clock, RETRY_MS)
    else if (typeof put === 'string' || put === 0) break
    else written += put
  }
  return written
}
