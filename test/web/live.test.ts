import { expect, test } from 'vitest'
import { equipmentEndpoints } from '../../src/contract/topics/equipment/equipment-endpoints.js'
import type { Event } from '../../src/contract/topics/events.js'
import { GatewayCalls } from '../../src/web/gateway/call.js'
import { Live } from '../../src/web/gateway/live.js'
import { readEvent } from '../../src/web/gateway/read-event.js'
import { ManualClock } from '../support/manual-clock.js'
import { sampleEquipment } from '../support/sample-equipment.js'

const json = (body: object, status = 200): Response => Response.json(body, { status })
/** Lets what is under way go on. */
const settle = async (): Promise<void> => {
  for (let at = 0; at < 20; at++) await new Promise((resolve) => setImmediate(resolve))
}

/** A gateway of one etcher, whose streams the test writes and ends. */
class FakeGateway {
  readonly asked: string[] = []
  readonly streams: ReadableStreamDefaultController<Uint8Array>[] = []
  isThere = true
  /** The time of its responses; left out without one. */
  date: Date | undefined
  /** What a list of the equipment answers; a promise holds it back. */
  equipment: () => object | Promise<object> = () => ({ items: [sampleEquipment()], next_cursor: null })

  /** What a summary of the alarms answers. */
  summary: (path: string) => object | Promise<object> = () => summaryOf(0)

  /** The same of the alarms. */
  alarms: () => object | Promise<object> = () => ({ items: [], next_cursor: null })

  /** What a call for the one equipment answers. */
  one: object | undefined = sampleEquipment({ health: 'degraded' })

  readonly send = (async (input: string, { signal }: RequestInit) => {
    const path = input.replace('/api/v1', '')
    this.asked.push(path)
    if (!this.isThere) throw new TypeError('away')
    if (path === '/healthz')
      return Response.json({}, { headers: this.date ? { date: this.date.toUTCString() } : {} })
    if (path.startsWith('/equipment?') || path === '/equipment') return json(await this.equipment())
    if (path.startsWith('/equipment/'))
      return this.one ? json(this.one) : json({ code: 'equipment_not_found' }, 404)
    if (path.startsWith('/alarms/summary')) return json(await this.summary(path))
    if (path.startsWith('/alarms?active=true')) return json(await this.alarms())
    if (!path.startsWith('/events/stream')) return json({ items: [], next_cursor: null })
    return new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          this.streams.push(controller)
          signal?.addEventListener('abort', () => controller.error(signal.reason))
        },
      }),
    )
  }) as unknown as typeof fetch

  write(text: string): void {
    this.streams.at(-1)?.enqueue(new TextEncoder().encode(text))
  }

  event(id: number, name: string, to: string): void {
    const event: Partial<Event> = {
      id: String(id),
      type: name.endsWith('_state') ? 'state' : 'connection',
      name,
      at: '2026-01-01T00:00:00.000Z',
      equipment_id: sampleEquipment().id,
      data: { to },
    }
    this.write(`id: ${id}\nevent: x\ndata: ${JSON.stringify(event)}\n\n`)
  }
}

/** As of this event there are so many active alarms. */
const summaryOf = (as_of: number, active = 0) => ({
  as_of: String(as_of),
  items:
    active === 0
      ? []
      : [
          {
            equipment_id: sampleEquipment().id,
            active,
            unacknowledged: active,
            worst: { ...ALARM, id: '9' },
          },
        ],
  incomplete: [],
})

const ALARM = {
  alid: '7',
  text: 'Emergency stop pressed',
  category: 1,
  category_text: 'personal safety',
  count: 1,
  alarm_id: '9',
}
const alarmEvent = (id: number) => {
  const event = { id: String(id), type: 'alarm', name: 'alarm_set', equipment_id: sampleEquipment().id }
  return `id: ${id}\nevent: x\ndata: ${JSON.stringify({ ...event, at: '2026-01-01T00:00:00.000Z', data: ALARM })}\n\n`
}

async function opened(gateway = new FakeGateway(), selector?: string) {
  const clock = new ManualClock()
  const calls = new GatewayCalls(
    () => 'token',
    () => undefined,
    gateway.send,
  )
  const live = new Live(calls, clock, selector)
  const end = new AbortController()
  const ended = live.run(end.signal)
  await settle()
  const pass = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds; at++) {
      await settle()
      clock.advance(1000)
      await settle()
    }
  }
  const state = () => live.site.tools.value[0]?.tile.value.state
  const close = async (): Promise<void> => {
    end.abort()
    await ended
  }
  return { gateway, live, pass, state, close }
}

