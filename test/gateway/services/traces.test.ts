import { describe, expect, onTestFinished, test } from 'vitest'
import { periodText } from '../../../src/gateway/services/sample-period.js'
import { systemClock } from '../../../src/kit/clock.js'
import { A, B, L, U4 } from '../../../src/secs2/item.js'
import { shippedModel } from '../../../src/simulator/shipped-models.js'
import { Simulator } from '../../../src/simulator/simulator.js'
import { LiveGateway } from '../../support/live-gateway.js'
import { LOOPBACK } from '../../support/tcp.js'
import { until } from '../../support/until.js'

const ASKED = { variables: [1], period_seconds: 1, samples: 3 }

async function scripted(tiaack = 0) {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  equipment.reply = () => ({ function: 24, item: B(tiaack) })
  const { traces } = live.gateway.services
  const sample = (trid: number, number: number): void =>
    void equipment.send(6, 1, L(U4(trid), U4(number), A('20260101080000'), L(U4(7))))
  const listed = async (): Promise<string[]> =>
    (await traces.list(id)).items.map(({ trid, received }) => `${trid}: ${received}`)
  return { live, equipment, id, traces, sample, listed }
}

test.each([
  [1, '000001'],
  [0.25, '00000025'],
  [3661, '010101'],
  [86_399.99, '23595999'],
  [0.001, undefined],
])('a period of %d s is DSPER %s', (seconds, text) => {
  expect(periodText(seconds)).toBe(text)
})

test('a simulator samples what a trace asks for, and sends it in groups', async () => {
  const live = await LiveGateway.open()
  const model = shippedModel('etcher')
  if (!model) throw new Error('there is no such model')
  const simulator = new Simulator(model, { role: 'passive', host: LOOPBACK, port: 0 }, { clock: systemClock })
  onTestFinished(() => simulator.stop())
  await simulator.start()
  const { id } = await live.connect({ port: simulator.port })
  const { traces } = live.gateway.services
  const variables = ['ChamberPressure', 'RFPower']
  const asked = { variables, period_seconds: 0.1, samples: 4, group_size: 2 }
  const started = await traces.start(id, asked, {})
  expect(started).toMatchObject({ accepted: true, tiaack: 0, trace: { trid: '1', received: 0 } })
  expect(started.trace?.variables.map(({ name }) => name)).toEqual(variables)
  await until(async () => (await traces.list(id)).items.length === 0)
  const { items } = await live.gateway.messages.list({ stream: 6, function: 1, order: 'asc' })
  expect(items.map(({ data }) => [data?.['SMPLN'], Array.from(Object(data)['SV']).length])).toEqual([
    ['2', 4],
    ['4', 4],
  ])
})

describe('the traces that run', () => {
  test('have the least free number, and go with their last sample', async () => {
    const { id, traces, sample, listed } = await scripted()
    await traces.start(id, ASKED, {})
    await traces.start(id, ASKED, {})
    sample(1, 2)
    await until(async () => (await listed()).join() === '1: 2,2: 0')
    sample(1, 3)
    await until(async () => (await listed()).join() === '2: 0')
    expect((await traces.start(id, ASKED, {})).trace?.trid).toBe('1')
  })

  test('go when they are ended, which a TOTSMP of 0 does', async () => {
    const { id, equipment, traces, listed } = await scripted()
    await traces.start(id, { ...ASKED, trid: 'T7' }, {})
    expect(await traces.end(id, 'T7', {})).toMatchObject({ trid: 'T7', accepted: true })
    expect(await listed()).toEqual([])
    expect(Buffer.from(equipment.received[1]?.body ?? []).toString('hex')).toBe(
      '0105' + '41025437' + '4106303030303031' + 'b10400000000' + 'b10400000001' + '0100',
    )
  })

  test('are not those that were refused; the one that had the TRID runs on', async () => {
    const { id, equipment, traces, listed } = await scripted()
    await traces.start(id, { ...ASKED, trid: 5 }, {})
    equipment.reply = () => ({ function: 24, item: B(3) })
    const refused = await traces.start(id, { ...ASKED, trid: 5, samples: 9 }, {})
    expect(refused).toMatchObject({ accepted: false, tiaack: 3, tiaack_text: 'invalid period', trace: null })
    expect((await traces.list(id)).items).toMatchObject([{ trid: '5', samples: 3 }])
    expect(await traces.end(id, '5', {})).toMatchObject({ accepted: false })
    expect(await listed()).toEqual(['5: 0'])
  })
})

test.each([
  ['/variables', { ...ASKED, variables: [] }],
  ['/group_size', { ...ASKED, group_size: 4 }],
  ['/period_seconds', { ...ASKED, period_seconds: 0.015 }],
])('a trace that cannot be is refused at %s, and nothing is sent', async (pointer, asked) => {
  const { id, equipment, traces } = await scripted()
  await expect(traces.start(id, asked, {})).rejects.toMatchObject({
    code: 'invalid_message',
    extra: { errors: [{ pointer }] },
  })
  expect(equipment.received).toEqual([])
})
