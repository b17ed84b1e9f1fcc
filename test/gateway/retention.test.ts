import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Gateway } from '../../src/gateway/open-gateway.js'
import { newEquipmentRecord } from '../../src/gateway/records/equipment-record.js'
import { type Entry, EntryNumber } from '../../src/store/entry.js'
import { openStore } from '../../src/store/files/data-folder.js'
import { disk, type FileSystem } from '../../src/store/files/disk/file-system.js'
import type { Store } from '../../src/store/store.js'
import { ADA } from '../support/live-gateway.js'
import { ManualClock } from '../support/manual-clock.js'
import { LOOPBACK } from '../support/tcp.js'
import { openTestGateway } from '../support/test-gateway.js'
import { until } from '../support/until.js'
import { WebhookServer } from './sinks/webhook-server.js'
import { messageEntry } from './wire/wire-records.js'

/** Nothing here depends on a sync being real. */
const unsynced: FileSystem = {
  ...disk,
  async open(path, mode) {
    const file = await disk.open(path, mode)
    return {
      size: () => file.size(),
      read: (position, length) => file.read(position, length),
      write: (bytes, position) => file.write(bytes, position),
      truncate: (length) => file.truncate(length),
      sync: async () => {},
      close: () => file.close(),
    }
  },
}

/** A gateway whose journal keeps some dozens of entries. */
class Small {
  readonly clock = new ManualClock()
  readonly folder = mkdtempSync(join(tmpdir(), 'secsctl-retention-'))
  #opened: { readonly store: Store; readonly gateway: Gateway } | undefined
  #systemBytes = 0