test('equipment that was removed is gone as soon as it is read again', async () => {
  const { live, gateway } = await opened()
  const { id } = sampleEquipment()
  await live.readAgain(id)
  expect(live.site.get(id)?.record.health).toBe('degraded')
  gateway.one = undefined
  await live.readAgain(id)
  expect(live.site.get(id)).toBeUndefined()
})

test('the page follows the gateway: what it read first, then each event', async () => {
  const { gateway, live, pass, state, close } = await opened()
  expect([live.phase.value, live.isLoaded.value, state()]).toEqual(['live', true, 'remote'])
  gateway.event(1, 'disconnected', 'NOT_CONNECTED')
  await pass(1)
  expect(state()).toBe('disconnected')
  await close()
})

test('the record is read again after its events, since health has none', async () => {
  const { gateway, pass, state, close } = await opened()
  gateway.event(1, 'control_state', 'ONLINE_LOCAL')
  await pass(1)
  expect(state()).toBe('local')
  await pass(4)
  expect(state()).toBe('degraded')
  await close()
})

test('an event is not undone by a list that is older than it', async () => {
  const { gateway, pass, state, close } = await opened()
  let answer: (list: object) => void = () => undefined
  gateway.equipment = () => new Promise((resolve) => (answer = resolve))
  gateway.one = sampleEquipment({ connection_state: 'NOT_CONNECTED' })
  await pass(30)
  gateway.event(1, 'disconnected', 'NOT_CONNECTED')
  await pass(1)
  answer({ items: [sampleEquipment()], next_cursor: null })
  await pass(1)
  expect(state()).toBe('disconnected')
  await close()
})

test('a gateway that has nothing to say is not stale: it is asked whether it is there', async () => {
  const { gateway, live, pass, close } = await opened()
  await pass(14)
  gateway.write(': \n\n')
  await pass(14)
  expect(live.isStale.value).toBe(false)
  expect(gateway.asked).toContain('/healthz')
  expect(gateway.streams).toHaveLength(1)
  await close()
})

test('data without a sign of the gateway for ten seconds are stale, until it is heard again', async () => {
  const { gateway, live, pass, close } = await opened()
  gateway.isThere = false
  await pass(9)
  expect(live.isStale.value).toBe(false)
  await pass(3)
  expect([live.isStale.value, live.silence.value]).toEqual([true, 12])
  gateway.isThere = true
  gateway.write(': \n\n')
  await pass(1)
  expect(live.isStale.value).toBe(false)
  await close()
})

test('the time of the last sign is one of the gateway, however wrong the clock of the computer is', async () => {
  const { gateway, live, pass, close } = await opened()
  gateway.date = new Date('2020-02-29T12:00:00.000Z')
  await pass(6)
  expect(gateway.asked).toContain('/healthz')
  const past = Math.abs(live.heardAt.value - gateway.date.getTime())
  expect(past).toBeLessThan(60_000)
  await close()
})

test('a stream that is dead while the gateway answers is replaced, and resumed', async () => {
  const { gateway, live, pass, close } = await opened()
  gateway.event(7, 'connected', 'NOT_SELECTED')
  await pass(40)
  expect(gateway.streams.length).toBeGreaterThan(1)
  expect(gateway.asked.filter((path) => path.startsWith('/events/stream')).at(-1)).toContain('after=7')
  expect(live.gaps.value).toBe(0)
  await close()
})

test('after an interruption everything is read again', async () => {
  const { gateway, live, pass, state, close } = await opened()
  gateway.streams[0]?.error(new TypeError('cut'))
  await settle()
  expect(live.phase.value).toBe('lost')
  gateway.equipment = () => ({
    items: [sampleEquipment({ control_state: 'HOST_OFFLINE' })],
    next_cursor: null,
  })
  await pass(3)
  expect([live.phase.value, state()]).toEqual(['live', 'offline'])
  await close()
})

test('a wall screen asks for its own equipment alone', async () => {
  const { gateway, close } = await opened(new FakeGateway(), 'bay=3')
  expect(gateway.asked.filter((path) => !path.includes('label_selector=bay%3D3'))).toEqual([])
  await close()
})

test('an alarm that is set while its summary is read counts once, whether the summary has it or not', async () => {
  for (const answered of [summaryOf(8), summaryOf(9, 1)]) {
    const gateway = new FakeGateway()
    let answer: (list: object) => void = () => undefined
    gateway.summary = () => new Promise((resolve) => (answer = resolve))
    const { live, pass, state, close } = await opened(gateway)
    gateway.write(alarmEvent(9))
    await pass(1)
    answer(answered)
    await pass(1)
    expect(live.isLoaded.value).toBe(true)
    expect(live.site.tools.value[0]?.tile.value).toMatchObject({ activeAlarms: 1, alarm: ALARM.text })
    expect(state()).toBe('alarm')
    await close()
  }
})

