import { describe, expect, test } from 'vitest'
import { numberIn, type TypedValue } from '../../src/gem/typed-value.js'
import { Behaviour } from '../../src/simulator/behaviour.js'
import { readModel } from '../../src/simulator/model-file.js'
import { GemPair, settle } from '../support/gem-pair.js'

const FILE = {
  name: 'oven',
  mdln: 'OVEN',
  softrev: '1',
  events: [
    { id: 1, name: 'Started' },
    { id: 2, name: 'Done' },
    { id: 3, name: 'Opened' },
  ],
  alarms: [
    { id: 9, text: 'Too hot', category: 5 },
    { id: 10, text: 'By chance', category: 5 },
  ],
  variables: [
    { id: 1, name: 'State', value: { U1: 0 } },
    {
      id: 2,
      name: 'Power',
      value: { U2: 3 },
      follows: [{ while: 'HEATING', ramp: { from: 0, to: 100.4, over: 10 } }],
    },
    { id: 3, name: 'Heat', value: { F4: 20 }, follows: [{ sine: { mean: 20, amplitude: 4, period: 8 } }] },
    { id: 4, name: 'Small', value: { U1: 0 }, follows: [{ ramp: { from: -50, to: 950, over: 10 } }] },
    { id: 5, name: 'Runs', value: { U4: 7 } },
    { id: 6, name: 'Door', value: { A: 'shut' } },
  ],
  process: {
    variable: 'State',
    initial: 'IDLE',
    states: [
      { name: 'IDLE', code: 0 },
      { name: 'HEATING', code: 1, lasts: 10, next: 'IDLE', event: 'Done', counts: 'Runs' },
      { name: 'PAUSED', code: 2, holds: 'HEATING' },
    ],
  },
  commands: [
    { name: 'START', to: 'HEATING', event: 'Started' },
    { name: 'PAUSE', to: 'PAUSED' },
  ],
}

async function begin(more: object = {}, seed = 0) {
  const model = readModel({ ...FILE, ...more })
  let behaviour: Behaviour | undefined
  const pair = new GemPair(
    model.equipment,
    (command) => behaviour?.execute(command) ?? 0,
    (id) => behaviour?.valueOf(id),
  )
  behaviour = new Behaviour(model, pair.equipment, pair.clock, seed)
  behaviour.start()
  await pair.select()
  const advance = async (ms: number): Promise<void> => {
    pair.clock.advance(ms)
    await settle()
  }
  const value = (id: string): TypedValue => pair.equipment.value(id)
  return { pair, behaviour, advance, value, variables: pair.equipment.variables }
}

describe('a variable that follows a function of time', () => {
  test('moves without anything being done for it', async () => {
    const { advance, value } = await begin()
    expect(value('3')).toEqual({ F4: [20] })
    await advance(2000)
    expect(numberIn(value('3'))).toBeCloseTo(24, 5)
  })

  test('only follows in the state that is named, from its beginning on, and whole where it has to be', async () => {
    const { behaviour, advance, value } = await begin()
    await advance(5000)
    expect(value('2')).toEqual({ U2: [3] })
    behaviour.execute('START')
    expect(value('2')).toEqual({ U2: [0] })
    await advance(5000)
    expect(value('2')).toEqual({ U2: [50] })
    await advance(5000)
    expect(value('2')).toEqual({ U2: [3] })
  })

  test('continues after a pause where it was', async () => {
    const { behaviour, advance, value } = await begin()
    behaviour.execute('START')
    await advance(4000)
    behaviour.execute('PAUSE')
    await advance(60_000)
    expect(value('2')).toEqual({ U2: [3] })
    behaviour.execute('START')
    expect(value('2')).toEqual({ U2: [40] })
  })

  test('shows the nearest that its format holds', async () => {
    const { advance, value } = await begin()
    expect(value('4')).toEqual({ U1: [0] })
    await advance(9000)
    expect(value('4')).toEqual({ U1: [255] })
  })

  test('keeps what it was set to until it is let go', async () => {
    const { advance, value, variables } = await begin()
    variables.set('Heat', 90)
    await advance(2000)
    expect(value('3')).toEqual({ F4: [90] })
    variables.release('3')
    expect(numberIn(value('3'))).toBeCloseTo(24, 5)
  })
})

test('a state that ends by itself counts up', async () => {
  const { behaviour, advance, value } = await begin()
  behaviour.execute('START')
  await advance(9999)
  expect(value('5')).toEqual({ U4: [7] })
  await advance(1)
  expect(value('5')).toEqual({ U4: [8] })
})

