import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { folderContent } from '../../src/daemon/stored-records.js'
import { systemClock } from '../../src/kit/clock.js'
import { openStore } from '../../src/store/files/data-folder.js'
import { sealedLine } from '../../src/store/files/segments/journal-line.js'
import { decodeSegmentHead, encodeSegmentHead } from '../../src/store/files/segments/segment-head.js'
import { startDaemonHere } from '../support/daemon-here.js'

/**
 * Data folders of earlier versions: an etcher that ran a lot and raised an alarm, under what the version was the first to
 * store. A version that changes how something is stored adds its own, and none is ever removed.
 */
const FOLDERS = join(import.meta.dirname, 'data-folders')
const NAMES = readdirSync(FOLDERS).sort()
const NEWEST = NAMES.at(-1) ?? 'none'

const ADMIN = { email: 'ann@fab.example', password: 'correct-horse-battery' }

/** They get old, and are kept all the same. */
const retention = { maxAge: 100 * 365 * 24 * 60 * 60_000, maxBytes: 1024 ** 3 }

function folderOf(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-earlier-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('tar', ['-xzf', join(FOLDERS, name), '-C', folder])
  return join(folder, 'data')
}

/** Tokens by folder: an earlier version hashed the password at its full cost, which one login pays. */
const tokens = new Map<string, string>()

/** What a daemon over the folder serves to its administrator. */
async function served<T>(folder: string, ask: (client: GatewayClient) => Promise<T>): Promise<T> {
  const daemon = await startDaemonHere(folder, { retention })
  try {
    const stranger = new GatewayClient({ url: daemon.url })
    const token = tokens.get(folder) ?? (await stranger.call(endpoints.login, { body: ADMIN })).token
    tokens.set(folder, token)
    return await ask(new GatewayClient({ url: daemon.url, token }))
  } finally {
    await daemon.stop()
  }
}

test.each(NAMES)('the data folder %s opens, with everything that it has, and goes on', async (name) => {
  const folder = folderOf(name)
  const lists = () =>
    served(folder, async (client) => {
      const equipment = await client.call(endpoints.listEquipment, {})
      const alarms = await client.call(endpoints.listAlarms, {})
      const messages = await client.call(endpoints.listMessages, { query: { limit: 500 } })
      return { equipment: equipment.items, alarms: alarms.items, messages: messages.items }
    })
  const first = await lists()
  expect(first.equipment).toMatchObject([{ name: 'etcher', mode: 'passive' }])
  expect(first.alarms).toMatchObject([{ alid: '4001' }])
  const functions = first.messages.map(({ stream, function: number }) => `S${stream}F${number}`)
  expect(functions).toEqual(expect.arrayContaining(['S1F13', 'S2F41', 'S2F42', 'S5F1', 'S6F11', 'S6F12']))
  // What this version has written is read again by it.
  expect(await lists()).toMatchObject({ alarms: first.alarms, messages: first.messages })
})

test('keys, users, sinks and reports of an earlier version are there', async () => {
  const found = await served(folderOf('4-keys-sinks-reports.tar.gz'), async (client) => {
    const [equipment] = (await client.call(endpoints.listEquipment, {})).items
    const params = { id: equipment?.id ?? 'none' }
    return {
      equipment,
      keys: (await client.call(endpoints.listKeys, {})).items,
      users: (await client.call(endpoints.listUsers, {})).items,
      sinks: (await client.call(endpoints.listSinks, {})).items,
      alarms: (await client.call(endpoints.listAlarms, {})).items,
      reports: await client.call(endpoints.getReports, { params }),
    }
  })
  expect(found).toMatchObject({
    equipment: { labels: { area: 'etch' } },
    keys: [{ name: 'collector', role: 'viewer', label_selector: 'area=etch' }],
    users: [{ email: ADMIN.email }, { email: 'bob@fab.example', role: 'operator' }],
    sinks: [{ name: 'mes', webhook: { url: 'https://mes.fab.example/events' } }],
    alarms: [{ acknowledged: true, comment: 'seen' }],
    reports: { applied_by: ADMIN.email },
  })
})

test('equipment at a serial port, which had the address 0.0.0.0 and port 0, has none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-earlier-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [etcher] = await served(
    folderOf(NEWEST),
    async (client) => (await client.call(endpoints.listEquipment, {})).items,
  )
  const { id = '', timers, created_at = '', updated_at = '' } = etcher ?? {}
  const line = {
    transport: 'secs1-serial',
    serial_port: '/dev/ttyS7',
    baud_rate: 9600,
    rty: 3,
    master: 'equipment',
  }
  const store = await openStore(folder, { clock: systemClock })
  await (await store.collection('equipment')).put({
    ...{ id, name: 'line', ip_address: '0.0.0.0', port: 0, mode: 'passive', device_id: 0, session_id: 65535 },
    ...{ ...line, timers, item_formats: {}, text_encoding: 'latin1', enabled: false, revision: 1 },
    ...{ created_at, updated_at },
  } as { readonly id: string })
  await store.close()
  await (await startDaemonHere(folder, { retention, admin: ADMIN })).stop()
  const found = await served(folder, async (client) => (await client.call(endpoints.listEquipment, {})).items)
  expect(found).toMatchObject([{ ...line, id, ip_address: null, port: null }])
})

