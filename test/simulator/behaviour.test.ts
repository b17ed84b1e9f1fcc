import { beforeEach, describe, expect, test } from 'vitest'
import { HCACK } from '../../src/gem/equipment/remote-commands.js'
import { A, B, type Item, L, U4 } from '../../src/secs2/item.js'
import { Behaviour } from '../../src/simulator/behaviour.js'
import type { Model } from '../../src/simulator/model.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { GemPair, settle } from '../support/gem-pair.js'

const STARTED = '3010'
const COMPLETED = '3011'

let pair: GemPair
let behaviour: Behaviour

beforeEach(() => begin(shippedModel('etcher') as Model))

async function begin(model: Model): Promise<void> {
  pair = new GemPair(model.equipment, (command) => behaviour.execute(command))
  behaviour = new Behaviour(model, pair.equipment, pair.clock)
  await pair.select()
}

function command(name: string, ...parameters: Item[]): number | undefined {
  const answer = pair.ask(2, 41, L(A(name), L(...parameters)))
  const hcack = answer.kind === 'reply' && answer.message.item?.format === 'L' && answer.message.item.items[0]
  return hcack && hcack.format === 'B' ? Number(hcack.value) : undefined
}

async function advance(ms: number): Promise<void> {
  pair.clock.advance(ms)
  await settle()
}

/** The collection events that were reported, by CEID. */
const events = (): string[] =>
  pair.crossed.flatMap(({ stream, item }) => {
    const ceid = stream === 6 && item?.format === 'L' ? item.items[1] : undefined
    return ceid?.format === 'U4' ? [String(ceid.value)] : []
  })
const alarms = (): (Item | undefined)[] =>
  pair.crossed.filter(({ stream }) => stream === 5).map(({ item }) => item)
const processState = () => pair.equipment.variables.value('1003')

describe('the etcher', () => {
  test('takes the process programs that are stored at the time, and no others', () => {
    const select = (): number | undefined => command('PP-SELECT', L(A('PPID'), A('NEW')))
    expect(select()).toBe(HCACK.badParameter)
    expect(pair.told(7, 3, L(A('NEW'), A('STEP 1')))).toBe('<B 0x00>')
    expect(select()).toBe(HCACK.done)
    expect(pair.equipment.value('1102')).toEqual({ A: 'NEW' })
    expect(pair.told(7, 17, L(A('NEW')))).toBe('<B 0x00>')
    expect(select()).toBe(HCACK.badParameter)
    expect(command('START', L(A('PPID'), A('NEW')))).toBe(HCACK.badParameter)
    expect(command('START', L(A('PPID'), A('POLY-ETCH-02')))).toBe(HCACK.done)
  })

  test('runs a lot for four seconds, and reports its start after the answer', async () => {
    expect(command('START', L(A('LOTID'), A('L1')))).toBe(HCACK.done)
    expect(events()).toEqual([])
    expect(processState()).toEqual({ U1: [1] })
    await advance(0)
    expect(events()).toEqual([STARTED])
    expect(pair.crossed.at(-1)?.item).toMatchObject({
      items: [{}, U4(3010), { items: [{ items: [{}, { items: [A('L1'), A('OXIDE-ETCH-01'), {}] }] }] }],
    })
    await advance(3999)
    expect(events()).toEqual([STARTED])
    await advance(1)
    expect(events()).toEqual([STARTED, COMPLETED])
    expect(processState()).toEqual({ U1: [0] })
  })

  test('takes no second START while it runs, and one after', async () => {
    command('START')
    expect(command('START')).toBe(HCACK.cannotNow)
    await advance(4000)
    expect(command('START')).toBe(HCACK.done)
  })

  test('has what it can only do while it runs refused while it is idle', () => {
    for (const name of ['STOP', 'PAUSE', 'RESUME', 'ABORT']) expect(command(name)).toBe(HCACK.cannotNow)
  })

  test('keeps the remaining time over a pause', async () => {
    command('START')
    await advance(3000)
    expect(command('PAUSE')).toBe(HCACK.done)
    await advance(60_000)
    expect(processState()).toEqual({ U1: [2] })
    expect(command('RESUME')).toBe(HCACK.done)
    await advance(999)
    expect(processState()).toEqual({ U1: [1] })
    await advance(1)
    expect(events().at(-1)).toBe(COMPLETED)
  })

  test('forgets the remaining time when a paused run is stopped', async () => {
    command('START')
    await advance(3000)
    command('PAUSE')
    command('STOP')
    command('START')
    await advance(3999)
    expect(processState()).toEqual({ U1: [1] })
  })

  test('a run that is aborted does not complete', async () => {
    command('START')
    expect(command('ABORT')).toBe(HCACK.done)
    await advance(60_000)
    expect(events()).toEqual([STARTED, '3015'])
  })

  test('meets a pressure alarm half a second into each run', async () => {
    command('START')
    await advance(499)
    expect(alarms()).toEqual([])
    await advance(1)
    expect(alarms()).toEqual([L(B(0x84), U4(4001), A('Chamber pressure high'))])
    expect(pair.equipment.variables.value('1010')).toEqual({ F4: [85] })
    await advance(1500)
    expect(alarms()).toHaveLength(2)
    expect(pair.equipment.variables.value('1010')).toEqual({ F4: [12.5] })
    await advance(10_000)
    command('START')
    await advance(10_000)
    expect(alarms()).toHaveLength(4)
  })

  test('shows the usual pressure again when one alarm came within another', async () => {
    command('START')
    await advance(600)
    command('ABORT')
    command('START')
    await advance(600)
    expect(pair.equipment.variables.value('1010')).toEqual({ F4: [85] })
    await advance(10_000)
    expect(pair.equipment.variables.value('1010')).toEqual({ F4: [12.5] })
    expect(pair.equipment.alarms.set()).toEqual([])
  })

  test('meets it no more often than its model says', async () => {
    const model = shippedModel('etcher') as Model
    await begin({ ...model, alarmRules: model.alarmRules.map((rule) => ({ ...rule, times: 1 })) })
    for (const run of ['first', 'second']) {
      expect(command('START'), run).toBe(HCACK.done)
      await advance(10_000)
    }
    expect(alarms()).toHaveLength(2)
  })

  test('selects only recipes that it has', () => {
    expect(command('PP-SELECT', L(A('PPID'), A('POLY-ETCH-02')))).toBe(HCACK.done)
    expect(command('PP-SELECT', L(A('PPID'), A('BREAD')))).toBe(HCACK.badParameter)
    expect(pair.equipment.variables.value('1102')).toEqual({ A: 'POLY-ETCH-02' })
  })

  test('does nothing more once stopped', async () => {
    command('START')
    behaviour.stop()
    await advance(60_000)
    expect([events(), alarms()]).toEqual([[], []])
  })
})
