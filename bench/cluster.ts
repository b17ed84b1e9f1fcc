// The journal in PostgreSQL beside the one on files: `npm run bench:cluster -- [--seconds 3] [--records 500000]`.
// PostgreSQL is Debian's, on a folder of its own with its defaults but for shared_buffers; it shares this machine with
// those who write.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/kit/clock.js'
import type { NewEntry } from '../src/store/entry.js'
import { openStore } from '../src/store/files/data-folder.js'
import type { JournalQuery } from '../src/store/journal.js'
import { openPostgresStore } from '../src/store/postgres/open-postgres.js'
import type { Store } from '../src/store/store.js'
import { PostgresServer } from '../test/system/postgres-server.js'
import { benchFolder } from './open-bench.js'
import { median } from './rate.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '3' },
    records: { type: 'string', default: '500000' },
  },
})
const SECONDS = Number(values.seconds)
const RECORDS = Number(values.records)

/** What a process that writes is told, and what it answers. */
interface Task {
  readonly store: string
  readonly name: string
  readonly writers: number
}
interface Written {
  readonly entries: number
  readonly p50: number
  readonly p99: number
}

const START = 1_790_000_000_000
/** Milliseconds from one record to the next. */
const STEP = 50

/** A clock that stands where the records end, so that no segment is too old to be written to. */
const clock = { ...systemClock, date: () => new Date(START + RECORDS * STEP) }

const body = Buffer.alloc(96, 7).toString('base64')
const record = (n: number): NewEntry => ({
  key: `equipment-${(n * 7) % 20}`,
  type: 'message',
  name: n % 2 ? 'message_sent' : 'message_received',
  topic: 'S6F11',
  at: new Date(START + n * STEP).toISOString(),
  data: { stream: 6, function: 11, w_bit: true, session_id: 0, system_bytes: n, body, reply_to: null },
})

async function open(where: string, name: string): Promise<Store> {
  const store = where.startsWith('postgres:')
    ? await openPostgresStore({ url: where, nodeName: name, version: 'bench', checks: {}, clock })
    : await openStore(where, { clock })
  await store.journal.attach([])
  return store
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.floor(sorted.length * part)] ?? 0

/** Writers in this process, each of which waits for its entry. */
async function write({ store: where, name, writers }: Task): Promise<Written> {
  const { journal, ...store } = await open(where, name)
  const times: number[] = []
  const end = performance.now() + SECONDS * 1000
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let n = writer; performance.now() < end; n += writers) {
        const from = performance.now()
        await journal.append(record(n))
        times.push(performance.now() - from)
      }
    }),
  )
  times.sort((one, other) => one - other)
  await store.close()
  return { entries: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

const program = process.argv[1] ?? ''

async function told(task: Task): Promise<Written> {
  const child: ChildProcess = fork(program, ['write', JSON.stringify(task), ...process.argv.slice(2)])
  const [written] = await once(child, 'message')
  await once(child, 'exit')
  return written as Written
}

const whole = (value: number): string => Math.round(value).toLocaleString('en')

async function appends(title: string, stores: readonly string[], writers: number): Promise<void> {
  const all = await Promise.all(stores.map((store, at) => told({ store, name: `n${at}`, writers })))
  const perSecond = all.reduce((sum, { entries }) => sum + entries, 0) / SECONDS
  const slowest = Math.max(...all.map(({ p99 }) => p99))
  const p50 = median(all.map((one) => one.p50))
  console.log(
    `${title.padEnd(34)} ${String(writers).padStart(5)} ${whole(perSecond).padStart(10)} ${p50.toFixed(1).padStart(9)} ${slowest.toFixed(1).padStart(9)}`,
  )
}

const middle = START + (RECORDS / 2) * STEP
const QUERIES: readonly (readonly [string, Omit<JournalQuery, 'order' | 'limit'>])[] = [
  ['last 50', {}],
  ['last 50 of an equipment', { key: 'equipment-7' }],
  ['last 50 of three equipments', { key: new Set(['equipment-7', 'equipment-3', 'none']) }],
  ['last 50 of a kind', { kinds: [{ type: 'message', name: 'message_sent' }] }],
  ['last 50 of a topic', { topics: new Set(['S6F11']) }],
  [
    '50 of an equipment in an hour',
    {
      key: 'equipment-7',
      from: new Date(middle).toISOString(),
      to: new Date(middle + 3_600_000).toISOString(),
    },
  ],
  ['no match: another equipment', { key: 'nobody' }],
]

async function queries(title: string, where: string): Promise<void> {
  const store = await open(where, 'reader')
  const filling = performance.now()
  for (let n = 0; n < RECORDS; n += 5000) {
    await Promise.all(
      Array.from({ length: 10 }, (_, part) =>
        store.journal.appendAll(Array.from({ length: 500 }, (_, at) => record(n + part * 500 + at))),
      ),
    )
  }
  const rate = RECORDS / ((performance.now() - filling) / 1000)
  console.log(`\n${title}: ${whole(RECORDS)} entries, 500 in a call, ${whole(rate)} per second`)
  for (const [what, query] of QUERIES) {
    const times: number[] = []
    for (let round = 0; round < 51; round++) {
      const from = performance.now()
      await store.journal.query({ ...query, order: 'desc', limit: 50 })
      times.push(performance.now() - from)
    }
    console.log(`  ${what.padEnd(34)} ${median(times).toFixed(2).padStart(8)} ms`)
  }
  await store.close()
}

const [role, task] = positionals
if (role === 'write') {
  process.send?.(await write(JSON.parse(task ?? '') as Task), () => process.exit())
} else {
  const root = benchFolder()
  const server = await PostgresServer.start()
  try {
    console.log(
      `${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`,
    )
    console.log(
      `\n${'entries, each waited for'.padEnd(34)} ${'each'.padStart(5)} ${'per second'.padStart(10)} ${'p50 ms'.padStart(9)} ${'p99 ms'.padStart(9)}`,
    )
    for (const writers of [1, 64, 500]) {
      await appends('files, one process', [join(root, `files-${writers}`)], writers)
      for (const count of [1, 2, 3]) {
        const url = await server.database()
        await appends(
          `PostgreSQL, ${count} ${count === 1 ? 'process' : 'processes'}`,
          Array.from({ length: count }, () => url),
          writers,
        )
      }
    }
    await queries('files', join(root, 'queries'))
    await queries('PostgreSQL', await server.database())
  } finally {
    await server.remove()
  }
}
