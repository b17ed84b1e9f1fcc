import { beforeEach, describe, expect, test } from 'vitest'
import type {
  EquipmentModel,
  SpoolModel,
  Variable,
  VariableSource,
} from '../../src/gem/equipment/equipment-model.js'
import { A, BOOLEAN, type Item, L, U1, U4 } from '../../src/secs2/item.js'
import { GemPair } from '../support/gem-pair.js'
import { bareModel } from './bare-model.js'

const kept = (id: string, source: VariableSource, value: Variable['value']): Variable => ({
  id,
  name: source,
  unit: '',
  kind: 'status',
  value,
  source,
})
const event = (id: string, name: string) => ({ id, name, enabled: true, reports: [] })

const model = (spool: SpoolModel, change: Partial<EquipmentModel> = {}): EquipmentModel =>
  bareModel({
    spool,
    occasions: { spooling_activated: '901', spooling_deactivated: '902', spool_transmit_failure: '903' },
    variables: [
      kept('1', 'spool_count_actual', { U4: [0] }),
      kept('2', 'spool_count_total', { U4: [0] }),
      kept('3', 'spool_start_time', { A: '' }),
      kept('4', 'spool_full_time', { A: '' }),
      kept('5', 'spool_state', { U1: [0] }),
      kept('6', 'spool_load_state', { U1: [0] }),
      kept('7', 'spool_unload_state', { U1: [0] }),
    ],
    constants: [
      { id: '21', name: 'MaxSpoolTransmit', unit: '', value: { U4: [0] }, use: 'max_spool_transmit' },
      { id: '22', name: 'OverWriteSpool', unit: '', value: { BOOLEAN: [false] }, use: 'spool_overwrite' },
      { id: '23', name: 'EnableSpooling', unit: '', value: { BOOLEAN: [true] }, use: 'spooling_enabled' },
    ],
    events: [
      event('41', 'Started'),
      event('901', 'Active'),
      event('902', 'Inactive'),
      event('903', 'Failure'),
    ],
    alarms: [{ id: '51', text: 'Too hot', category: 4, enabled: true }],
    ...change,
  })

let pair: GemPair
async function start(spool: SpoolModel = {}, change: Partial<EquipmentModel> = {}): Promise<void> {
  pair = new GemPair(model(spool, change))
  await pair.select()
  pair.crossed.length = 0
}
beforeEach(() => start())

const setConstant = (id: number, value: Item): string => pair.told(2, 15, L(L(U4(id), value)))
const counts = (): string => pair.told(1, 3, L(U4(1), U4(2)))
const states = (): string => pair.told(1, 3, L(U4(5), U4(6), U4(7)))
const unload = (rsdc = 0): string => pair.told(6, 23, U1(rsdc))
const eventIds = (): string[] => pair.sent().map((one) => /<U4 \d+> <U4 (\d+)>/.exec(one)?.[1] ?? one)
/** The link is lost for a while in which so many events happen. */
async function lose(events: number): Promise<void> {
  pair.cut()
  for (let count = 0; count < events; count += 1) await pair.equipment.fireEvent('41')
  await pair.select()
  pair.crossed.length = 0
}

test('what overwrites the message that is being sent leaves those after it in the spool', async () => {
  const events = ['41', '42', '43', '44'].map((id) => event(id, `Event${id}`))
  await start({ capacity: 2 }, { events, occasions: {} })
  expect(setConstant(22, BOOLEAN(true))).toBe('<B 0x00>')
  pair.cut()
  for (const id of ['41', '42', '43']) await pair.equipment.fireEvent(id)
  await pair.select()
  pair.crossed.length = 0
  expect(unload()).toBe('<B 0x00>')
  pair.clock.advance(0)
  expect(eventIds()).toEqual(['42'])
  // The answer to the first has not come when its place is taken.
  const fired = pair.equipment.fireEvent('44')
  expect(counts()).toBe('<L [2] <U4 2> <U4 4> >')
  await fired
  await pair.pass(0)
  expect(eventIds()).toEqual(['42', '43', '44'])
  expect([counts(), states()]).toEqual(['<L [2] <U4 0> <U4 4> >', '<L [3] <U1 1> <U1 1> <U1 1> >'])
})

