import { describe, expect, test } from 'vitest'
import { ModelError, parseModel, readModel } from '../../src/simulator/model-file.js'
import { SHIPPED_MODELS, shippedModel } from '../../src/simulator/shipped-models.js'

const LEAST = { name: 'least', mdln: 'LEAST', softrev: '1' }

/** What is wrong with a model, as `pointer: detail`. */
function problemsOf(file: unknown): string[] {
  try {
    readModel(file)
    return []
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return error.problems.map(({ pointer, detail }) => `${pointer}: ${detail}`)
  }
}

test.each([...SHIPPED_MODELS])('the shipped model %s is in order', (name) => {
  expect(shippedModel(name)?.name).toBe(name)
})

test('there is no other shipped model', () => {
  expect(shippedModel('toaster')).toBeUndefined()
})

test('the least model is online and has nothing', () => {
  const { equipment, process, effects, alarmRules } = readModel(LEAST)
  expect(equipment).toEqual({
    mdln: 'LEAST',
    softrev: '1',
    controlState: 'ONLINE_REMOTE',
    controlEvents: {},
    variables: [],
    constants: [],
    reports: [],
    events: [],
    alarms: [],
    commands: [],
  })
  expect([process, effects, alarmRules]).toEqual([undefined, [], []])
})

test('references are by id or by name, and times are in seconds', () => {
  const model = readModel({
    ...LEAST,
    variables: [
      { id: 1, name: 'State', value: { U1: 0 } },
      { id: 'V-2', name: 'Lot', kind: 'data', value: { A: '' } },
    ],
    reports: [{ id: 5, variables: ['Lot', 1] }],
    events: [{ id: 9, name: 'Done', reports: [5] }],
    alarms: [{ id: 3, text: 'Hot', category: 4 }],
    process: {
      variable: 'State',
      initial: 'IDLE',
      states: [{ name: 'IDLE', code: 0, lasts: 1.5, next: 'IDLE', event: 'Done' }],
    },
    incidents: [{ on: 'Done', after: 0.25, alarm: 3 }],
  })
  expect(model.equipment.reports).toEqual([{ id: '5', variables: ['V-2', '1'] }])
  expect(model.process).toMatchObject({ variable: '1', states: [{ lasts: 1500, event: '9' }] })
  expect(model.alarmRules).toMatchObject([{ on: '9', after: 250, alarm: '3', clearAfter: undefined }])
})

describe('a model that cannot be used says where and why', () => {
  const variable = { id: 1, name: 'Lot', value: { A: '' } }
  test.each<[string, object, RegExp]>([
    ['an unknown member', { colour: 'red' }, /\/colour: colour is not known here: there is .*mdln/],
    [
      'a parameter of programs where there are none',
      { commands: [{ name: 'GO', parameters: [{ name: 'PPID', format: 'A', values_from: 'programs' }] }] },
      /^\/commands\/0\/parameters\/0\/values_from: the model has no `programs`/m,
    ],
    [
      'a parameter with two lists of values',
      {
        programs: {},
        commands: [
          {
            name: 'GO',
            parameters: [{ name: 'PPID', format: 'A', values: ['A'], values_from: 'programs' }],
          },
        ],
      },
      /^\/commands\/0\/parameters\/0: it has one of `values` and `values_from`/m,
    ],
    ['a missing member', { mdln: undefined }, /\/mdln: mdln is missing/],
    ['an MDLN that is too long', { mdln: 'x'.repeat(21) }, /\/mdln: /],
    [
      'a unit that no message can hold',
      { variables: [{ ...variable, unit: '℃' }] },
      /^\/variables\/0\/unit: /m,
    ],
    ['an alarm in Chinese', { alarms: [{ id: 1, text: '过热', category: 1 }] }, /^\/alarms\/0\/text: /m],
    ['an id that no message can hold', { events: [{ id: '开始', name: 'E' }] }, /^\/events\/0\/id: /m],
    [
      'a value that is no typed JSON',
      { variables: [{ ...variable, value: 5 }] },
      /^\/variables\/0\/value: an item/m,
    ],
    [
      'a value out of range',
      { variables: [{ ...variable, value: { U1: 256 } }] },
      /^\/variables\/0\/value\/U1/m,
    ],
    [
      'an id that is there twice',
      { variables: [variable, { ...variable, name: 'Other' }] },
      /two have the id 1/,
    ],
    [
      'a name that is there twice',
      { variables: [variable, { ...variable, id: 2 }] },
      /two have the name Lot/,
    ],
    [
      'a report of nothing known',
      { reports: [{ id: 1, variables: [77] }] },
      /\/reports\/0\/variables\/0: there is no variable 77/,
    ],
    [
      'an event with an unknown report',
      { events: [{ id: 1, name: 'E', reports: [7] }] },
      /there is no report 7/,
    ],
    [
      'an alarm with an unknown event',
      { alarms: [{ id: 1, text: 'T', category: 1, set_event: 'No' }] },
      /\/alarms\/0\/set_event: there is no event No/,
    ],
    [
      'a category beyond seven bits',
      { alarms: [{ id: 1, text: 'T', category: 128 }] },
      /\/alarms\/0\/category/,
    ],
    ['a bound on text', { constants: [{ ...variable, minimum: 1 }] }, /only one number/],
    [
      'a parameter that does not fit its variable',
      {
        variables: [variable],
        commands: [{ name: 'GO', parameters: [{ name: 'N', format: 'U2', sets: 'Lot' }] }],
      },
      /\/commands\/0\/parameters\/0\/sets: Lot is no U2/,
    ],
    [
      'a command to an unknown state',
      { commands: [{ name: 'GO', to: 'FLYING' }] },
      /there is no processing state FLYING/,
    ],
    [
      'a process shown by text',
      { variables: [variable], process: { variable: 'Lot', initial: 'A', states: [{ name: 'B', code: 0 }] } },
      /\/process\/initial: there is no processing state A/,
    ],
    [
      'a process variable that the equipment keeps itself',
      {
        variables: [{ id: 1, name: 'C', value: { U1: 0 }, source: 'control_state' }],
        process: { variable: 'C', initial: 'A', states: [{ name: 'A', code: 0 }] },
      },
      /\/process\/variable: /,
    ],
    [
      'a state that ends without a next one',
      {
        variables: [{ id: 1, name: 'S', value: { U1: 0 } }],
        process: { variable: 'S', initial: 'A', states: [{ name: 'A', code: 0, lasts: 1 }] },
      },
      /`lasts` and `next` go together/,
    ],
  ])('%s', (_, part, expected) => {
    expect(problemsOf(JSON.parse(JSON.stringify({ ...LEAST, ...part }))).join('\n')).toMatch(expected)
  })

  test('all that is wrong is reported at once', () => {
    const file = { ...LEAST, reports: [{ id: 1, variables: [7] }], commands: [{ name: 'GO', to: 'X' }] }
    expect(problemsOf(file)).toHaveLength(2)
  })

  test('what is no YAML says so', () => {
    expect(() => parseModel('{')).toThrow(ModelError)
    expect(() => parseModel('{', 'mine.yaml')).toThrow(/^mine\.yaml:1:2 \/: this is no YAML: /)
  })
})
