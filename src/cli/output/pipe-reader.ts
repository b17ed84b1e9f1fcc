import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { type Clock, delay } from '../../kit/clock.js'

const CHECK_INTERVAL_MS = 1000

function orNone<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const linkOf = (path: string): string | undefined => orNone(() => readlinkSync(path))
const namesIn = (folder: string): readonly string[] => orNone(() => readdirSync(folder)) ?? []

/** Where processes of this user have `pipe` open for reading, as paths in Linux's /proc. */
const readersOf = (pipe: string): readonly string[] =>
  namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((process) => namesIn(`/proc/${process}/fd`).map((name) => `/proc/${process}/fd/${name}`))
    .filter((path) => linkOf(path) === pipe && ((orNone(() => lstatSync(path))?.mode ?? 0) & 0o400) !== 0)

/**
 * Resolves when the last reader of standard output is gone: without a write nothing else says so. Never, where
 * standard output is no pipe, or its reader is not seen: on other systems than Linux, or of another user. The reader
 * has to be there when it is called.
 */
export async function readerGone(clock: Clock): Promise<void> {
  const pipe = linkOf('/proc/self/fd/1')
  let readers = pipe?.startsWith('pipe:') ? readersOf(pipe) : []
  if (pipe === undefined || readers.length === 0) return new Promise(() => {})
  while (readers.length > 0) {
    await delay(clock, CHECK_INTERVAL_MS)
    if (!readers.some((path) => linkOf(path) === pipe)) readers = readersOf(pipe)
  }
}