test('an earlier version refuses sinks whose messages it would not narrow', async () => {
  const folder = folderOf('4-keys-sinks-reports.tar.gz')
  await served(folder, async (client) => {
    const [sink] = (await client.call(endpoints.listSinks, {})).items
    const body = { messages: ['S6F11'] }
    await client.call(endpoints.updateSink, { params: { id: sink?.id ?? '' }, body })
  })
  const { version } = JSON.parse(readFileSync(join(folder, 'sinks.json'), 'utf8')) as { version: number }
  // 2 did not know `messages`, and would deliver all.
  expect(version).toBeGreaterThan(2)
})

/** The files below a folder, but the lock, which says who had it open. */
const filesOf = (folder: string): [name: string, text: string][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'lock')
    .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')])

test.each<[what: string, file: string, change: (bytes: Buffer) => Buffer | string]>([
  ['document', 'users.json', (bytes) => bytes.toString().replace(/"version": \d+/, '"version": 99')],
  ['checkpoint', 'checkpoint.json', () => sealedLine('{"checkpoint":99,"documents":{}')],
  [
    'journal',
    'journal/0000000000000001.ndjson',
    (bytes) =>
      Buffer.concat([encodeSegmentHead(99, 1), bytes.subarray(decodeSegmentHead(bytes)?.length ?? 0)]),
  ],
])(
  'a folder with a %s of a newer version is refused by one sentence, and not changed',
  async (_, file, change) => {
    const folder = folderOf(NEWEST)
    const path = join(folder, file)
    writeFileSync(path, change(readFileSync(path)))
    const before = filesOf(folder)
    for (const more of [{}, { acceptLoss: true, acceptEdits: true }])
      await expect(startDaemonHere(folder, more)).rejects.toMatchObject({
        name: 'StoreDamaged',
        kind: 'newer',
        message: expect.stringMatching(/: version 99 is of a newer secsctl than this \(\d\)$/),
      })
    expect(filesOf(folder)).toEqual(before)
  },
)

/**
 * How the version before restrictions and SECS-I read a folder, kept as it was: the newest version of each document that
 * it knew, and where a document has its version. What it did not know as a collection it did not read.
 */
const EARLIER_READER: Readonly<Record<string, number>> = {
  users: 1,
  equipment: 1,
  keys: 1,
  sinks: 1,
  revocations: 1,
}
const refusedByEarlier = (folder: string): string[] =>
  Object.entries(EARLIER_READER).flatMap(([name, newest]) => {
    const path = join(folder, `${name}.json`)
    const [, version = '0'] = existsSync(path)
      ? (/"version": ?(\d+)/.exec(readFileSync(path, 'utf8')) ?? [])
      : []
    return Number(version) > newest ? [name] : []
  })

test.each([...NAMES, 'none'])(
  'a folder that this version had open (%s) is refused by one that knows no restrictions',
  async (name) => {
    const folder = name === 'none' ? mkdtempSync(join(tmpdir(), 'secsctl-earlier-')) : folderOf(name)
    if (name === 'none') {
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      await (await startDaemonHere(folder, { retention, admin: ADMIN })).stop()
    }
    await served(folder, async (client) => {
      const restricted = { role: 'operator', label_selector: 'area=etch' } as const
      await client.call(endpoints.createUser, {
        body: { ...restricted, email: 'eve@fab.example', name: 'Eve', password: ADMIN.password },
      })
      const coater = { name: 'coater', ip_address: '127.0.0.1', port: 5001, transport: 'secs1-tcp' } as const
      await client.call(endpoints.createEquipment, { body: coater })
      await client.call(endpoints.createKey, {
        body: { ...restricted, name: 'restricted', expires_at: null },
      })
    })
    expect(refusedByEarlier(folder)).toEqual(expect.arrayContaining(['users', 'equipment', 'keys']))
    // The same by the code of now, if it knew the versions of then: one sentence, whatever a person accepts, and exit 9.
    const content = { ...folderContent(), migrations: {} }
    for (const accepted of [{}, { acceptLoss: true, acceptEdits: true }])
      await expect(openStore(folder, { clock: systemClock, content, ...accepted })).rejects.toMatchObject({
        kind: 'newer',
        message: expect.stringMatching(/: version [23] is of a newer secsctl than this \(1\)$/),
      })
    await served(folder, async () => {})
  },
)