test('what the equipment itself brings about has its incidents too, until it is stopped', async () => {
  const [hot, chance] = FILE.alarms
  const { behaviour, advance, pair } = await begin({
    events: [...FILE.events, { id: 4, name: 'HotSet' }, { id: 5, name: 'Local' }],
    alarms: [{ ...hot, set_event: 'HotSet' }, chance, { id: 11, text: 'Hands on', category: 1 }],
    control_events: { local: 'Local' },
    incidents: [
      { on: 'HotSet', alarm: 10, clear_after: 1 },
      { on: 'Local', alarm: 11 },
    ],
  })
  await pair.equipment.changeAlarm('9', true)
  await advance(0)
  expect(pair.equipment.alarms.set()).toEqual(['9', '10'])
  await pair.equipment.operate('local')
  await advance(1000)
  await advance(0)
  expect(pair.equipment.alarms.set()).toEqual(['9', '11'])
  behaviour.stop()
  await pair.equipment.changeAlarm('9', false)
  await pair.equipment.changeAlarm('9', true)
  await advance(1000)
  expect(pair.equipment.alarms.set()).toEqual(['9', '11'])
})

const HOT = { variable: 'Heat', above: 30, for: 1, hysteresis: 2 }

describe('an alarm on a condition', () => {
  test('is set when the condition has held for long enough, and cleared when it is over', async () => {
    const { advance, variables, pair } = await begin({ incidents: [{ when: HOT, alarm: 9 }] })
    variables.set('Heat', 31)
    await advance(1400)
    expect(pair.equipment.alarms.set()).toEqual([])
    await advance(100)
    expect(pair.equipment.alarms.set()).toEqual(['9'])
    variables.set('Heat', 29)
    await advance(5000)
    expect(pair.equipment.alarms.set(), 'within the hysteresis').toEqual(['9'])
    variables.set('Heat', 27.9)
    await advance(500)
    expect(pair.equipment.alarms.set()).toEqual([])
  })

  test('is not set when the condition was over in between', async () => {
    const { advance, variables, pair } = await begin({ incidents: [{ when: HOT, alarm: 9 }] })
    for (let time = 0; time < 10; time++) {
      variables.set('Heat', 31)
      await advance(600)
      variables.set('Heat', 20)
      await advance(600)
    }
    expect(pair.equipment.alarms.set()).toEqual([])
  })

  test('leads to another processing state, shows values, and may last', async () => {
    const incident = { when: HOT, alarm: 9, to: 'IDLE', sets: { Door: 'locked' }, clear_after: 60 }
    const { advance, behaviour, variables, value, pair } = await begin({ incidents: [incident] })
    behaviour.execute('START')
    variables.set('Heat', 31)
    await advance(2000)
    expect([behaviour.state, value('6')]).toEqual(['IDLE', { A: 'locked' }])
    variables.set('Heat', 20)
    await advance(50_000)
    expect(pair.equipment.alarms.set()).toEqual(['9'])
    await advance(11_000)
    expect([pair.equipment.alarms.set(), value('6')]).toEqual([[], { A: 'shut' }])
  })

  test.each([
    [{ variable: 'Heat', below: 5 }, 'Heat', 4],
    [{ variable: 'Door', equals: 'open' }, 'Door', 'open'],
    [{ variable: 'State', equals: 1 }, 'State', 1],
  ])('takes %j', async (when, name, value) => {
    const { advance, variables, pair } = await begin({ incidents: [{ when, alarm: 9 }] })
    await advance(1000)
    expect(pair.equipment.alarms.set()).toEqual([])
    variables.set(name, value)
    await advance(500)
    expect(pair.equipment.alarms.set()).toEqual(['9'])
  })
})

describe('an alarm by chance', () => {
  const incidents = [{ on: 'Started', probability: 0.3, alarm: 10, clear_on: 'Done' }]

  /** For each of a hundred runs whether it met the alarm. */
  async function runs(seed: number): Promise<boolean[]> {
    const { behaviour, advance, pair } = await begin({ incidents }, seed)
    const met: boolean[] = []
    for (let run = 0; run < 100; run++) {
      behaviour.execute('START')
      await advance(5000)
      met.push(pair.equipment.alarms.set().includes('10'))
      await advance(6000)
      expect(pair.equipment.alarms.set()).toEqual([])
    }
    return met
  }

  test('comes about as often as it should, the same for the same seed', async () => {
    const met = await runs(1)
    const often = met.filter(Boolean).length
    expect(often).toBeGreaterThan(15)
    expect(often).toBeLessThan(45)
    expect(await runs(1)).toEqual(met)
    expect(await runs(2)).not.toEqual(met)
  })
})

test('nothing is waited for where nothing is to happen', async () => {
  const model = readModel(FILE)
  const pair = new GemPair(model.equipment)
  const waited: number[] = []
  const at = (time: number) => {
    waited.push(time)
    return () => {}
  }
  const clock = { now: () => 0, date: () => new Date(0), at }
  new Behaviour(model, pair.equipment, clock).start()
  expect(waited).toEqual([])
})
