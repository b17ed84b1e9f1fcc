// What a gateway must know after kill -9 while retention is at work: `npm run stress:gateway [kills]`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Alarm } from '../src/contract/topics/alarms.js'
import { JournaledAlarms } from '../src/gateway/alarms/alarm-board.js'
import type { KeyedRequest } from '../src/gateway/idempotency/idempotency.js'
import type { Gateway } from '../src/gateway/open-gateway.js'
import { type EquipmentRecord, newEquipmentRecord } from '../src/gateway/records/equipment-record.js'
import { systemClock as clock } from '../src/kit/clock.js'
import { type Entry, EntryNumber } from '../src/store/entry.js'
import { openStore } from '../src/store/files/data-folder.js'
import type { Store } from '../src/store/store.js'
import { messageEntry } from '../test/gateway/wire/wire-records.js'
import { openTestGateway } from '../test/support/test-gateway.js'
import { Expected } from './expected.js'

const [killsGiven = '200', folderGiven] = process.argv.slice(2)
const EQUIPMENT = ['eq_1', 'eq_2', 'eq_3']
/** So small that segments, retention and snapshots turn over all the time. */
const SMALL = { segmentBytes: 20_000, retention: { maxAge: 1e12, maxBytes: 100_000 } }
const ADA = {
  id: 'usr_1',
  email: 'ada@fab.example',
  name: 'Ada',
  role: 'admin',
} as const

interface Opened {
  readonly store: Store
  readonly gateway: Gateway
}

async function open(folder: string): Promise<Opened> {
  const store = await openStore(folder, { clock, ...SMALL })
  const equipment = await store.collection<EquipmentRecord>('equipment', { owned: true })
  const known = new Set((await equipment.all()).map(({ id }) => id))
  for (const id of EQUIPMENT) {
    const address = { name: id, ip_address: '127.0.0.1', port: 5000 }
    if (!known.has(id)) await equipment.put(newEquipmentRecord(id, address, clock.date().toISOString()))
  }
  return { store, gateway: await openTestGateway({ store }) }
}

async function close({ gateway, store }: Opened): Promise<void> {
  await gateway.close()
  await store.close()
}

const below = (end: number): number => Math.floor(Math.random() * end)
const now = (): string => clock.date().toISOString()

/** Does what equipment and callers do, from several sides at once, until it is killed; tells what is on disk. */
async function work(folder: string): Promise<never> {
  const { store, gateway } = await open(folder)
  const { journal } = store
  const { alarms, idempotency } = gateway
  if (!(alarms instanceof JournaledAlarms)) throw new Error('the alarms are not those of the journal')
  journal.appended.on((entry) => void process.stdout.write(`${JSON.stringify(entry)}\n`))
  const key = (): string => EQUIPMENT[below(EQUIPMENT.length)] as string
  const message = (stream: number, fn: number, wait: boolean) =>
    ({ sessionId: 0, stream, function: fn, wait, systemBytes: 1, body: new Uint8Array(below(200)) }) as const
  const send = async (request: KeyedRequest): Promise<Entry> => {
    const to = key()
    const number = new EntryNumber()
    const [sent] = await journal.appendAll([
      { ...messageEntry('sent', to, message(2, 41, true), null, now()), number },
      ...request.noting(number),
    ])
    if (Math.random() < 0.1) return new Promise(() => {})
    const data = {
      message_id: String(sent?.seq),
      outcome: 'replied',
      reply_id: null,
      latency_ms: 1,
      s9: null,
    }
    return journal.append({ type: 'message', name: 'message_ended', key: to, at: now(), data })
  }
  const steps: readonly (() => Promise<unknown>)[] = [
    () => journal.append(messageEntry('received', key(), message(6, 11, false), null, now())),
    () => {
      const report = { alcd: Math.random() < 0.5 ? 0x84 : 4, alid: String(below(30)), text: 'Hot' }
      return journal.append(alarms.entryFor(key(), report, new EntryNumber(0), now()))
    },
    async () => {
      const { items } = await alarms.list({ acknowledged: false, limit: 5, order: 'asc' })
      for (const { id } of items) await alarms.acknowledge(id, ADA, { comment: id })
    },
    async () => {
      const name = `${process.pid}-${Math.random()}`
      await idempotency.run('ann', name, name, async (request) => ({
        status: 200,
        body: { ended: (await send(request)).seq },
      }))
    },
  ]
  const writer = async (): Promise<never> => {
    for (;;) {
      const turn = (steps[below(steps.length)] as () => Promise<unknown>)()
      await Promise.race([
        turn,
        new Promise((resolve) => clock.at(clock.now() + 20, () => resolve(undefined))),
      ])
    }
  }
  await Promise.all(Array.from({ length: 8 }, writer))
  throw new Error('it never ends')
}