test('each change of a state of the spool is announced with its cause', async () => {
  await start({ capacity: 2 })
  const moves: string[] = []
  pair.equipment.spool?.moved.on(({ to, cause }) => moves.push(`${to}: ${cause}`))
  await lose(3)
  unload()
  await pair.pass(0)
  expect(moves).toEqual([
    'SPOOL_ACTIVE: communication_lost',
    'SPOOL_FULL: filled',
    'TRANSMIT_SPOOL: transmit',
    'NO_SPOOL_OUTPUT: done',
    'SPOOL_INACTIVE: emptied',
    'SPOOL_NOT_FULL: relieved',
  ])
})

describe('what cannot be sent', () => {
  test('is spooled before the first communication as well', async () => {
    pair = new GemPair(model({}))
    await expect(pair.equipment.fireEvent('41')).resolves.toBe(false)
    await pair.select()
    expect(counts()).not.toBe('<L [2] <U4 0> <U4 0> >')
  })

  test('is spooled behind the news that spooling began, and counted', async () => {
    expect([states(), unload()]).toEqual(['<L [3] <U1 1> <U1 1> <U1 1> >', '<B 0x02>'])
    pair.cut()
    await expect(pair.equipment.fireEvent('41')).resolves.toBe(false)
    await expect(pair.equipment.changeAlarm('51', true)).resolves.toBe(false)
    await pair.select()
    expect(pair.sent().every((one) => one.startsWith('S1F13'))).toBe(true)
    expect([counts(), states()]).toEqual(['<L [2] <U4 3> <U4 3> >', '<L [3] <U1 2> <U1 1> <U1 1> >'])
    expect(pair.told(1, 3, L(U4(3), U4(4)))).toMatch(/^<L \[2\] <A "\d{16}"> <A ""> >$/)
  })

  test('is sent in order once the host asks for it, one transaction at a time, and spooling is over', async () => {
    await lose(2)
    expect(unload()).toBe('<B 0x00>')
    expect([unload(), states()]).toEqual(['<B 0x01>', '<L [3] <U1 2> <U1 1> <U1 3> >'])
    expect(pair.sent()).toEqual([])
    pair.clock.advance(0)
    expect(pair.sent()).toHaveLength(1)
    await pair.pass(0)
    expect(eventIds()).toEqual(['901', '41', '41', '902'])
    expect([counts(), states()]).toEqual(['<L [2] <U4 0> <U4 3> >', '<L [3] <U1 1> <U1 1> <U1 1> >'])
    expect(unload()).toBe('<B 0x02>')
  })

  test('is lost before communication is enabled', async () => {
    pair = new GemPair(model({}))
    pair.equipment.disable()
    await pair.equipment.fireEvent('41')
    expect(pair.equipment.spool?.counts).toEqual({ actual: 0, total: 0 })
  })

  test('is lost when nobody is to spool it', async () => {
    expect(setConstant(23, { format: 'BOOLEAN', value: 0 })).toBe('<B 0x00>')
    await lose(3)
    expect(unload()).toBe('<B 0x02>')
    await start({ messages: [] })
    await lose(3)
    expect(counts()).toBe('<L [2] <U4 0> <U4 0> >')
  })

  test('is spooled, too, when the link went while it was on its way', async () => {
    pair.ends = { kind: 'lost' }
    const fired = pair.equipment.fireEvent('41')
    pair.cut()
    await expect(fired).resolves.toBe(false)
    pair.ends = undefined
    await pair.select()
    expect(counts()).toBe('<L [2] <U4 2> <U4 2> >')
  })
})

