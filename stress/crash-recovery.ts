import { parseArgs } from 'node:util'
import { FailStop } from '../src/store/failure.js'
import { Checkpoint, readCheckpoint } from '../src/store/files/documents/checkpoint.js'
import { openCollection } from '../src/store/files/documents/json-collection.js'
import { type JournalOptions, openJournal } from '../src/store/files/open-journal.js'
import { isLoss, verifyJournal } from '../src/store/files/repair/verify.js'
import { CrashingDisk } from '../test/store/crashing-disk.js'
import { alarm, OpenAlarms } from '../test/store/open-alarms.js'
import { ManualClock } from '../test/support/manual-clock.js'
import { atRest, restFigures } from './at-rest.js'
import { failingCalls } from './failing-calls.js'
import { Random } from './random.js'

const FOLDER = '/data/journal'
/** Processes that live on one disk, one after the other, and what each of them does. */
const PROCESSES = 12
const DEEDS = 25
/** Files that are spoilt at rest on each disk, one at a time. */
const FAULTS = 200

const { values } = parseArgs({
  options: {
    lives: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})
const lives = Number(values.lives)
const first = Number(values.seed)
if (!(Number.isInteger(lives) && lives > 0 && Number.isInteger(first))) {
  throw new Error('--lives and --seed are whole numbers, lives at least 1')
}
console.log(`${lives} lives of ${PROCESSES} processes each, --seed ${first}`)

const counts = { starts: 0, 'power cuts': 0, kills: 0, 'in order': 0, acknowledged: 0 }
const wrong: string[] = []

const turns = async (amount: number): Promise<void> => {
  for (let turn = 0; turn < amount; turn++) await new Promise((resolve) => setImmediate(resolve))
}

interface Tool {
  readonly id: string
  readonly n: number
}

async function open(options: JournalOptions) {
  const checkpoint = await Checkpoint.open('/data', options)
  const journal = await openJournal(FOLDER, { ...options, checkpoint })
  try {
    await checkpoint.begin()
    return {
      checkpoint,
      journal,
      tools: await openCollection<Tool>('/data', 'tools', { ...options, checkpoint }),
    }
  } catch (error) {
    await journal.close().catch(() => {})
    throw error
  }
}

/** One process: opens the folder, looks whether all that was acknowledged is there, and lives until it fails or ends. */
async function live(
  disk: CrashingDisk,
  acknowledged: Map<number, string>,
  clock: ManualClock,
  random: Random,
  state: { asked: number; acknowledged: number },
) {
  const nth = random.chance(0.2) ? Number.POSITIVE_INFINITY : 1 + random.below(120)
  const isFull = random.chance(0.35)
  const mortal = isFull ? disk.inherited() : disk.inherited(nth)
  const fs = isFull ? failingCalls(mortal, nth, 1 + random.below(4)) : mortal
  const retention = { maxAge: 900_000, maxBytes: random.chance(0.5) ? 1500 : 1e9 }
  const segmentBytes = random.chance(0.5) ? 400 : 2000
  const options = { fs, failStop: new FailStop(), clock, segmentBytes, retention }
  const opened = await open(options).catch((error: unknown) => {
    if ((error as Error).name === 'StoreDamaged') wrong.push((error as Error).message)
    return undefined
  })
  if (!opened) return mortal
  const { journal, checkpoint, tools } = opened
  counts.starts += 1
  try {
    const view = new OpenAlarms()
    await journal.attach([view])
    for (const seq of view.pinned()) {
      if ((await journal.get(seq))?.name !== 'set') wrong.push(`entry ${seq}, which is pinned, is gone`)
    }
    const latest = Math.max(0, ...(await tools.all()).map(({ n }) => n))
    if (latest < state.acknowledged) wrong.push(`change ${state.acknowledged} of the collection is lost`)
    state.acknowledged = Math.max(latest, state.acknowledged)
    const kept = new Map(
      (await journal.query({ order: 'asc', limit: 100_000 })).map((entry) => [entry.seq, entry.key]),
    )
    for (const [seq, key] of acknowledged) {
      if (seq >= journal.first && kept.get(seq) !== key) wrong.push(`entry ${seq} is lost`)
    }
    for (let deed = 0; deed < DEEDS; deed++) {
      if (random.chance(0.6)) {
        const at = clock.date().toISOString()
        const keys = Array.from({ length: 1 + random.below(3) }, () => `key ${random.below(4)}`)
        const made = await journal.appendAll(
          keys.map((key) => alarm(key, random.chance(0.5) ? 'set' : 'cleared', at)),
        )
        for (const { seq, key } of made) acknowledged.set(seq, key)
        counts.acknowledged += made.length
      } else if (random.chance(0.2)) {
        await tools.put({ id: `t${random.below(3)}`, n: ++state.asked })
        state.acknowledged = state.asked
      } else if (random.chance(0.5)) clock.advance(20_000 + random.below(40_000))
      else await turns(random.below(20))
    }
    if (random.chance(0.3)) {
      await journal.close()
      await checkpoint.close()
      counts['in order'] += 1
    }
  } catch {
    // The disk failed: the process is over, closed or not.
    if (random.chance(0.5)) await journal.close().catch(() => {})
  }
  await turns(3)
  await journal.close().catch(() => {})
  await checkpoint.close().catch(() => {})
  return mortal
}

for (let seed = first; seed < first + lives; seed++) {
  const random = new Random(seed)
  const clock = new ManualClock()
  const acknowledged = new Map<number, string>()
  const state = { asked: 0, acknowledged: 0 }
  let disk = new CrashingDisk()
  await disk.makeFolder('/data')
  for (let process = 0; process < PROCESSES; process++) {
    const left = await live(disk, acknowledged, clock, random, state)
    const isPowerCut = random.chance(0.6)
    counts[isPowerCut ? 'power cuts' : 'kills'] += 1
    disk = isPowerCut ? left.crashed(() => random.next()) : left.inherited()
    const known = await readCheckpoint(disk, '/data')
    if (known === 'damaged') wrong.push('verify: the checkpoint is damaged')
    const journal = known === 'damaged' ? undefined : known?.journal
    for await (const { faults } of verifyJournal(disk, FOLDER, journal)) {
      for (const fault of faults) if (isLoss(fault)) wrong.push(`verify: ${JSON.stringify(fault)}`)
    }
  }
  if (wrong.length > 0) {
    console.log(`--seed ${seed} --lives 1:\n${wrong.join('\n')}`)
    break
  }
}

const rest = restFigures()
for (let seed = first; seed < first + lives && rest.undetected.length === 0; seed++) {
  await atRest(FAULTS, new Random(seed), rest)
  if (rest.undetected.length > 0) console.log(`--seed ${seed} --lives 1:\n${rest.undetected.join('\n')}`)
}
wrong.push(...rest.undetected)

for (const [what, count] of [...rest.tried].sort()) console.log(`at rest: ${what.padEnd(42)} ${count}`)
const tried = [...rest.tried.values()].reduce((sum, count) => sum + count, 0)
console.log(
  `at rest: ${tried} faults: ${rest.refused} refused at the start, ${rest.read} when read, ${rest.harmless} without effect, ${rest.undetected.length} undetected`,
)
for (const [what, count] of Object.entries(counts)) console.log(`${what.padEnd(14)} ${count}`)
console.log(`${'lost or wrong'.padEnd(14)} ${wrong.length}`)
process.exit(wrong.length === 0 ? 0 : 1)
