import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../../src/catalogue/standard-catalogue.js'
import { plainReading } from '../../../../src/gateway/records/reading.js'
import { RunningTraces } from '../../../../src/gateway/services/traces/running-traces.js'
import { periodOf, periodText } from '../../../../src/gateway/services/traces/sample-period.js'
import { systemClock } from '../../../../src/kit/clock.js'
import { encodeBody } from '../../../../src/secs2/encode.js'
import { A, B, type Item, L, U4 } from '../../../../src/secs2/item.js'
import { ItemReader } from '../../../../src/secs2/item-reader.js'
import { shippedModel } from '../../../../src/simulator/shipped-models.js'
import { Simulator } from '../../../../src/simulator/simulator.js'
import { callsOf, LiveGateway } from '../../../support/live-gateway.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { LOOPBACK } from '../../../support/tcp.js'
import { until } from '../../../support/until.js'
import { messageEntry } from '../../wire/wire-records.js'

const ASKED = { variables: [1], period_seconds: 1, samples: 3 }

async function scripted(tiaack = 0) {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  equipment.reply = () => ({ function: 24, item: B(tiaack) })
  const call = callsOf(live.gateway)
  const sample = (trid: number, number: number, values: Item = L(U4(7))): void =>
    void equipment.send(6, 1, L(U4(trid), U4(number), A('20260101080000'), values))
  const listed = async (): Promise<string[]> =>
    (await call.listTraces({ id })).items.map(({ trid, received }) => `${trid}: ${received}`)
  return { live, equipment, id, call, sample, listed }
}

test.each([
  [1, '000001'],
  [0.25, '00000025'],
  [3661, '010101'],
  [86_399.99, '23595999'],
  [0.001, undefined],
])('a period of %d s is DSPER %s', (seconds, text) => {
  expect(periodText(seconds)).toBe(text)
  if (text !== undefined) expect(periodOf(text)).toBe(seconds)
})

test('a simulator samples what a trace asks for, and sends it in groups', async () => {
  const live = await LiveGateway.open()
  const model = shippedModel('etcher')
  if (!model) throw new Error('there is no such model')
  const simulator = new Simulator(model, { role: 'passive', host: LOOPBACK, port: 0 }, { clock: systemClock })
  onTestFinished(() => simulator.stop())
  await simulator.start()
  const { id } = await live.connect({ port: simulator.port })
  const call = callsOf(live.gateway)
  const variables = ['ChamberPressure', 'RFPower']
  const asked = { variables, period_seconds: 0.1, samples: 4, group_size: 2 }
  const started = await call.startTrace({ id }, { body: asked })
  expect(started).toMatchObject({ accepted: true, tiaack: 0, trace: { trid: '1', received: 0 } })
  expect(started.trace?.variables.map(({ name }) => name)).toEqual(variables)
  await until(async () => (await call.listTraces({ id })).items.length === 0)
  const { items } = await live.gateway.messages.list({ stream: 6, function: 1, order: 'asc' })
  expect(items.map(({ data }) => [data?.['SMPLN'], Array.from(Object(data)['SV']).length])).toEqual([
    ['2', 4],
    ['4', 4],
  ])
})

