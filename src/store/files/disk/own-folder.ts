import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cancel, type Clock, delay } from '../../../kit/clock.js'
import { requirePrivateFile, WORLD } from '../../../kit/private-file.js'
import type { FailStop } from '../../failure.js'
import type { Lock } from './lock.js'

/** From one check of the lock to the next, where nothing is written. */
const CHECK_INTERVAL_MS = 1000

/** Ends all acknowledging once the folder is not ours any more. */
export function watchLock(lock: Lock, failStop: FailStop, clock: Clock): Cancel {
  const over = new AbortController()
  const { signal } = over
  const watch = async (): Promise<void> => {
    for (;;) {
      await delay(clock, CHECK_INTERVAL_MS, signal)
      if (signal.aborted) return
      await lock.check()
    }
  }
  watch().catch((error: unknown) => {
    if (!signal.aborted) failStop.stop(error)
  })
  return () => over.abort()
}

/** Collections, the key, and what is written beside them. */
const OWN_FILE = /\.json(\.bak)?$|^signing-key/

/** Throws `NotPrivate` where a file that the daemon trusts is a link, of another user, or open to everybody. */
export async function requirePrivateFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (OWN_FILE.test(name)) await requirePrivateFile(join(folder, name), WORLD)
  }
}
