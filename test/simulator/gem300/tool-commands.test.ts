import { beforeEach, describe, expect, test } from 'vitest'
import { ControlDesk } from '../../../src/simulator/control/control-desk.js'
import type { Model } from '../../../src/simulator/model.js'
import { ModelError } from '../../../src/simulator/model-file.js'
import { shippedModel } from '../../../src/simulator/shipped-models.js'
import { Simulator } from '../../../src/simulator/simulator.js'
import { ManualClock } from '../../support/manual-clock.js'
import { toolModel } from './tool-variants.js'

let clock: ManualClock
let desk: ControlDesk

function begin(model: Model): void {
  clock = new ManualClock()
  const options = { role: 'active', host: '127.0.0.1', port: 1, seed: 7 } as const
  desk = new ControlDesk(new Simulator(model, options, { clock }))
}

beforeEach(() => begin(toolModel()))

const usage = expect.objectContaining({ ok: false, code: 'usage' })
const refused = expect.objectContaining({ ok: false, code: 'refused' })

describe('the operator of a tool', () => {
  test('places a carrier with the slots that are named, and sees it', async () => {
    expect(await desk.run('load 1 FOUP7 1-3,5')).toEqual({
      ok: true,
      port: 1,
      carrier: 'FOUP7',
      slots: 'ooo.o....................',
    })
    clock.advance(1000)
    expect(await desk.run('material')).toMatchObject({
      ports: [{ port: 1, transfer_state: 'TRANSFER_BLOCKED', placed: 'FOUP7' }, { placed: null }],
      carriers: [{ id: 'FOUP7', port: 1, id_status: 'WAITING_FOR_HOST', slots: null }],
      jobs: [],
      substrates: [],
    })
  })

  test.each(['unload 1', 'pause', 'resume', 'abort'])('is refused %s where nothing is', async (line) => {
    expect(await desk.run(line)).toEqual(refused)
  })

  test.each(['load 1', 'load x FOUP7', 'load 3 FOUP7', 'load 1 FOUP7 0-3', 'load 1 "A*"', 'unload'])(
    'is told what is wrong with %s',
    async (line) => {
      expect(await desk.run(line)).toEqual(usage)
    },
  )

  test.each(['load 1 FOUP7', 'pause', 'material', 'unreadable on', 'break-off 3'])(
    'of other equipment is refused %s',
    async (line) => {
      begin(shippedModel('track') as Model)
      expect(await desk.run(line)).toEqual(refused)
    },
  )
})

describe('the faults of a tool', () => {
  test('are set, shown as the commands that set them, and mended', async () => {
    for (const line of [
      'unreadable on',
      'differ 3',
      'double 5',
      'break-off 10',
      'lose 20',
      'refuse S16F15 Recipe is locked',
    ])
      expect(await desk.run(line)).toMatchObject({ ok: true })
    expect(await desk.run('status')).toMatchObject({
      faults: [
        'unreadable on',
        'differ 3',
        'double 5',
        'refuse S16F15 Recipe is locked',
        'break-off 10',
        'lose 20',
      ],
    })
    expect(await desk.run('refuse S16F15 off')).toMatchObject({ ok: true })
    expect(await desk.run('mend')).toEqual({ ok: true, faults: [] })
  })

  test.each(['differ 26', 'double x', 'refuse S1F1 no', 'lose 0'])('are not set by %s', async (line) => {
    expect(await desk.run(line)).toEqual(usage)
  })
})

test('a model file with a setting that is none is told what there is', () => {
  expect(() => toolModel('events: sometimes')).toThrow(ModelError)
  expect(() => toolModel('events: sometimes')).toThrow(/port_in_name/)
})
