import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from '../../src/kit/clock.js'
import type { NewEntry } from '../../src/store/entry.js'
import { NUMBERS_LEFT_OUT } from '../../src/store/gap.js'
import type { Journal } from '../../src/store/journal.js'
import { Database } from '../../src/store/postgres/database.js'
import { openPostgresStore } from '../../src/store/postgres/open-postgres.js'
import { until } from '../support/until.js'
import { appendsBlockedBy } from './blocked-appends.js'
import { PostgresServer, postgresPrograms } from './postgres-server.js'

const run = promisify(execFile)
const program = (name: string): string => join(postgresPrograms(), name)
const MANY = 20_000
const DAY = 24 * 60 * 60_000

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(() => server.remove())

async function open(url: string, nodeName: string) {
  const store = await openPostgresStore({ url, nodeName, version: '1', leaseMs: 1500, checks: {}, clock })
  onTestFinished(() => store.close())
  await store.journal.attach([])
  return store
}

const entry = (n: number): NewEntry => ({
  ...{ key: 'eq_1', type: 'message', name: 'received', data: { n } },
  at: clock.date().toISOString(),
})

/** The numbers of all entries. */
async function all(journal: Journal): Promise<number[]> {
  const seqs: number[] = []
  while ((seqs.at(-1) ?? 0) < journal.last)
    for (const { seq } of await journal.query({ after: seqs.at(-1) ?? 0, order: 'asc', limit: 5000 }))
      seqs.push(seq)
  return seqs
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, n) => n + 1)

/** Waits until pg_dump hangs, with its locks, on a reader that takes nothing. */
const hangs = (url: string): Promise<unknown> =>
  until(async () => {
    const copying = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pg_dump' AND wait_event = 'ClientWrite'`
    return (await server.sql(url, copying)) === '1'
  })

async function exitOf(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null) return child.exitCode
  return (await once(child, 'exit'))[0]
}

test('pg_dump keeps nobody waiting over the change of the day, and what it wrote is a whole database', async () => {
  const url = await server.database()
  const { journal, collection } = await open(url, 'a')
  const setTime = (iso: string) =>
    server.sql(
      url,
      `CREATE OR REPLACE FUNCTION secsctl_now() RETURNS timestamptz LANGUAGE sql AS 'SELECT ''${iso}''::timestamptz'`,
    )
  const day = (n: number): string => new Date(clock.date().getTime() + n * DAY).toISOString().slice(0, 10)
  const [before, today, next] = [day(-1), day(0), day(1)]
  await setTime(`${today}T23:59:00Z`)
  await server.sql(
    url,
    `SELECT add_portion('journal', '${before}', 1);
     INSERT INTO entry SELECT 'journal', '${before}', n, 'e', 'alarm', 'set', '', 0, json_build_object('x', repeat('x', 1000))
       FROM generate_series(1, ${MANY}) AS n;
     UPDATE head SET last = ${MANY}, day = '${before}' WHERE journal = 'journal'`,
  )
  const tools = await collection<{ readonly id: string; readonly name: string }>('tools')
  await tools.put({ id: 't1', name: 'etcher' })
  await until(() => journal.last === MANY)
  await journal.append(entry(1))

  const dump = spawn(program('pg_dump'), ['--format=custom', '--compress=0', url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void dump.kill('SIGKILL'))
  await hangs(url)
  const admin = new Database({ url, name: 'admin' })
  onTestFinished(() => admin.close())
  const blocked = appendsBlockedBy('pg_dump', admin)
  for (let n = 2; n < 40; n++) {
    if (n === 20) await setTime(`${next}T00:00:01Z`)
    await journal.append(entry(n))
  }
  expect(await blocked()).toEqual([])
  await tools.put({ id: 't2', name: 'prober' })
  const file = join(server.folder, 'dump')
  await pipeline(dump.stdout, createWriteStream(file))
  expect(await exitOf(dump)).toBe(0)
  expect(await all(journal)).toEqual(upTo(MANY + 39))
  expect(await server.sql(url, 'SELECT max(day) FROM entry')).toBe(next)

  const restored = await server.database()
  await run(program('pg_restore'), ['--exit-on-error', '--dbname', restored, file])
  const again = await open(restored, 'b')
  expect(await all(again.journal)).toEqual(upTo(MANY + 1))
  expect((await again.journal.get(MANY + 1))?.data).toEqual({ n: 1 })
  expect(await (await again.collection('tools')).all()).toEqual([{ id: 't1', name: 'etcher' }])
  // Its history goes on where no number of the original can be.
  expect((await again.journal.append(entry(2))).seq).toBe(MANY + 2 + NUMBERS_LEFT_OUT)
})