describe('unloading', () => {
  test('new reports wait behind those in the spool, and until it is over what is not spooled is lost', async () => {
    await start({ messages: [{ stream: 6, functions: [] }] })
    await lose(1)
    await expect(pair.equipment.fireEvent('41')).resolves.toBe(false)
    await expect(pair.equipment.changeAlarm('51', true)).resolves.toBe(false)
    await expect(pair.equipment.operator.sendTerminalText('lost')).resolves.toBe(false)
    expect(pair.sent()).toEqual([])
    unload()
    await pair.pass(0)
    expect(eventIds()).toEqual(['901', '41', '41', '902'])
    await expect(pair.equipment.changeAlarm('51', false)).resolves.toBe(true)
  })

  test('what does not leave though the link is there is lost, and begins no spooling', async () => {
    pair.ends = { kind: 'lost' }
    await expect(pair.equipment.fireEvent('41')).resolves.toBe(false)
    pair.ends = undefined
    await expect(pair.equipment.fireEvent('41')).resolves.toBe(true)
    expect(counts()).toBe('<L [2] <U4 0> <U4 0> >')
  })

  test('MaxSpoolTransmit bounds what one request brings', async () => {
    setConstant(21, U4(2))
    await lose(2)
    unload()
    await pair.pass(0)
    expect([eventIds(), states()]).toEqual([['901', '41'], '<L [3] <U1 2> <U1 1> <U1 1> >'])
    unload()
    await pair.pass(0)
    expect(eventIds()).toEqual(['901', '41', '41', '902'])
  })

  test('a link that fails meanwhile loses nothing, and is reported behind the rest', async () => {
    await lose(1)
    unload()
    pair.ends = { kind: 'lost' }
    await pair.pass(0)
    expect(pair.sent()).toHaveLength(1)
    pair.cut()
    pair.ends = undefined
    await pair.select()
    pair.crossed.length = 0
    unload()
    await pair.pass(0)
    expect(eventIds()).toEqual(['901', '41', '903', '902'])
  })

  test('a purge empties it, and whatever else RSDC says changes nothing', async () => {
    await lose(2)
    expect([unload(7), unload(1)]).toEqual(['<B 0x01>', '<B 0x00>'])
    await pair.pass(0)
    expect([eventIds(), counts()]).toEqual([['902'], '<L [2] <U4 0> <U4 3> >'])
  })
})

describe('a full spool', () => {
  test('stays full while it is unloaded: the room is not used again before spooling is over', async () => {
    await start({ capacity: 2 })
    setConstant(21, U4(1))
    await lose(3)
    unload()
    await pair.pass(0)
    await pair.equipment.fireEvent('41')
    expect([counts(), states()]).toEqual(['<L [2] <U4 1> <U4 5> >', '<L [3] <U1 2> <U1 2> <U1 1> >'])
    unload()
    await pair.pass(0)
    expect([eventIds(), states()]).toEqual([['901', '41', '902'], '<L [3] <U1 1> <U1 1> <U1 1> >'])
  })

  test('takes nothing more, and tells since when', async () => {
    await start({ capacity: 2 })
    await lose(5)
    expect([counts(), states()]).toEqual(['<L [2] <U4 2> <U4 6> >', '<L [3] <U1 2> <U1 2> <U1 1> >'])
    expect(pair.told(1, 3, L(U4(4)))).toMatch(/<A "\d{16}">/)
    unload()
    await pair.pass(0)
    expect(eventIds()).toEqual(['901', '41', '902'])
  })

  test('drops the oldest where it overwrites', async () => {
    await start({ capacity: 2 })
    setConstant(22, { format: 'BOOLEAN', value: 1 })
    await lose(3)
    unload()
    await pair.pass(0)
    expect(eventIds()).toEqual(['41', '41', '902'])
  })

  test('is full from the first message that does not fit, and tells no other time while it overwrites', async () => {
    await start({ capacity: 3, overwrite: true })
    pair.cut()
    await pair.equipment.fireEvent('41')
    await pair.equipment.fireEvent('41')
    const { spool } = pair.equipment
    expect([spool?.states.load, spool?.times.filled]).toEqual(['SPOOL_NOT_FULL', ''])
    await pair.equipment.fireEvent('41')
    const since = spool?.times.filled
    await pair.pass(60_000)
    await pair.equipment.fireEvent('41')
    expect([spool?.states.load, since]).toEqual(['SPOOL_FULL', expect.stringMatching(/^\d{16}$/)])
    expect([spool?.times.filled, spool?.counts]).toEqual([since, { actual: 3, total: 5 }])
  })

  test('is full of few messages when they are long', async () => {
    const long = {
      id: '61',
      name: 'Long',
      unit: '',
      kind: 'data',
      value: { A: 'x'.repeat(6_000_000) },
    } as const
    await start(
      {},
      {
        variables: [...model({}).variables, long],
        reports: [{ id: '31', variables: ['61'] }],
        events: [{ ...event('41', 'Started'), reports: ['31'] }, event('901', 'Active')],
      },
    )
    await lose(5)
    expect(counts()).toBe('<L [2] <U4 3> <U4 6> >')
    // A long one takes the place of the oldest ones, as many as it needs and no more.
    setConstant(22, { format: 'BOOLEAN', value: 1 })
    await lose(4)
    expect(counts()).toBe('<L [2] <U4 2> <U4 10> >')
  })
})

