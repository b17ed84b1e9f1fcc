// A gateway over a long history: `npm run bench:queries [records]`. Works under the folder of temporary files.
import { execFileSync } from 'node:child_process'
import type { Gateway } from '../src/gateway/open-gateway.js'
import { type EquipmentRecord, newEquipmentRecord } from '../src/gateway/records/equipment-record.js'
import { systemClock } from '../src/kit/clock.js'
import type { NewEntry } from '../src/store/entry.js'
import { backUp } from '../src/store/files/backup/backup.js'
import { journalFolder, openStore } from '../src/store/files/data-folder.js'
import { disk } from '../src/store/files/disk/file-system.js'
import { exportEntries } from '../src/store/files/export.js'
import { verifyJournal } from '../src/store/files/repair/verify.js'
import type { Store } from '../src/store/store.js'
import { openTestGateway } from '../test/support/test-gateway.js'
import { EQUIPMENT, equipmentOf, history, START, STEP, timeOf } from './history.js'
import { benchFolder } from './open-bench.js'
import { median } from './rate.js'

const [given = '1000000', part = 'all', folderGiven] = process.argv.slice(2)
const RECORDS = Number(given)
const folder = folderGiven ?? benchFolder()

/** A clock that stands where the records end. */
const clock = { ...systemClock, date: () => new Date(START + (RECORDS + 2000) * STEP) }

const milliseconds = (from: bigint): number => Number(process.hrtime.bigint() - from) / 1e6
const print = (what: string, value: string, aim = ''): void =>
  console.log(`${what.padEnd(52)} ${value.padStart(12)}  ${aim}`.trimEnd())

async function open(path = folder): Promise<{ store: Store; gateway: Gateway }> {
  const store = await openStore(path, { clock })
  return { store, gateway: await openTestGateway({ store, clock }) }
}

async function close({ store, gateway }: { store: Store; gateway: Gateway }): Promise<void> {
  await gateway.close()
  await store.close()
}

async function fill(): Promise<void> {
  const before = await openStore(folder, { clock })
  const equipment = await before.collection<EquipmentRecord>('equipment')
  for (let n = 0; n < EQUIPMENT; n++) {
    const address = { name: `tool ${n}`, ip_address: '127.0.0.1', port: 5000 + n }
    await equipment.put(newEquipmentRecord(equipmentOf(n), address, timeOf(0)))
  }
  await before.close()
  const opened = await open()
  const { journal } = opened.store
  const steps = history()
  while (journal.last < RECORDS) {
    const first = journal.last + 1
    const entries: NewEntry[] = []
    while (entries.length < 1000) entries.push(...(steps.next().value?.(first + entries.length) ?? []))
    await journal.appendAll(entries)
  }
  await close(opened)
}

const equipment_id = equipmentOf(7)
const middle = Math.floor(RECORDS / 2)
const HOUR = { from: timeOf(middle), to: timeOf(middle + 3_600_000 / STEP) }
const NOTHING = { from: timeOf(-100), to: timeOf(-50) }

