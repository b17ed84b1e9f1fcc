import { describe, expect, test, vi } from 'vitest'
import type { Event, EventQuery, StreamQuery } from '../../../src/contract/topics/events.js'
import { jsonParts } from '../../../src/kit/text/json-parts.js'
import { A, B, L, U4 } from '../../../src/secs2/item.js'
import type { NewEntry } from '../../../src/store/entry.js'
import { LiveGateway } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'

const KINDS = [
  { type: 'connection', name: 'connecting' },
  { type: 'state', name: 'control_state' },
  { type: 'alarm', name: 'alarm_cleared' },
] as const

const time = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString()

/** What a session would record: two of each second, by turns for two equipments. */
const entry = (at: number): NewEntry => ({
  ...(KINDS[at % KINDS.length] ?? KINDS[0]),
  key: at % 2 === 0 ? 'eq_even' : 'eq_odd',
  at: time(Math.floor(at / 2) * 1000),
  data: { alarm_id: null, at },
})

async function bench(entries = 0) {
  const live = await LiveGateway.open({ clock: new ManualClock(), hasMadeUpEvents: true })
  const add = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at++) await live.journal.append(entry(at))
  }
  await add(0, entries)
  const { events } = live.gateway
  const ids = async (query: EventQuery): Promise<number[]> =>
    (await events.list(query)).items.map(({ id }) => Number(id))
  return { live, add, events, ids }
}

