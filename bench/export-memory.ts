// Memory of a daemon whose records are exported again and again: `npm run bench:export-memory [rounds]`. The gateway is
// a process of its own with the settings of a daemon, and callers read all of its 50,000 records, page by page.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg } from 'node:os'
import { gunzipSync } from 'node:zlib'
import { buildApp } from '../src/api/app.js'
import { DAEMON_OPTIONS, DAEMON_VARIABLES } from '../src/cli/installation.js'
import { watchMemory } from '../src/daemon/memory-watch.js'
import { newEquipmentRecord } from '../src/gateway/records/equipment-record.js'
import { systemClock } from '../src/kit/clock.js'
import type { NewEntry } from '../src/store/entry.js'
import type { Store } from '../src/store/store.js'
import { EQUIPMENT, equipmentOf, history, timeOf } from './history.js'
import { openBench } from './open-bench.js'

const RECORDS = 50_000
const QUIET_MS = 15_000

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0).padStart(10)

async function fill(store: Store): Promise<void> {
  const equipment = await store.collection<ReturnType<typeof newEquipmentRecord>>('equipment')
  for (let n = 0; n < EQUIPMENT; n++) {
    const address = { name: `tool ${n}`, ip_address: '127.0.0.1', port: 5000 + n }
    await equipment.put({ ...newEquipmentRecord(equipmentOf(n), address, timeOf(0)), enabled: false })
  }
  const steps = history()
  while (store.journal.last < RECORDS) {
    const first = store.journal.last + 1
    const entries: NewEntry[] = []
    while (entries.length < 500) entries.push(...(steps.next().value?.(first + entries.length) ?? []))
    await store.journal.appendAll(entries)
  }
}

async function beGateway(): Promise<void> {
  const { gateway, token } = await openBench(fill)
  watchMemory(systemClock)
  const app = await buildApp(gateway, { clock: systemClock, version: '0' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  process.on('message', () => {
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage()
    process.send?.([rss, heapUsed, external, arrayBuffers])
  })
  process.send?.({ port: (app.server.address() as AddressInfo).port, token })
}

interface Page {
  readonly next_cursor: string | null
}

function page(agent: Agent, port: number, token: string, path: string): Promise<Page> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
    get({ agent, port, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
        if (response.statusCode !== 200) return reject(new Error(text.toString()))
        resolve(JSON.parse(text.toString()))
      })
    }).on('error', reject)
  })
}

async function exportAll(port: number, token: string, list: string): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  let cursor: string | null = ''
  while (cursor !== null) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    cursor = (await page(agent, port, token, `/api/v1/${list}limit=1000${from}`)).next_cursor
  }
  agent.destroy()
}

async function bench(rounds: number): Promise<void> {
  const gateway = fork(process.argv[1] ?? '', ['gateway'], {
    execArgv: [...DAEMON_OPTIONS],
    env: { ...process.env, ...DAEMON_VARIABLES },
  })
  process.on('exit', () => gateway.kill())
  const [{ port, token }] = (await once(gateway, 'message')) as [{ port: number; token: string }]
  const report = async (what: string): Promise<void> => {
    gateway.send('report')
    const [used] = (await once(gateway, 'message')) as [number[]]
    console.log(what.padEnd(14) + used.map(mebibytes).join(''))
  }
  console.log(`node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}; MiB`)
  const titles = ['resident', 'heap', 'external', 'buffers']
  console.log(' '.repeat(14) + titles.map((title) => title.padStart(10)).join(''))
  await report('at the start')
  for (let round = 1; round <= rounds; round++) {
    const lists = ['events?', 'messages?', 'events?order=asc&', 'messages?order=asc&']
    await Promise.all(lists.map((list) => exportAll(port, token, list)))
    await report(`round ${round}`)
  }
  for (const _ of [1, 2]) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
    await report('15 s later')
  }
  process.exit()
}

if (process.argv[2] === 'gateway') await beGateway()
else await bench(Number(process.argv[2] ?? 10))