type Query = readonly [what: string, ask: (gateway: Gateway) => Promise<{ items: readonly unknown[] }>]
const limit = 50
const QUERIES: readonly Query[] = [
  ['messages, last 50', ({ messages }) => messages.list({ limit })],
  ['messages of an equipment', ({ messages }) => messages.list({ limit, equipment_id })],
  ['messages S2F41', ({ messages }) => messages.list({ limit, stream: 2, function: 41 })],
  [
    'messages S2F41 of an equipment',
    ({ messages }) => messages.list({ limit, stream: 2, function: 41, equipment_id }),
  ],
  ['messages of stream 5', ({ messages }) => messages.list({ limit, stream: 5 })],
  ['messages of a one-hour window in the middle', ({ messages }) => messages.list({ limit, ...HOUR })],
  [
    'messages of an equipment in that hour',
    ({ messages }) => messages.list({ limit, equipment_id, ...HOUR }),
  ],
  ['events, last 50', ({ events }) => events.list({ limit })],
  ['events of a type', ({ events }) => events.list({ limit, type: ['state'] })],
  [
    'events of an equipment and a type',
    ({ events }) => events.list({ limit, equipment_id, type: ['alarm'] }),
  ],
  ['events of a one-hour window in the middle', ({ events }) => events.list({ limit, ...HOUR })],
  ['alarms, last 50', ({ alarms }) => alarms.list({ limit })],
  ['alarms that are active', ({ alarms }) => alarms.list({ limit, active: true })],
  [
    'alarms of an equipment, acknowledged',
    ({ alarms }) => alarms.list({ limit, equipment_id, acknowledged: true }),
  ],
  ['alarms of that hour', ({ alarms }) => alarms.list({ limit, ...HOUR })],
  ['no match: messages S9F1', ({ messages }) => messages.list({ limit, stream: 9, function: 1 })],
  ['no match: messages of another time', ({ messages }) => messages.list({ limit, ...NOTHING })],
  ['no match: events of nobody', ({ events }) => events.list({ limit, equipment_id: 'nobody' })],
  ['no match: alarms of nobody', ({ alarms }) => alarms.list({ limit, equipment_id: 'nobody' })],
]

/** Opens a folder, and prints the time that it took, by the clock and of the processor. */
async function started<T>(what: string, opening: () => Promise<T>): Promise<T> {
  const [from, before] = [process.hrtime.bigint(), process.cpuUsage()]
  const opened = await opening()
  const { user, system } = process.cpuUsage(before)
  const processor = `${((user + system) / 1000).toFixed(0)} ms of the processor`
  print(what, `${milliseconds(from).toFixed(0)} ms`, `under 2000 (${processor})`)
  return opened
}

async function ask(): Promise<void> {
  const opened = await started('start', () => open())
  print('resident memory then', `${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`, 'under 150')
  for (const [what, query] of QUERIES) {
    const times: number[] = []
    for (let round = 0; round < 51; round++) {
      const began = process.hrtime.bigint()
      const { items } = await query(opened.gateway)
      times.push(milliseconds(began))
      if ((items.length === 0) !== what.startsWith('no match'))
        throw new Error(`${what}: ${items.length} found`)
    }
    const aim = what.startsWith('no match') ? 15 : 3
    print(what, `${median(times).toFixed(2)} ms`, `under ${aim} (slowest ${Math.max(...times).toFixed(1)})`)
  }
  print('resident memory at the end', `${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`, 'under 150')
  await close(opened)
}

async function read(): Promise<void> {
  const verifying = process.hrtime.bigint()
  let entries = 0
  for await (const verified of verifyJournal(disk, journalFolder(folder))) {
    if (verified.faults.length > 0) throw new Error(verified.faults[0]?.detail)
    entries += verified.entries
  }
  print(`verify ${entries} records`, `${(milliseconds(verifying) / 1000).toFixed(1)} s`)
  const exporting = process.hrtime.bigint()
  let exported = 0
  for await (const entry of exportEntries(disk, journalFolder(folder), {})) exported += entry.seq > 0 ? 1 : 0
  print(`export ${exported} records`, `${(milliseconds(exporting) / 1000).toFixed(1)} s`)
}

/** The first start of a backup, which compares every byte with the manifest. */
async function restore(): Promise<void> {
  const copy = benchFolder()
  const backingUp = process.hrtime.bigint()
  await backUp(disk, folder, copy)
  print('backup', `${(milliseconds(backingUp) / 1000).toFixed(1)} s`)
  await close(await started('first start of the backup', () => open(copy)))
}

const itself = (what: string): void => {
  execFileSync(process.execPath, [process.argv[1] ?? '', given, what, folder], { stdio: 'inherit' })
}

const PARTS: Readonly<Record<string, () => Promise<void>>> = { fill, ask, restore, read }
// Each in a process of its own, so that what one leaves in memory is not another's.
if (part === 'all') for (const what of Object.keys(PARTS)) itself(what)
else await PARTS[part]?.()