/** Every alarm, page by page. */
async function allAlarms({ alarms }: Gateway): Promise<Alarm[]> {
  const all: Alarm[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await alarms.list({ order: 'asc', limit: 7, ...(cursor !== undefined && { cursor }) })
    all.push(...page.items)
    cursor = page.next_cursor
  }
  return all
}

/** What is wrong with what the gateway knows. */
async function faults(folder: string, expected: Expected): Promise<string[]> {
  const opened = await open(folder)
  const { gateway, store } = opened
  const { journal } = store
  const wrong: string[] = []
  for (let after = Math.max(expected.last, journal.first - 1); ; ) {
    const entries = await journal.query({ order: 'asc', limit: 500, after })
    for (const entry of entries) expected.take(entry)
    if (entries.length === 0) break
    after = entries.at(-1)?.seq ?? after
  }
  if (journal.last !== expected.last) wrong.push(`ends with ${journal.last}, not with ${expected.last}`)
  wrong.push(...expected.alarmFaults(await allAlarms(gateway), journal.first))
  for (const seq of expected.ended.slice(-200)) {
    const message = seq < journal.first ? undefined : await gateway.messages.get(String(seq))
    if (message?.outcome === 'pending') wrong.push(`message ${seq} is pending`)
  }
  const work = async () => ({ status: 500, body: null })
  for (const [name, key] of [...expected.keys].slice(-300).filter(() => Math.random() < 0.2)) {
    const said = await gateway.idempotency.run('ann', name, name, work).catch((error: unknown) => error)
    const { body, code, extra } = said as { body?: object; code?: string; extra?: { message_id?: string } }
    const isRight = key.body
      ? JSON.stringify(body) === JSON.stringify(key.body)
      : code === 'outcome_unknown' && extra?.message_id === key.messageId
    if (!isRight) wrong.push(`key ${name}: ${JSON.stringify(said)}, not ${JSON.stringify(key)}`)
  }
  await close(opened)
  return wrong
}

async function kills(times: number): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'secsctl-stress-'))
  process.on('exit', () => rmSync(root, { recursive: true, force: true }))
  const expected = new Expected()
  let wrong = 0
  for (let kill = 0; kill < times; kill++) {
    const child = spawn(process.execPath, [process.argv[1] ?? '', killsGiven, root], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let armed = false
    for await (const line of createInterface({ input: child.stdout })) {
      if (!armed) clock.at(clock.now() + Math.random() * 300, () => child.kill('SIGKILL'))
      armed = true
      // The last line may be cut short: what it would say is read from the journal.
      if (line.endsWith('}')) expected.take(JSON.parse(line) as Entry)
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    for (const fault of await faults(root, expected)) {
      wrong++
      console.log(`kill ${kill}: ${fault}`)
    }
  }
  console.log(
    `${times} kill -9 under load: ${expected.last} entries, ${expected.alarms.size} alarms, ${expected.keys.size} keys, ${wrong} wrong`,
  )
  if (wrong > 0) process.exitCode = 1
}

await (folderGiven === undefined ? kills(Number(killsGiven)) : work(folderGiven))
