import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { Behaviour } from '../../src/simulator/behaviour.js'
import { modelSchema } from '../../src/simulator/file/schema.js'
import type { Model } from '../../src/simulator/model.js'
import { SHIPPED_MODELS, shippedModel, shippedText } from '../../src/simulator/shipped-models.js'
import { GemPair, settle } from '../support/gem-pair.js'

const schema = modelSchema()
const validate = new Ajv2020({ strict: false }).compile(schema)

test.each([...SHIPPED_MODELS])('%s fits the schema that editors are given, and names it', (name) => {
  const text = shippedText(name) ?? ''
  expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true)
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=./model.schema.json')
  expect(shippedModel(name)).toBe(shippedModel(name))
})

test('every member of the schema says what it is', () => {
  const silent: string[] = []
  const look = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    const { properties } = node as { readonly properties?: Readonly<Record<string, object>> }
    for (const [name, member] of Object.entries(properties ?? {})) {
      if (!('description' in member)) silent.push(`${path}/${name}`)
    }
    for (const [name, child] of Object.entries(node)) look(child, `${path}/${name}`)
  }
  look(schema, '')
  expect(silent).toEqual([])
})

/** A model on made-up time: what it reports, by the events' names. */
async function run(name: string, seed: number) {
  const model = shippedModel(name) as Model
  let behaviour: Behaviour | undefined
  const pair = new GemPair(
    model.equipment,
    (command) => behaviour?.execute(command) ?? 0,
    (id) => behaviour?.valueOf(id),
  )
  behaviour = new Behaviour(model, pair.equipment, pair.clock, seed)
  behaviour.start()
  await pair.select()
  const events = (): string[] =>
    pair.crossed.flatMap(({ stream, item }) => {
      const ceid = stream === 6 && item?.format === 'L' ? item.items[1] : undefined
      const id = ceid?.format === 'U4' ? String(ceid.value) : undefined
      return model.equipment.events.flatMap((event) => (event.id === id ? [event.name] : []))
    })
  const advance = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 500) {
      pair.clock.advance(Math.min(left, 500))
      await settle()
    }
  }
  return { pair, behaviour, advance, events }
}

test('the track runs a wafer through its modules', async () => {
  const { pair, behaviour, advance, events } = await run('track', 3)
  behaviour.execute('START')
  await advance(2000)
  expect(pair.equipment.value('110').U2).not.toEqual([0])
  await advance(10_000)
  expect(events().filter((name) => /Completed|Started/.test(name))).toEqual([
    'WaferStarted',
    'PrimeCompleted',
    'CoatCompleted',
    'SoftBakeCompleted',
    'ChillCompleted',
    'DevelopCompleted',
    'WaferCompleted',
  ])
  expect(pair.equipment.value('120')).toEqual({ U4: [1] })
  expect(pair.equipment.value('110')).toEqual({ U2: [0] })
})

test('the furnace heats, crosses its limit both ways, and cools', async () => {
  const { pair, behaviour, advance, events } = await run('furnace', 1)
  pair.equipment.variables.find('CenterTemperature')
  behaviour.execute('START')
  await advance(20_000)
  expect(Number(pair.equipment.value('20').F4)).toBeGreaterThan(940)
  await advance(20_000)
  expect(events().filter((name) => !/Limit/.test(name))).toEqual([
    'BatchStarted',
    'BoatLoaded',
    'TemperatureReached',
    'OxidationCompleted',
    'CoolingCompleted',
    'BatchCompleted',
  ])
  expect(events().filter((name) => name === 'TemperatureLimit')).toHaveLength(2)
  expect(Number(pair.equipment.value('20').F4)).toBeLessThan(602)
})

test('a furnace that is too hot gives its run up', async () => {
  const { pair, behaviour, advance } = await run('furnace', 1)
  behaviour.execute('START')
  await advance(15_000)
  pair.equipment.variables.set('CenterTemperature', 1010)
  await advance(3000)
  expect([behaviour.state, pair.equipment.alarms.set()]).toEqual(['COOLING', ['1']])
  pair.equipment.variables.release('20')
  await advance(1000)
  expect(pair.equipment.alarms.set()).toEqual([])
})