test('a summary that is older than the last event is read again: another gateway may have sent it', async () => {
  const gateway = new FakeGateway()
  const { live, pass, close } = await opened(gateway)
  gateway.write(alarmEvent(9))
  await pass(1)
  const active = () => live.site.tools.value[0]?.tile.value.activeAlarms
  expect(active()).toBe(1)
  gateway.summary = () => summaryOf(8)
  await pass(31)
  expect(active()).toBe(1)
  gateway.summary = () => summaryOf(9, 3)
  await pass(3)
  expect(active()).toBe(3)
  await close()
})

test('after the worst alarm was cleared the gateway is asked which is the worst now, of that equipment alone', async () => {
  const gateway = new FakeGateway()
  gateway.summary = () => summaryOf(8, 2)
  const { live, pass, close } = await opened(gateway)
  const { id } = sampleEquipment()
  gateway.summary = () => ({
    ...summaryOf(10, 1),
    items: [{ ...summaryOf(10, 1).items[0], worst: { ...ALARM, id: '7', text: 'Door' } }],
  })
  const cleared = {
    id: '10',
    type: 'alarm',
    name: 'alarm_cleared',
    equipment_id: id,
    data: { alarm_id: '9' },
  }
  gateway.write(`id: 10\nevent: x\ndata: ${JSON.stringify(cleared)}\n\n`)
  await pass(2)
  expect(live.site.tools.value[0]?.tile.value).toMatchObject({ activeAlarms: 1, alarm: 'Door' })
  expect(gateway.asked.at(-1)).toBe(`/alarms/summary?equipment_id=${id}`)
  await close()
})

test('no list of alarms is read before a page wants one, and then all its pages', async () => {
  const gateway = new FakeGateway()
  const alarm = (id: string) => ({ ...ALARM, id, equipment_id: sampleEquipment().id, active: true })
  const pages = [
    { items: [alarm('9'), alarm('8')], next_cursor: 'more' },
    { items: [alarm('7')], next_cursor: null },
  ]
  gateway.alarms = () => pages.shift() ?? { items: [], next_cursor: null }
  const { live, pass, close } = await opened(gateway)
  const asked = () => gateway.asked.filter((path) => path.startsWith('/alarms?'))
  await pass(31)
  expect(asked()).toEqual([])
  live.list({})
  expect(live.site.alarms.value.isKnown).toBe(false)
  await pass(1)
  const shown = () => live.site.alarms.value.list.map(({ id }) => id)
  expect(shown()).toEqual(['9', '8', '7'])
  expect(asked().map((path) => path.includes('cursor=more'))).toEqual([false, true, false])
  gateway.write(alarmEvent(12).replace('"alarm_id":"9"', '"alarm_id":"12"'))
  await pass(1)
  expect(shown()).toEqual(['12', '9', '8', '7'])
  live.list(undefined)
  expect(shown()).toEqual([])
  await close()
})

test('an alarm that is set while the list is read is in it, and the list of another page is not taken for it', async () => {
  const gateway = new FakeGateway()
  const answers: ((list: object) => void)[] = []
  gateway.alarms = () => new Promise((resolve) => answers.push(resolve))
  const { live, pass, close } = await opened(gateway)
  live.list({ equipment_id: 'eq_other' })
  await settle()
  live.list({})
  await pass(1)
  answers[0]?.({ items: [{ ...ALARM, id: '1', equipment_id: 'eq_other', active: true }], next_cursor: null })
  await pass(2)
  expect(live.site.alarms.value.isKnown).toBe(false)
  gateway.write(alarmEvent(9))
  await pass(1)
  answers[1]?.({ items: [], next_cursor: null })
  await pass(1)
  expect(live.site.alarms.value.list.map(({ id }) => id)).toEqual(['9'])
  await close()
})

test('alarms are counted again where events were lost while they were read', async () => {
  const gateway = new FakeGateway()
  const answers: ((list: object) => void)[] = []
  gateway.summary = () => new Promise((resolve) => answers.push(resolve))
  const { live, pass, close } = await opened(gateway)
  // The stream begins anew, with a gap, while the first reading is under way.
  gateway.streams.at(-1)?.error(new TypeError('cut'))
  await pass(2)
  expect(gateway.streams.length).toBe(2)
  answers[0]?.(summaryOf(8))
  await pass(2)
  expect(answers).toHaveLength(2)
  answers[1]?.(summaryOf(9, 1))
  await pass(1)
  expect(live.site.tools.value[0]?.tile.value.activeAlarms).toBe(1)
  await close()
})