  static async open(): Promise<Small> {
    const small = new Small()
    onTestFinished(async () => {
      await small.close()
      rmSync(small.folder, { recursive: true, force: true })
    })
    const store = await openStore(small.folder, small)
    const equipment = await store.collection('equipment')
    for (const id of ['eq_1', 'eq_2']) {
      const given = { name: id, ip_address: LOOPBACK, port: 5000 }
      await equipment.put(newEquipmentRecord(id, given, small.#at))
    }
    await store.close()
    await small.reopen()
    return small
  }

  async close(): Promise<void> {
    await this.#opened?.gateway.close()
    await this.#opened?.store.close()
    this.#opened = undefined
  }

  /** `views`: false takes their snapshots away. */
  async reopen({ views = true } = {}): Promise<void> {
    await this.close()
    if (!views) rmSync(join(this.folder, 'journal', 'views'), { recursive: true })
    const { clock } = this
    const retention = { maxAge: 1e12, maxBytes: 12_000, held: { maxAge: 0, maxBytes: 100_000 } }
    const store = await openStore(this.folder, { clock, retention, segmentBytes: 2000, fs: unsynced })
    const gateway = await openTestGateway({ store, clock })
    this.#opened = { store, gateway }
  }

  get gateway(): Gateway {
    if (!this.#opened) throw new Error('the gateway is not open')
    return this.#opened.gateway
  }

  get journal(): Store['journal'] {
    if (!this.#opened) throw new Error('the store is not open')
    return this.#opened.store.journal
  }

  message(
    direction: 'sent' | 'received',
    stream: number,
    fn: number,
    { wait = true, key = 'eq_1' } = {},
  ): Promise<Entry> {
    this.#systemBytes += 1
    const message = { sessionId: 0, stream, function: fn, wait, body: new Uint8Array() }
    return this.journal.append(
      messageEntry(direction, key, { ...message, systemBytes: this.#systemBytes }, null, this.#at),
    )
  }

  alarm(name: string, data: Entry['data'], key = 'eq_1'): Promise<readonly Entry[]> {
    const said = { text: 'Hot', category: 4, category_text: '', message_id: '1' }
    const alarm_id = data['alarm_id'] ?? String(this.journal.last + 1)
    return this.journal.appendAll([
      { type: 'alarm', name, key, at: this.#at, data: { ...said, ...data, alarm_id } },
    ])
  }

  /** Appends what nobody owes until retention has taken all up to `seq`. */
  async pass(seq = this.journal.last): Promise<void> {
    for (let n = 0; this.journal.first <= seq; n++) {
      await this.message('received', 6, 11, { wait: false, key: 'eq_2' })
      if (n > 2000) throw new Error(`retention left off at ${this.journal.first}`)
    }
  }

  get #at(): string {
    return this.clock.date().toISOString()
  }
}

describe('what retention must not take', () => {
  test('is there after it, over a restart, and over one without snapshots', async () => {
    const small = await Small.open()
    await small.alarm('alarm_set', { alid: '7', count: 1 })
    const [{ seq: first = 0 } = {}] = await small.journal.query({ order: 'asc', limit: 1 })
    for (const count of [2, 3]) await small.alarm('alarm_set', { alarm_id: String(first), alid: '7', count })
    const [door] = await small.alarm('alarm_set', { alid: 'door' })
    await small.alarm('alarm_cleared', { alarm_id: String(door?.seq), alid: 'door' })
    const [seen] = await small.alarm('alarm_set', { alid: 'seen' })
    await small.gateway.alarms.acknowledge(String(seen?.seq), ADA, { comment: 'why' })
    const [over] = await small.alarm('alarm_set', { alid: 'over' })
    await small.alarm('alarm_cleared', { alarm_id: String(over?.seq), alid: 'over' })
    await small.gateway.alarms.acknowledge(String(over?.seq), ADA, {})
    const work = async () => ({ status: 200, body: { done: true } })
    await small.gateway.idempotency.run('ann', 'k', 'f', work)
    const cut = small.gateway.idempotency.run('ann', 'cut', 'f', async (request) => {
      await small.journal.appendAll(request.noting(new EntryNumber(42)))
      return new Promise(() => {})
    })
    cut.catch(() => {})
    const before = (await small.gateway.alarms.list({})).items.filter(({ alid }) => alid !== 'over')
    expect(before).toHaveLength(3)
    await small.pass()

    for (const views of [true, true, false, false]) {
      await small.reopen({ views })
      const { alarms, idempotency } = small.gateway
      expect((await alarms.list({})).items).toEqual(before)
      expect((await alarms.list({ active: true })).items.map(({ alid, count }) => [alid, count])).toEqual([
        ['seen', 1],
        ['7', 3],
      ])
      expect(await idempotency.run('ann', 'k', 'f', work)).toMatchObject({
        replayed: true,
        body: { done: true },
      })
      await expect(idempotency.run('ann', 'cut', 'f', work)).rejects.toMatchObject({
        code: 'outcome_unknown',
        extra: { message_id: '42' },
      })
      await small.pass()
    }
    await small.gateway.alarms.acknowledge(String(door?.seq), ADA, {})
    await small.pass()
    await small.reopen()
    expect((await small.gateway.alarms.list({})).items.map(({ alid }) => alid)).toEqual(['seen', '7'])
    small.clock.advance(25 * 3_600_000)
    expect(await small.gateway.idempotency.run('ann', 'k', 'f', work)).toMatchObject({ replayed: false })
  })

  test('is what a sink has not delivered, also one that is paused, until it has or the limit is passed', async () => {
    const small = await Small.open()
    const { sinks } = small.gateway
    const webhook = { url: 'http://127.0.0.1:9/none' }
    const { id } = await sinks.create({ name: 'mes', webhook, start: 'oldest' })
    await sinks.pause(id)
    const oldest = small.journal.first
    const passing = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++) await small.message('received', 6, 11, { wait: false, key: 'eq_2' })
    }
    await passing(100)
    await small.reopen()
    await passing(50)
    expect(small.journal.first).toBe(oldest)
    await small.gateway.sinks.update(id, { start: 'now' })
    await small.pass(oldest + 50)
    const { position } = await small.gateway.sinks.get(id)
    expect(small.journal.first).toBeLessThanOrEqual(Number(position) + 1)
    await small.pass(Number(position))
  })

  test('is not what a sink has left undelivered for too long: it gets gaps with both ends, and the rest', async () => {
    const small = await Small.open()
    const server = await WebhookServer.listen()
    const { sinks } = small.gateway
    const { id } = await sinks.create({
      name: 'mes',
      webhook: { url: server.url, batch: 100 },
      start: 'oldest',
    })
    await sinks.pause(id)
    const oldest = small.journal.first
    await small.pass(oldest + 20)
    await sinks.resume(id)
    const { journal } = small
    await until(() => server.messages.some((message) => message.id.endsWith(`-${journal.last}`)))
    // What the sink itself is told of is recorded, too, and may take one more segment: then there is a second gap.
    const told = server.messages.map(({ type, id: message, data }) => {
      const { from, to } = data as { readonly from?: string; readonly to?: string }
      const number = Number(message.split('-').at(-1))
      return type === 'secsctl.gap' ? [Number(from), Number(to)] : [number, number]
    })
    expect(server.messages[0]?.type).toBe('secsctl.gap')
    expect([told[0]?.[0], Number(told[0]?.[1]) >= oldest + 20]).toEqual([oldest, true])
    // One after the other without a hole; a message may come twice.
    let next = oldest
    for (const [from = 0, to = 0] of told) {
      expect(from).toBeLessThanOrEqual(next)
      next = Math.max(next, to + 1)
    }
    expect(next).toBe(journal.last + 1)
    const left = new Set(told.filter(([from, to]) => from === to).map(([from]) => from)).size
    // Held: more than the plain limit would have left.
    expect(left).toBeGreaterThan(100)
  })

  test('is a primary of ours that has no end, until it is on record as lost', async () => {
    const small = await Small.open()
    const { seq } = await small.message('sent', 1, 3)
    await small.pass()
    expect(await small.gateway.messages.get(String(seq))).toMatchObject({ outcome: 'pending' })
    await small.reopen({ views: false })
    expect(await small.gateway.messages.get(String(seq))).toMatchObject({ outcome: 'lost' })
    await small.pass()
    await expect(small.gateway.messages.get(String(seq))).rejects.toMatchObject({ code: 'message_not_found' })
  })
})

describe('what retention took', () => {
  test('ends a cursor whose next record it was, and none whose next record is there', async () => {
    const small = await Small.open()
    const seqs: number[] = []
    for (let n = 0; n < 3; n++) seqs.push((await small.message('sent', 1, 1, { wait: false })).seq)
    const { messages } = small.gateway
    const query = { equipment_id: 'eq_1', limit: 1 } as const
    const newest = await messages.list(query)
    const oldest = await messages.list({ ...query, order: 'asc' })
    for (let n = 0; n < 3; n++) await small.message('received', 6, 11, { wait: false, key: 'eq_2' })
    const second = await messages.list({ ...query, cursor: newest.next_cursor ?? '' })
    expect([newest, second].flatMap(({ items }) => items.map(({ id }) => id))).toEqual(
      [seqs[2], seqs[1]].map(String),
    )
    await small.pass(seqs[1])
    // Nothing of this equipment is left before what was read, though there is much of others.
    for (const page of [newest, second]) {
      await expect(messages.list({ ...query, cursor: page.next_cursor ?? '' })).rejects.toMatchObject({
        code: 'cursor_expired',
      })
    }
    await expect(
      messages.list({ ...query, order: 'asc', cursor: oldest.next_cursor ?? '' }),
    ).rejects.toMatchObject({ code: 'cursor_expired' })
  })

  test('ends the cursor of the alarms only when the next one is gone', async () => {
    const small = await Small.open()
    const ids: string[] = []
    for (const alid of ['1', '2', '3']) {
      const [{ seq } = { seq: 0 }] = await small.alarm('alarm_set', { alid })
      ids.push(String(seq))
    }
    const { alarms } = small.gateway
    const page = await alarms.list({ order: 'asc', limit: 1 })
    await small.pass()
    expect(
      (await alarms.list({ order: 'asc', limit: 1, cursor: page.next_cursor ?? '' })).items,
    ).toMatchObject([{ id: ids[1] }])
    await small.alarm('alarm_cleared', { alarm_id: ids[1] ?? '', alid: '2' })
    await alarms.acknowledge(ids[1] ?? '', ADA, {})
    await small.pass()
    await expect(
      alarms.list({ order: 'asc', limit: 1, cursor: page.next_cursor ?? '' }),
    ).rejects.toMatchObject({ code: 'cursor_expired' })
    await expect(alarms.acknowledge(ids[1] ?? '', ADA, {})).rejects.toMatchObject({ code: 'alarm_not_found' })
  })

  test('ends a follower that it overtakes, and no other', async () => {
    const small = await Small.open()
    const over = new AbortController()
    const start = { after: String(small.journal.last) }
    for (let n = 0; n < 40; n++) await small.message('received', 6, 11, { wait: false })
    const follow = () => small.gateway.events.follow(start, over.signal)[Symbol.asyncIterator]()
    const slow = follow()
    const quick = follow()
    const first = await slow.next()
    const held = Number(first.value?.at(-1)?.id)
    await small.pass(held + 100)
    const told: number[] = []
    const overtaken = async (): Promise<void> => {
      for (let next = await slow.next(); !next.done; next = await slow.next())
        told.push(...next.value.map(({ id }) => Number(id)))
    }
    await expect(overtaken()).rejects.toMatchObject({ code: 'cursor_expired' })
    expect(told).toEqual(told.map((_, at) => held + 1 + at))
    await expect(quick.next()).rejects.toMatchObject({ code: 'cursor_expired' })
    const late = small.gateway.events.follow({ after: String(small.journal.last) }, over.signal)
    const next = late[Symbol.asyncIterator]().next()
    const { seq } = await small.message('received', 6, 11, { wait: false })
    expect((await next).value?.[0]?.id).toBe(String(seq))
    over.abort()
  })
})