describe('S2F43', () => {
  const choose = (...streams: [stream: number, ...functions: number[]][]): string =>
    pair.told(
      2,
      43,
      L(...streams.map(([stream, ...functions]) => L(U1(stream), L(...functions.map((fn) => U1(fn)))))),
    )

  test('chooses what is spooled from then on', async () => {
    expect(choose([5, 1])).toBe('<L [2] <B 0x00> <L [0]> >')
    expect(pair.told(2, 59)).toBe('<L [1] <L [2] <U1 5> <L [1] <U1 1> > > >')
    pair.cut()
    await pair.equipment.fireEvent('41')
    await pair.equipment.changeAlarm('51', true)
    await pair.select()
    expect(counts()).toBe('<L [2] <U4 1> <U4 1> >')
  })

  test('with nothing at all ends all spooling', async () => {
    expect(choose()).toBe('<L [2] <B 0x00> <L [0]> >')
    expect(pair.told(2, 59)).toBe('<L [0]>')
    await lose(1)
    expect([counts(), unload()]).toEqual(['<L [2] <U4 0> <U4 0> >', '<B 0x02>'])
    await expect(pair.equipment.fireEvent('41')).resolves.toBe(true)
  })

  test.each([
    ['stream 1, which is never spooled', [1], '<L [3] <U1 1> <B 0x01> <L [0]> >'],
    ['a stream that the equipment does not send', [64, 1], '<L [3] <U1 64> <B 0x02> <L [1] <U1 1> > >'],
    ['a function that it does not send', [6, 11, 99], '<L [3] <U1 6> <B 0x03> <L [1] <U1 99> > >'],
    ['a secondary', [6, 12], '<L [3] <U1 6> <B 0x04> <L [1] <U1 12> > >'],
  ] as const)('refuses %s, and changes nothing', async (_, [stream, ...functions], fault) => {
    expect(choose([5, 1], [stream, ...functions])).toBe(`<L [2] <B 0x01> <L [1] ${fault} > >`)
    await lose(1)
    expect(counts()).toBe('<L [2] <U4 2> <U4 2> >')
  })
})

test('an equipment without a spool knows nothing of it', async () => {
  pair = new GemPair(bareModel({ events: [event('41', 'Started')] }))
  await pair.select()
  const told = [pair.told(2, 43, L()), pair.told(2, 59), pair.told(6, 23, U1(0))]
  expect(told).toEqual(Array(3).fill('unknown_function'))
  expect(pair.told(10, 3, L({ format: 'B', value: 0 }, A('still there')))).toBe('<B 0x00>')
})
