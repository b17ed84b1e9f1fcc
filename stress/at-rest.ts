// A disk that spoils files while nobody runs: every kind of file, one fault at a time.
import { basename, join } from 'node:path'
import type { Entry } from '../src/store/entry.js'
import { openFiles } from '../src/store/files/data-folder.js'
import type { FileSystem } from '../src/store/files/disk/file-system.js'
import type { Store } from '../src/store/store.js'
import { CrashingDisk } from '../test/store/crashing-disk.js'
import { alarm, OpenAlarms } from '../test/store/open-alarms.js'
import { ManualClock } from '../test/support/manual-clock.js'
import type { Random } from './random.js'

const FOLDER = '/data'
const FOLDERS = [FOLDER, join(FOLDER, 'journal'), join(FOLDER, 'journal', 'views')]
const COLLECTIONS = ['equipment', 'users', 'revocations', 'reports']
/** Longer than the checkpoint takes to know of an entry, in milliseconds. */
const A_MOMENT = 2000

/** What a fault is, and how often it was `refused`, found when it was `read`, or changed nothing that is served. */
export interface RestFigures {
  readonly tried: Map<string, number>
  refused: number
  read: number
  harmless: number
  readonly undetected: string[]
}

export const restFigures = (): RestFigures => ({
  tried: new Map(),
  refused: 0,
  read: 0,
  harmless: 0,
  undetected: [],
})

/** All that a store serves. */
interface Served {
  readonly documents: readonly (readonly unknown[])[]
  readonly key: string
  readonly entries: readonly Entry[]
  readonly open: readonly unknown[]
  readonly needed: readonly (Entry | undefined)[]
}

type Files = ReadonlyMap<string, Buffer>

const opened = (fs: FileSystem, clock: ManualClock): Promise<Store> =>
  openFiles(FOLDER, { fs, clock, segmentBytes: 1200, retention: { maxAge: 1e12, maxBytes: 6000 } })

async function served(store: Store): Promise<Served> {
  const view = new OpenAlarms()
  await store.journal.attach([view])
  const documents = []
  for (const name of COLLECTIONS) documents.push(await (await store.collection(name)).all())
  const key = Buffer.from(await store.secret('signing-key', 32)).toString('hex')
  const entries = await store.journal.query({ order: 'asc', limit: 100_000 })
  const needed = []
  for (const seq of [...view.pinned()].sort((a, b) => a - b)) needed.push(await store.journal.get(seq))
  return { documents, key, entries, open: [...view.open], needed }
}

async function filesOn(fs: FileSystem): Promise<Files> {
  const files = new Map<string, Buffer>()
  for (const folder of FOLDERS) {
    for (const name of await fs.list(folder)) {
      const bytes = await fs.read(join(folder, name))
      if (bytes) files.set(join(folder, name), bytes)
    }
  }
  return files
}

async function diskWith(files: Files): Promise<CrashingDisk> {
  const fs = new CrashingDisk()
  for (const folder of FOLDERS) await fs.makeFolder(folder)
  for (const [path, bytes] of files) {
    const file = await fs.open(path, 'create')
    await file.write(bytes, 0)
    await file.close()
  }
  return fs
}

/** Lets a store work, and keeps what its disk was at some moments, the last one last. */
async function history(
  random: Random,
): Promise<{ moments: readonly Files[]; truth: Served; highest: number }> {
  const clock = new ManualClock()
  const fs = new CrashingDisk()
  for (const folder of FOLDERS) await fs.makeFolder(folder)
  const moments: Files[] = []
  let store = await opened(fs, clock)
  await served(store)
  for (let deed = 0; deed < 60; deed++) {
    const at = clock.date().toISOString()
    const keys = Array.from({ length: 1 + random.below(3) }, () => `key ${random.below(5)}`)
    await store.journal.appendAll(keys.map((key) => alarm(key, random.chance(0.5) ? 'set' : 'cleared', at)))
    if (random.chance(0.2)) {
      const name = COLLECTIONS[random.below(COLLECTIONS.length)] ?? ''
      await (await store.collection(name)).put({
        id: `r${random.below(4)}`,
        address: `127.0.0.${random.below(200)}`,
      } as never)
    }
    if (random.chance(0.1)) {
      await settled(clock)
      moments.push(await filesOn(fs))
    }
    if (random.chance(0.05)) {
      await store.close()
      store = await opened(fs, clock)
      await served(store)
    }
  }
  await settled(clock)
  // Half of them are killed here, and the others end in order.
  const killed = await filesOn(fs)
  const highest = store.journal.last
  await store.close()
  moments.push(random.chance(0.5) ? killed : await filesOn(fs))
  const look = await opened(await diskWith(moments.at(-1) ?? new Map()), clock)
  const truth = await served(look)
  await look.close()
  return { moments, truth, highest }
}

async function settled(clock: ManualClock): Promise<void> {
  clock.advance(A_MOMENT)
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** One file with one fault; undefined where the fault is none. */
function spoilt(
  moments: readonly Files[],
  path: string,
  random: Random,
): readonly [string, Buffer | undefined] | undefined {
  const bytes = moments.at(-1)?.get(path) ?? Buffer.alloc(0)
  const length = 1 + random.below(bytes.length)
  switch (random.below(5)) {
    case 0: {
      const flipped = Buffer.from(bytes)
      const at = random.below(bytes.length)
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << random.below(8)), at)
      return ['a bit flipped', flipped]
    }
    case 1:
      return ['zeros at the end', Buffer.concat([bytes.subarray(0, -length), Buffer.alloc(length)])]
    case 2:
      return ['cut short', bytes.subarray(0, -length)]
    case 3:
      return ['gone', undefined]
    default: {
      const older = moments
        .slice(0, -1)
        .map((files) => files.get(path))
        .filter((one) => one && !one.equals(bytes))
      const one = older[random.below(older.length)]
      return one && ['an older version', one]
    }
  }
}

/** `rounds` faults on a made-up disk. */
export async function atRest(rounds: number, random: Random, figures: RestFigures): Promise<void> {
  const { moments, truth, highest } = await history(random)
  const last = moments.at(-1) ?? new Map()
  const paths = [...last.keys()]
  for (let round = 0; round < rounds; round++) {
    const path = paths[random.below(paths.length)] ?? ''
    const fault = spoilt(moments, path, random)
    if (!fault || fault[1]?.equals(last.get(path) ?? Buffer.alloc(0))) continue
    const what = `${kindOf(path)}, ${fault[0]}`
    figures.tried.set(what, (figures.tried.get(what) ?? 0) + 1)
    const files = new Map(last)
    if (fault[1]) files.set(path, fault[1])
    else files.delete(path)
    const clock = new ManualClock()
    const store = await opened(await diskWith(files), clock).catch(refusal)
    if (!store) {
      figures.refused++
      continue
    }
    const found = await served(store).catch(refusal)
    const next = found && (await store.journal.append(alarm('next', 'set', clock.date().toISOString())))
    await store.close().catch(() => {})
    if (!found || !next) figures.read++
    else if (JSON.stringify(found) === JSON.stringify(truth) && next.seq > highest) figures.harmless++
    else figures.undetected.push(`${path}: ${what}`)
  }
}

const kindOf = (path: string): string => basename(path).replace(/\d{16}/, 'segment')

/** Only damage that is said to be so counts as found. */
function refusal(error: unknown): undefined {
  if (error instanceof Error && error.name === 'StoreDamaged') return undefined
  throw error
}
