import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, delay } from '../kit/clock.js'
import { writePrivateFile } from '../kit/private-file.js'
import type { Store } from '../store/store.js'

export type StandbyChange = 'begin' | 'end'

/** The mark of records that are a copy: no gateway on them connects to equipment or delivers to sinks, until somebody ends it. */
export interface Standby {
  readonly isBegun: boolean
  begin(): Promise<void>
  end(): Promise<void>
}

/** The file of this name in a data folder is the mark. */
const STANDBY_FILE = 'standby'
const RECORD = 'standby'
const LOOK_MS = 500
/** Milliseconds beyond the leases of others after which those that still renew them are alive. */
const MARGIN_MS = 2000

export class StandbyRefused extends Error {
  override readonly name = 'StandbyRefused'
}

export async function standbyInFolder(folder: string, clock: Clock): Promise<Standby> {
  const path = join(folder, STANDBY_FILE)
  const isBegun = await stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
  return {
    isBegun,
    begin: () => writePrivateFile(path, `${clock.date().toISOString()}\n`),
    end: () => rm(path, { force: true }),
  }
}

/** The mark is for all daemons on the database. */
export async function standbyInDatabase(store: Store, clock: Clock): Promise<Standby> {
  const marks = await store.collection<{ readonly id: string; readonly since: string }>('standby')
  return {
    isBegun: (await marks.get(RECORD)) !== undefined,
    async begin() {
      await requireAlone(store, clock)
      await marks.put({ id: RECORD, since: clock.date().toISOString() })
    },
    end: async () => void (await marks.delete(RECORD)),
  }
}

/**
 * A database on which other daemons work is no copy. One that was restored still names the daemons of its original: their
 * leases end while it is watched.
 */
async function requireAlone({ ownership }: Store, clock: Clock): Promise<void> {
  const others = () =>
    ownership.nodes().filter(({ id, expires_in }) => id !== ownership.self && expires_in > 0)
  const wait = Math.max(0, ...others().map(({ expires_in }) => expires_in)) + MARGIN_MS
  const until = clock.now() + wait
  for (;;) {
    await ownership.look()
    const [other] = others()
    if (!other) return
    if (clock.now() >= until)
      throw new StandbyRefused(
        `the daemon ${other.name} works on this database, so it is no restored copy: --standby would keep that daemon from its equipment after its next start`,
      )
    await delay(clock, LOOK_MS)
  }
}