test('alarms whose reading failed are read again soon', async () => {
  const gateway = new FakeGateway()
  gateway.summary = () => Promise.reject(new TypeError('cut'))
  const { pass, close } = await opened(gateway)
  const asked = () => gateway.asked.filter((path) => path.startsWith('/alarms')).length
  const before = asked()
  await pass(7)
  expect(asked()).toBeGreaterThan(before)
  await close()
})

test('a gateway that is not reached is said in words of the page, and stays the error that it is', async () => {
  const failing = (error: unknown) =>
    new GatewayCalls(
      () => 'token',
      () => undefined,
      () => Promise.reject(error),
    )
      .request('GET', '/x', {}, new AbortController().signal)
      .catch((caught: unknown) => caught)
  const away = await failing(new TypeError('Failed to fetch'))
  expect(away).toBeInstanceOf(TypeError)
  expect((away as Error).message).toBe('the gateway does not respond')
  const slow = await failing(new DOMException('signal timed out', 'TimeoutError'))
  expect(slow).toMatchObject({ name: 'TimeoutError', message: 'the gateway does not respond' })
  const ended = new DOMException('left', 'AbortError')
  expect(await failing(ended)).toBe(ended)
})

test('a call waits as long as anything comes from the gateway, and is given up when nothing does', async () => {
  const clock = new ManualClock()
  const asked: string[] = []
  let isThere = true
  const calls: GatewayCalls = new GatewayCalls(
    () => 'token',
    () => undefined,
    ((url: string, { signal }: RequestInit) => {
      asked.push(url)
      if (url === '/healthz' && isThere) return Promise.resolve(Response.json({}))
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    }) as unknown as typeof fetch,
    undefined,
    clock,
  )
  let failure: unknown
  const ended = calls.call(equipmentEndpoints.listEquipment, { query: {} }).catch((error: unknown) => {
    failure = error
  })
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1000)
      await settle()
    }
  }
  await pass(100)
  expect(asked.slice(1)).toEqual(Array.from({ length: 10 }, () => '/healthz'))
  isThere = false
  // The browser has no connection left for the question, and the event stream goes on.
  for (let comment = 0; comment < 6; comment++) {
    await pass(15)
    calls.heard()
  }
  expect(failure).toBeUndefined()
  await pass(60)
  await ended
  expect(failure).toMatchObject({ name: 'TimeoutError', message: 'the gateway does not respond' })
  expect(clock.scheduled).toBe(0)
})

test('an event of a link is said to be gone only by a gateway that says so', async () => {
  const reading = (send: () => Promise<Response>) =>
    readEvent(
      new GatewayCalls(
        () => 'token',
        () => undefined,
        send as unknown as typeof fetch,
      ),
      '7',
      new AbortController().signal,
    )
  const stream = (id: string) => new Response(`id: ${id}\nevent: x\ndata: ${JSON.stringify({ id })}\n\n`)
  expect(await reading(async () => stream('7'))).toEqual({ id: '7' })
  expect(await reading(async () => stream('8'))).toBeUndefined()
  expect(await reading(async () => json({ code: 'cursor_expired' }, 410))).toBeUndefined()
  await expect(reading(async () => json({ code: 'store_unavailable' }, 503))).rejects.toThrow()
  await expect(reading(() => Promise.reject(new TypeError('away')))).rejects.toThrow('does not respond')
})

test('a late refusal of an earlier token ends no other session, and Retry-After is seconds', async () => {
  let token = 'earlier'
  const ended: string[] = []
  let answer: (response: Response) => void = () => undefined
  const calls = new GatewayCalls(
    () => token,
    () => ended.push(token),
    () => new Promise((resolve) => (answer = resolve)),
  )
  const refused = (status: number, headers = {}) => Response.json({ detail: 'no' }, { status, headers })
  const ask = () =>
    calls.request('GET', '/x', {}, new AbortController().signal).catch((error: unknown) => error)
  const late = ask()
  token = 'later'
  answer(refused(401))
  expect(await late).toMatchObject({ status: 401 })
  expect(ended).toEqual([])
  const own = ask()
  answer(refused(401))
  await own
  expect(ended).toEqual(['later'])
  const busy = ask()
  answer(refused(503, { 'retry-after': '20' }))
  expect(await busy).toMatchObject({ retryAfter: 20 })
})
