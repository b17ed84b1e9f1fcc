import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cancel, Clock } from '../../../kit/clock.js'
import { requirePrivateFile, WORLD } from '../../../kit/private-file.js'
import type { FailStop } from '../../failure.js'
import type { Lock } from './lock.js'

/** Milliseconds from one look at the lock to the next, where nothing is written. */
const LOOK = 1000

/** Ends all acknowledging once the folder is not ours any more. */
export function watchLock(lock: Lock, failStop: FailStop, clock: Clock): Cancel {
  let cancel: Cancel = () => {}
  let isOver = false
  const look = (): void => {
    cancel = clock.at(clock.now() + LOOK, () => {
      lock.check().then(
        () => {
          if (!isOver) look()
        },
        (error: unknown) => {
          if (!isOver) failStop.stop(error)
        },
      )
    })
  }
  look()
  return () => {
    isOver = true
    cancel()
  }
}

/** Collections, the key, and what is written beside them. */
const OWN_FILE = /\.json(\.bak)?$|^signing-key/

/** Throws `NotPrivate` where a file that the daemon trusts is a link, of another user, or open to everybody. */
export async function requirePrivateFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (OWN_FILE.test(name)) await requirePrivateFile(join(folder, name), WORLD)
  }
}
