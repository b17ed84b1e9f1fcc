// The journal on this machine's disk: `npm run bench:store [records]`. Works under the folder of temporary files.
import { execFileSync } from 'node:child_process'
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../src/kit/clock.js'
import type { NewEntry } from '../src/store/entry.js'
import { openStore } from '../src/store/files/data-folder.js'
import type { JournalQuery } from '../src/store/journal.js'
import type { Store } from '../src/store/store.js'
import { benchFolder } from './open-bench.js'
import { median } from './rate.js'

const [records = '1000000', reading] = process.argv.slice(2)
const RECORDS = Number(records)
const EQUIPMENT = 20
const KINDS = [
  { type: 'message', name: 'message_sent' },
  { type: 'message', name: 'message_received' },
  { type: 'message', name: 'message_ended' },
  { type: 'state', name: 'control_state' },
  { type: 'alarm', name: 'alarm_set' },
] as const
const START = Date.UTC(2026, 0, 1)
/** Milliseconds from one record to the next. */
const STEP = 50

const root = reading === undefined ? benchFolder() : ''

/** A clock that stands where the records end, so that retention and the age of segments do not come in. */
const clock = { ...systemClock, date: () => new Date(START + RECORDS * STEP) }
/** As the daemon has it: with the lock, the guard of the files, the checkpoint, and retention. */
async function open(folder: string): Promise<Store> {
  const store = await openStore(folder, { clock })
  await store.journal.attach([])
  return store
}

const body = Buffer.alloc(96, 7).toString('base64')
const record = (n: number): NewEntry => ({
  ...(KINDS[n % KINDS.length] as (typeof KINDS)[number]),
  key: `equipment-${(n * 7) % EQUIPMENT}`,
  at: new Date(START + n * STEP).toISOString(),
  data: { stream: 6, function: 11, w_bit: true, session_id: 0, system_bytes: n, body, reply_to: null },
})

const seconds = (from: bigint): number => Number(process.hrtime.bigint() - from) / 1e9
const print = (what: string, value: string, aim = ''): void =>
  console.log(`${what.padEnd(44)} ${value.padStart(14)}  ${aim}`.trimEnd())
const whole = (value: number): string => Math.round(value).toLocaleString('en')

async function appends(writers: number): Promise<number> {
  const store = await open(join(root, `writers-${writers}`))
  const until = process.hrtime.bigint() + 2_000_000_000n
  const from = process.hrtime.bigint()
  let done = 0
  const write = async (): Promise<void> => {
    while (process.hrtime.bigint() < until) {
      await store.journal.append(record(done))
      done++
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  const rate = done / seconds(from)
  await store.close()
  return rate
}

/** What this disk gives one writer that syncs every record. */
function oneSyncEach(): number {
  const file = openSync(join(root, 'plain'), 'w')
  const from = process.hrtime.bigint()
  let done = 0
  for (; seconds(from) < 2; done++) {
    writeSync(file, `${JSON.stringify(record(done))}\n`)
    fdatasyncSync(file)
  }
  closeSync(file)
  return done / seconds(from)
}

async function fill(folder: string): Promise<void> {
  const store = await open(folder)
  for (let n = 0; n < RECORDS; n += 1000) {
    await store.journal.appendAll(
      Array.from({ length: Math.min(1000, RECORDS - n) }, (_, at) => record(n + at)),
    )
  }
  await store.close()
}

const middle = START + (RECORDS / 2) * STEP
const HOUR = { from: new Date(middle).toISOString(), to: new Date(middle + 3_600_000).toISOString() }
const key = 'equipment-7'
const QUERIES: readonly (readonly [string, Omit<JournalQuery, 'order' | 'limit'>, string])[] = [
  ['last 50', {}, 'under 3 ms'],
  ['last 50 of an equipment', { key }, 'under 3 ms'],
  ['last 50 of a type', { kinds: [{ type: 'alarm' }] }, 'under 3 ms'],
  ['last 50 of an equipment and a type', { key, kinds: [{ type: 'message' }] }, 'under 3 ms'],
  ['50 of a one-hour window in the middle', HOUR, 'under 3 ms'],
  ['50 of an equipment in that hour', { key, ...HOUR }, 'under 3 ms'],
  ['no match: an equipment without records', { key: 'nobody' }, 'under 15 ms'],
  ['no match: a type that it never had', { key, kinds: [{ type: 'alarm', name: 'none' }] }, 'under 15 ms'],
  [
    'no match: half a step between two records',
    { from: new Date(middle + 1).toISOString(), to: new Date(middle + 2).toISOString() },
    'under 15 ms',
  ],
]

async function ask(folder: string): Promise<void> {
  const store = await open(folder)
  for (const [what, query, aim] of QUERIES) {
    const times: number[] = []
    for (let round = 0; round < 101; round++) {
      const from = process.hrtime.bigint()
      const found = await store.journal.query({ ...query, order: 'desc', limit: 50 })
      times.push(seconds(from) * 1000)
      if (found.length !== (what.startsWith('no match') ? 0 : 50)) throw new Error(`${what}: ${found.length}`)
    }
    print(what, `${median(times).toFixed(2)} ms`, `${aim} (slowest ${Math.max(...times).toFixed(1)})`)
  }
  print('resident memory then', `${whole(process.memoryUsage().rss / 1e6)} MB`, 'under 150 MB')
  await store.close()
}

async function measure(): Promise<void> {
  const plain = oneSyncEach()
  print('appends/s, one sync each, no journal', whole(plain))
  for (const writers of [1, 64, 1000]) {
    const rate = await appends(writers)
    const aim = writers === 64 ? ', 50,000 wanted' : ''
    print(`appends/s, ${writers} at once`, whole(rate), `${(rate / plain).toFixed(1)} times that${aim}`)
  }
  const folder = join(root, 'data')
  const filling = process.hrtime.bigint()
  await fill(folder)
  print(`appends/s, ${whole(RECORDS)} in batches of 1000`, whole(RECORDS / seconds(filling)))

  const starts: number[] = []
  for (let round = 0; round < 5; round++) {
    const from = process.hrtime.bigint()
    const { journal, close } = await open(folder)
    starts.push(seconds(from))
    if (journal.last !== RECORDS) throw new Error(`${journal.last} records were found`)
    await close()
  }
  print(`start with ${whole(RECORDS)} records`, `${median(starts).toFixed(3)} s`, 'under 1.5 s')
  // In a process of its own, since what was written here is in this one's memory still.
  execFileSync(process.execPath, [process.argv[1] ?? '', records, folder], { stdio: 'inherit' })
}

await (reading === undefined ? measure() : ask(reading))