/** The first `count` events of a stream, as their ids. */
async function take(stream: AsyncIterable<readonly Event[]>, count: number): Promise<number[]> {
  const ids: number[] = []
  for await (const events of stream) {
    ids.push(...events.map(({ id }) => Number(id)))
    if (ids.length >= count) break
  }
  return ids.slice(0, count)
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

const jsonOf = (value: object | undefined): string => [...jsonParts(value)].join('')

describe('an event', () => {
  test('has the name that its equipment has now, in messages and alarms too, and the last one once it is deleted', async () => {
    const live = await LiveGateway.open({ hasMadeUpEvents: true })
    const { equipment, id } = await live.connectScripted({ name: 'before' })
    equipment.send(5, 1, L(B(0x84), U4(7), A('Hot')))
    await equipment.next()
    const names = async () => {
      const lists = [
        live.gateway.events.list({}),
        live.gateway.messages.list({}),
        live.gateway.alarms.list({}),
      ]
      const items = (await Promise.all(lists)).flatMap(
        (page): { equipment_name: string | null }[] => page.items,
      )
      const events = (await live.gateway.events.list({})).items
      const written = events.map((event) => JSON.parse(jsonOf(event)))
      const inMessages = written.filter(({ data }) => 'stream' in data).map(({ data }) => data)
      expect(items.length + written.length).toBeGreaterThan(20)
      return new Set([...items, ...written, ...inMessages].map(({ equipment_name }) => equipment_name))
    }
    expect(await names()).toEqual(new Set(['before']))
    await live.gateway.equipment.update(id, { name: 'after' })
    expect(await names()).toEqual(new Set(['after']))
    const { items } = await live.gateway.messages.list({ limit: 1 })
    expect(await live.gateway.messages.get(items[0]?.id ?? '')).toMatchObject({ equipment_name: 'after' })
    await live.gateway.equipment.delete(id)
    expect(await names()).toEqual(new Set(['after']))
  })

  test('is made once for all who read it, as is its JSON', async () => {
    const { events } = await bench(2)
    const [one] = (await events.list({})).items
    const [other] = (await events.list({})).items
    expect(other).toBe(one)
    expect(jsonOf(one)).toBe(JSON.stringify(one))
  })

  test('of a message is made anew when its equipment has said what it calls things', async () => {
    const live = await LiveGateway.open()
    const { equipment, id } = await live.connectScripted()
    equipment.reply = ({ stream, function: fn }) =>
      stream === 1 && fn === 23 ? { function: 24, item: L(L(U4(100), A('Started'), L())) } : undefined
    equipment.send(6, 11, L(U4(0), U4(100), L()))
    const report = async (): Promise<Event | undefined> =>
      (await live.gateway.events.list({ type: ['message'] })).items.find(
        ({ data }) => data['function'] === 11,
      )
    await until(async () => (await report()) !== undefined)
    const before = await report()
    expect(await report()).toBe(before)
    expect(JSON.parse(jsonOf(before)).data.collection_event.name).toBeNull()
    await live.gateway.messages.send(id, { stream: 1, function: 23, data: {} })
    const after = await report()
    expect(jsonOf(after)).toBe(JSON.stringify(after))
    expect(JSON.parse(jsonOf(after)).data.collection_event.name).toBe('Started')
  })
})

describe('the list of events', () => {
  test('is narrowed by equipment and by any of the types', async () => {
    const { ids } = await bench(12)
    expect(await ids({ order: 'asc', type: ['connection'] })).toEqual([1, 4, 7, 10])
    expect(await ids({ order: 'asc', type: ['connection', 'alarm'] })).toEqual([1, 3, 4, 6, 7, 9, 10, 12])
    expect(await ids({ equipment_id: 'eq_odd', type: ['state'] })).toEqual([8, 2])
    expect(await ids({ equipment_id: 'eq_none' })).toEqual([])
  })

  test('has windows of time that neither overlap nor miss, in any offset', async () => {
    const { ids } = await bench(12)
    const cuts = [
      '2026-01-01T00:00:00Z',
      '2026-01-01T09:00:01.000+09:00',
      '2025-12-31T18:30:03-05:30',
      '2026-01-01T00:01:00.000Z',
    ]
    const windows: number[][] = []
    for (const [at, from] of cuts.slice(0, -1).entries()) {
      const to = cuts[at + 1]
      windows.push(await ids({ order: 'asc', from, ...(to !== undefined && { to }) }))
    }
    expect(windows).toEqual([numbers(1, 2), numbers(3, 6), numbers(7, 12)])
  })

  test.each(['asc', 'desc'] as const)(
    'is read page by page in order %s, whatever is appended meanwhile',
    async (order) => {
      const { add, events, ids } = await bench(20)
      const whole = await ids({ order, type: ['state', 'connection'] })
      const paged: number[] = []
      let appended = 20
      for (let cursor: string | null | undefined; cursor !== null && paged.length < whole.length; ) {
        const page = await events.list({
          order,
          limit: 3,
          type: ['state', 'connection'],
          ...(cursor && { cursor }),
        })
        paged.push(...page.items.map(({ id }) => Number(id)))
        cursor = page.next_cursor
        await add(appended, appended + 5)
        appended += 5
      }
      expect(paged.slice(0, whole.length)).toEqual(whole)
    },
  )

  test('ends without a cursor, and takes no cursor of another list', async () => {
    const { live, events } = await bench(6)
    expect((await events.list({ limit: 6 })).next_cursor).toBeNull()
    const cursor = (await events.list({ limit: 5 })).next_cursor ?? ''
    for (const query of [
      { type: ['state' as const] },
      { equipment_id: 'eq_odd' },
      { order: 'asc' as const },
      { from: time(0) },
    ]) {
      await expect(events.list({ ...query, cursor })).rejects.toMatchObject({ code: 'invalid_cursor' })
    }
    await expect(live.gateway.messages.list({ cursor })).rejects.toMatchObject({ code: 'invalid_cursor' })
    expect((await events.list({ limit: 1, cursor })).items).toMatchObject([{ id: '1' }])
  })

  test('takes a cursor that retention has passed for what it is', async () => {
    const { live, events } = await bench(6)
    const older = (await events.list({ limit: 2 })).next_cursor ?? ''
    const newer = (await events.list({ limit: 2, order: 'asc' })).next_cursor ?? ''
    Object.defineProperty(live.journal, 'first', { value: 5 })
    await expect(events.list({ cursor: older })).rejects.toMatchObject({ code: 'cursor_expired' })
    await expect(events.list({ order: 'asc', cursor: newer })).rejects.toMatchObject({
      code: 'cursor_expired',
    })
    expect(() => events.follow({ after: '3' }, new AbortController().signal)).toThrow(
      expect.objectContaining({ code: 'cursor_expired' }),
    )
  })

  test('shows messages as they stood, and their end as an event of its own', async () => {
    const live = await LiveGateway.open()
    const { simulator, id } = await live.connectSimulator()
    const { result } = await live.gateway.messages.send(id, { stream: 2, function: 17 })
    await simulator.fireEvent('Remote')
    const events = await live.events({ type: ['message'] })
    const { message, reply } = result
    const sent = events.find((event) => event.id === message.id)
    expect(sent).toMatchObject({
      name: 'message_sent',
      data: { id: message.id, outcome: 'pending', sml: message.sml },
    })
    const received = events.find((event) => event.id === reply?.id)
    expect(received).toMatchObject({ name: 'message_received', data: reply })
    expect(events.find(({ data }) => data['message_id'] === message.id)).toMatchObject({
      name: 'message_ended',
      data: { outcome: 'replied', reply_id: reply?.id, latency_ms: message.latency_ms },
    })
    const report = events.find(({ name, data }) => name === 'message_received' && data['function'] === 11)
    expect(report?.data).toMatchObject({
      data: { CEID: '3', REPORTS: [{ RPTID: '1', V: [expect.any(String)] }] },
    })
  })
})

describe('the stream of events', () => {
  const follow = (live: LiveGateway, query: StreamQuery, signal = new AbortController().signal) =>
    live.gateway.events.follow(query, signal)

  test('continues after an id without a gap or a repeat, from what was to what comes', async () => {
    const { live, add } = await bench(100)
    const reading = take(follow(live, { after: '10' }), 140)
    await add(100, 150)
    expect(await reading).toEqual(numbers(11, 150))
  })

  test('begins with what comes next when no id is given, also before it is first read', async () => {
    const { live, add } = await bench(10)
    const stream = follow(live, {})
    await add(10, 15)
    expect(await take(stream, 5)).toEqual(numbers(11, 15))
  })

  test('is read once for all followers of the same, and apart for those who ask for something else', async () => {
    const { live, add } = await bench(10)
    const same = Array.from({ length: 20 }, () => take(follow(live, { type: ['alarm', 'state'] }), 20))
    const other = take(follow(live, { type: ['alarm', 'state', 'connection'] }), 30)
    const read = vi.spyOn(live.journal, 'read')
    await add(10, 40)
    const ofSame = numbers(11, 40).filter((id) => (id - 1) % 3 !== 0)
    expect(await Promise.all(same)).toEqual(Array.from({ length: 20 }, () => ofSame))
    expect(await other).toEqual(numbers(11, 40))
    // Of each its own these would be 21 for each event.
    expect(read.mock.calls.length).toBeLessThan(30 * 4)
  })

  test('gives what its filters let through, however rare that is', async () => {
    const { live, add } = await bench(100)
    const reading = take(
      follow(live, {
        after: '0',
        equipment_id: 'eq_odd',
        type: ['alarm'],
        from: time(10_000),
        to: time(60_000),
      }),
      17,
    )
    await add(100, 200)
    const wanted = numbers(1, 200).filter(
      (id) =>
        (id - 1) % 3 === 2 &&
        (id - 1) % 2 === 1 &&
        Math.floor((id - 1) / 2) >= 10 &&
        Math.floor((id - 1) / 2) < 60,
    )
    expect(await reading).toEqual(wanted)
  })

  test.each(['S6F11', 'S6'])('of the message %s has no other event', async (message) => {
    const live = await LiveGateway.open()
    const { simulator, id: equipment } = await live.connectSimulator()
    const reading = take(follow(live, { after: '0', message }), 1)
    await live.gateway.messages.send(equipment, { stream: 2, function: 17 })
    await simulator.fireEvent('Remote')
    const [id] = await reading
    const found = (await live.events({ type: ['message'] })).find((event) => event.id === String(id))
    expect(found?.data).toMatchObject({ stream: 6, function: 11 })
  })

  test('can be broken off and taken up at any event', async () => {
    const { live } = await bench(84)
    const seen: number[] = []
    while (seen.length < 84) seen.push(...(await take(follow(live, { after: String(seen.at(-1) ?? 0) }), 7)))
    expect(seen).toEqual(numbers(1, 84))
  })

  test('waits without reading while its reader is slow', async () => {
    const { live } = await bench(500)
    let queries = 0
    const query = live.journal.query.bind(live.journal)
    live.journal.query = (asked) => {
      queries += 1
      expect(asked.limit).toBeLessThanOrEqual(32)
      return query(asked)
    }
    const stream = follow(live, { after: '0' })[Symbol.asyncIterator]()
    await stream.next()
    await live.journal.append(entry(0))
    expect(queries).toBe(1)
    await stream.return?.()
  })

  test.each(['while it waits', 'while it is read'])(
    'ends when it is not wanted any more, %s',
    async (when) => {
      const { live } = await bench(when === 'while it waits' ? 1 : 100)
      const over = new AbortController()
      let batches = 0
      for await (const events of follow(live, { after: '0' }, over.signal)) {
        batches++
        expect(events[0]?.id).toBe('1')
        if (when === 'while it is read') over.abort()
        else setImmediate(() => over.abort())
      }
      expect(batches).toBe(1)
    },
  )

  test('gives nothing that is not on disk', async () => {
    const live = await LiveGateway.open()
    const { equipment } = await live.connectScripted()
    const before = live.journal.last
    const next = take(follow(live, { type: ['alarm'] }), 1)
    live.journal.hold()
    equipment.send(5, 1, L(B(0x81), U4(1), A('Hot')))
    await equipment.linktest()
    let given = false
    void next.then(() => {
      given = true
    })
    await equipment.linktest()
    expect(given).toBe(false)
    live.journal.release()
    expect(await next).toEqual([before + 2])
  })
})