describe('the traces that run', () => {
  test('have the least free number, and go with their last sample', async () => {
    const { id, call, sample, listed } = await scripted()
    await call.startTrace({ id }, { body: ASKED })
    await call.startTrace({ id }, { body: ASKED })
    sample(1, 2)
    await until(async () => (await listed()).join() === '1: 2,2: 0')
    sample(1, 3)
    await until(async () => (await listed()).join() === '2: 0')
    expect((await call.startTrace({ id }, { body: ASKED })).trace?.trid).toBe('1')
  })

  test('are known of a message of very many samples, of which none is made an item', async () => {
    const { id, call, sample, listed } = await scripted()
    await call.startTrace({ id }, { body: ASKED })
    const making = vi.spyOn(ItemReader.prototype, 'items')
    onTestFinished(() => making.mockRestore())
    sample(1, 2, { format: 'L', items: Array.from({ length: 60_000 }, (_, at) => U4(at)) })
    await until(async () => (await listed()).join() === '1: 2')
    expect(Math.max(0, ...making.mock.calls.map(([count]) => count))).toBeLessThan(9)
  })

  test('have numbers of their own also when they are started at once', async () => {
    const { id, call } = await scripted()
    const started = await Promise.all([1, 2, 3].map(() => call.startTrace({ id }, { body: ASKED })))
    expect(started.map(({ trace }) => trace?.trid)).toEqual(['1', '2', '3'])
  })

  test('are known after a start of the gateway, whoever asked for them, with the names of then', async () => {
    const { live, id, equipment, call, sample, listed } = await scripted()
    await call.startTrace({ id }, { body: ASKED })
    const data = { TRID: 5, DSPER: '00000150', TOTSMP: 9, REPGSZ: 3, SVID: [1, 2] }
    await live.gateway.messages.send(id, { stream: 2, function: 23, data })
    sample(5, 3)
    await until(async () => (await listed()).join() === '1: 0,5: 3')
    equipment.reply = ({ function: fn }) =>
      fn === 11 ? { function: 12, item: L(L(U4(1), A('Power'), A('W'))) } : undefined
    await live.gateway.messages.send(id, { stream: 1, function: 11, data: {} })
    const reopened = callsOf(await live.reopen())
    const { items } = await reopened.listTraces({ id })
    expect(items[1]).toMatchObject({
      ...{ trid: '5', period_seconds: 1.5, samples: 9, group_size: 3, received: 3 },
      variables: [
        { id: '1', name: 'Power', unit: 'W' },
        { id: '2', name: null, unit: null },
      ],
    })
    await live.gateway.equipment.connect(id, 30)
    sample(5, 9)
    await until(async () => (await reopened.listTraces({ id })).items.length === 1)
  })

  test('are those as well whose answer was lost, once a sample says so', async () => {
    const { live, id, equipment, call, sample, listed } = await scripted()
    equipment.reply = () => undefined
    await expect(
      call.startTrace({ id }, { body: { ...ASKED, trid: 7 }, query: { timeout: 0.1 } }),
    ).rejects.toMatchObject({
      code: 'reply_timeout',
    })
    expect(await listed()).toEqual([])
    sample(8, 1)
    sample(7, 1)
    await until(async () => (await listed()).join() === '7: 1')
    await live.gateway.equipment.delete(id)
  })

  test('are not those that should have ended long ago', async () => {
    const clock = new ManualClock()
    const running = new RunningTraces(clock, () => plainReading(STANDARD_CATALOGUE))
    const trace = { trid: '1', variables: ['1'], period_seconds: 1, samples: 60, group_size: 1 }
    const started_at = clock.date().toISOString()
    running.load({ equipment_id: 'eq_1', trace: { ...trace, started_at }, received: 4 })
    clock.advance(180_000)
    expect(running.of('eq_1')).toEqual([{ ...trace, started_at, received: 4 }])
    clock.advance(1)
    expect(running.of('eq_1')).toEqual([])
  })

  test('live on in the lines of their view, the unanswered too, a thousand an equipment at most', () => {
    const make = () => new RunningTraces(new ManualClock(), () => plainReading(STANDARD_CATALOGUE))
    let running = make()
    let seq = 0
    const show = (
      way: 'sent' | 'received',
      stream: number,
      fn: number,
      item: Item,
      reply?: number,
    ): number => {
      const wire = { sessionId: 0, stream, function: fn, wait: fn % 2 === 1, systemBytes: seq }
      const at = new ManualClock().date().toISOString()
      const entry = messageEntry(way, 'eq_1', { ...wire, body: encodeBody(item) }, reply ?? null, at)
      seq += 1
      running.apply({ ...entry, seq })
      return seq
    }
    const ask = (trid: number, samples = 9): number =>
      show('sent', 2, 23, L(U4(trid), A('000001'), U4(samples), U4(1), L(U4(1))))
    for (let trid = 1; trid <= 1005; trid++) show('received', 2, 24, B(0), ask(trid))
    show('received', 2, 24, B(0), show('sent', 2, 23, A('no trace')))
    show('received', 2, 24, B(0), show('sent', 2, 23, L(U4(9000), A('soon'), U4(1), U4(1), L(U4(1)))))
    const open = ask(2000)
    show('received', 2, 24, B(1), ask(1005))
    const lines = JSON.parse(JSON.stringify(running.lines()))
    running = make()
    for (const each of lines) running.load(each)
    const trids = (): string[] => running.of('eq_1').map(({ trid }) => trid)
    expect([trids().length, trids()[0], trids().at(-1)]).toEqual([1000, '6', '1005'])
    show('received', 2, 24, B(0), open)
    expect([trids().length, trids().at(-1)]).toEqual([1000, '2000'])
    show('received', 2, 24, B(0), ask(2000, 0))
    show('received', 6, 1, A('no trace data'))
    expect(trids()).not.toContain('2000')
    ask(3000)
    show('received', 2, 24, B(0), ask(3000))
    for (const number of [9, 8]) {
      show('received', 6, 1, L(U4(3000), U4(number), A('20260101080000'), L(U4(7))))
    }
    expect(trids()).not.toContain('3000')
    running.forget(() => true)
    expect(running.lines()).toEqual([])
  })

  test('go when they are ended, which a TOTSMP of 0 does', async () => {
    const { id, equipment, call, listed } = await scripted()
    await call.startTrace({ id }, { body: { ...ASKED, trid: 'T7' } })
    expect(await call.endTrace({ id, trid: 'T7' })).toMatchObject({ trid: 'T7', accepted: true })
    expect(await listed()).toEqual([])
    expect(Buffer.from(equipment.received[1]?.body ?? []).toString('hex')).toBe(
      '0105' + '41025437' + '4106303030303031' + 'b10400000000' + 'b10400000001' + '0100',
    )
  })

  test('are not those that were refused; the one that had the TRID runs on', async () => {
    const { id, equipment, call, listed } = await scripted()
    await call.startTrace({ id }, { body: { ...ASKED, trid: 5 } })
    equipment.reply = () => ({ function: 24, item: B(3) })
    const refused = await call.startTrace({ id }, { body: { ...ASKED, trid: 5, samples: 9 } })
    expect(refused).toMatchObject({ accepted: false, tiaack: 3, tiaack_text: 'invalid period', trace: null })
    expect((await call.listTraces({ id })).items).toMatchObject([{ trid: '5', samples: 3 }])
    expect(await call.endTrace({ id, trid: '5' })).toMatchObject({ accepted: false })
    expect(await listed()).toEqual(['5: 0'])
  })
})

test.each([
  ['/variables', { ...ASKED, variables: [] }],
  ['/group_size', { ...ASKED, group_size: 4 }],
  ['/period_seconds', { ...ASKED, period_seconds: 0.015 }],
])('a trace that cannot be is refused at %s, and nothing is sent', async (pointer, asked) => {
  const { id, equipment, call } = await scripted()
  await expect(call.startTrace({ id }, { body: asked })).rejects.toMatchObject({
    code: 'invalid_message',
    extra: { errors: [{ pointer }] },
  })
  expect(equipment.received).toEqual([])
})
