import { beforeEach, describe, expect, test } from 'vitest'
import type { GemChange } from '../../../src/gem/conversation.js'
import type { EquipmentReply } from '../../../src/gem/equipment/equipment.js'
import type { EquipmentModel } from '../../../src/gem/equipment/equipment-model.js'
import { HCACK, type HostCommandAcknowledge } from '../../../src/gem/equipment/remote-commands.js'
import { restore, retained } from '../../../src/gem/equipment/retained.js'
import { A, B, BOOLEAN, F4, type Item, L, U1, U2, U4 } from '../../../src/secs2/item.js'
import { printItem } from '../../../src/secs2/sml/print.js'
import { GemPair, settle } from '../../support/gem-pair.js'

const MODEL: EquipmentModel = {
  mdln: 'TESTER',
  softrev: '3',
  controlState: 'ONLINE_REMOTE',
  controlEvents: { offline: '901', local: '902', remote: '903' },
  variables: [
    { id: '1', name: 'ControlState', unit: '', kind: 'status', value: { U1: [0] }, source: 'control_state' },
    { id: '2', name: 'Pressure', unit: 'mtorr', kind: 'status', value: { F4: [12.5] } },
    { id: '3', name: 'AlarmsSet', unit: '', kind: 'status', value: { L: [] }, source: 'alarms_set' },
    { id: '4', name: 'Clock', unit: '', kind: 'status', value: { A: '' }, source: 'clock' },
    { id: '11', name: 'LotID', unit: '', kind: 'data', value: { A: '' } },
  ],
  constants: [
    { id: '21', name: 'Limit', unit: 'W', value: { U2: [100] }, minimum: 10, maximum: 200 },
    { id: '22', name: 'Greeting', unit: '', value: { A: 'hi' } },
  ],
  reports: [{ id: '31', variables: ['11', '2'] }],
  events: [
    { id: '41', name: 'Started', enabled: true, reports: ['31'] },
    { id: '42', name: 'Ended', enabled: false, reports: [] },
    { id: '901', name: 'Offline', enabled: true, reports: [] },
    { id: '902', name: 'Local', enabled: true, reports: [] },
    { id: '903', name: 'Remote', enabled: true, reports: [] },
  ],
  alarms: [
    { id: '51', text: 'Too hot', category: 4, enabled: true },
    { id: '52', text: 'Door open', category: 1, enabled: false },
  ],
  commands: [
    {
      name: 'START',
      parameters: [
        { name: 'LOTID', format: 'A', required: true, sets: 'LotID' },
        { name: 'COUNT', format: 'U2', required: false },
        { name: 'MODE', format: 'A', required: false, values: ['FAST', 'SLOW'] },
      ],
    },
    { name: 'STOP', parameters: [] },
  ],
}

let pair: GemPair
let hcack: HostCommandAcknowledge

beforeEach(async () => {
  hcack = HCACK.done
  pair = new GemPair(MODEL, () => hcack)
  await pair.select()
})

/** An answer on one line. */
function told(answer: EquipmentReply): string {
  if (answer.kind === 'fault') return answer.fault
  if (answer.kind !== 'reply') return answer.kind
  return answer.message.item ? printItem(answer.message.item).replace(/\s+/g, ' ') : 'header only'
}
const ask = (stream: number, fn: number, item?: Item): string => told(pair.ask(stream, fn, item))
const names = (): string[] => pair.crossed.map(({ stream, function: fn, from }) => `${from} S${stream}F${fn}`)

describe('communication', () => {
  test('both sides ask at once, each answers, and both communicate', () => {
    expect(names()).toEqual(['host S1F13', 'equipment S1F13'])
    expect([pair.host.communicationState, pair.equipment.communicationState]).toEqual([
      'COMMUNICATING',
      'COMMUNICATING',
    ])
    expect(pair.host.model).toEqual({ mdln: 'TESTER', softrev: '3' })
  })

  test('S1F1 and S1F13 tell what the equipment is, and one that is disabled denies communication', () => {
    const told = '<L [2] <A "TESTER"> <A "3"> >'
    expect(ask(1, 1)).toBe(told)
    expect(ask(1, 13, L())).toBe(`<L [2] <B 0x00> ${told} >`)
    pair.equipment.disable()
    expect(ask(1, 13, L())).toBe(`<L [2] <B 0x01> ${told} >`)
    expect(pair.equipment.communicationState).toBe('DISABLED')
  })

  test('before it, everything but S1F13 is aborted', () => {
    pair.equipment.linkLost()
    expect(ask(1, 1)).toBe('abort')
    expect(ask(1, 13, L())).toBe('<L [2] <B 0x00> <L [2] <A "TESTER"> <A "3"> > >')
  })
})

describe('variables and constants', () => {
  test('S1F3 answers in the order asked, an unknown one as an empty list', () => {
    expect(ask(1, 3, L(U4(2), U2(1), U4(77)))).toBe('<L [3] <F4 12.5> <U1 5> <L [0]> >')
  })

  test('S1F3 with an empty list answers all status variables and no data variables', () => {
    expect(ask(1, 3, L())).toMatch(/^<L \[4\] <U1 5> <F4 12.5> <L \[0\]> <A "\d{16}"> >$/)
  })

  test('S1F11 and S1F21 name them, with their units', () => {
    expect(ask(1, 11, L(U4(2), U4(77)))).toBe(
      '<L [2] <L [3] <U4 2> <A "Pressure"> <A "mtorr"> > <L [3] <U4 77> <A ""> <A ""> > >',
    )
    expect(ask(1, 21, L())).toBe('<L [1] <L [3] <U4 11> <A "LotID"> <A ""> > >')
  })

  test('a variable keeps its format whatever it is set from', () => {
    pair.equipment.variables.set('Pressure', '85.5')
    expect(ask(1, 3, L(U4(2)))).toBe('<L [1] <F4 85.5> >')
    expect(() => pair.equipment.variables.set('Pressure', 'high')).toThrow(RangeError)
    expect(() => pair.equipment.variables.set('ControlState', 1)).toThrow(RangeError)
    expect(() => pair.equipment.variables.set('Nothing', 1)).toThrow(RangeError)
  })

  test('S2F15 sets all of its constants or none', () => {
    const change = (id: number, value: Item): Item => L(U4(id), value)
    expect(ask(2, 15, L(change(21, U2(150)), change(22, A('ho'))))).toBe('<B 0x00>')
    expect(ask(2, 15, L(change(22, A('no')), change(21, U2(201))))).toBe('<B 0x03>')
    expect(ask(2, 15, L(change(22, A('no')), change(99, U2(1))))).toBe('<B 0x01>')
    expect(ask(2, 15, L(change(21, A('many'))))).toBe('<B 0x03>')
    expect(ask(2, 13, L(U4(21), U4(22)))).toBe('<L [2] <U2 150> <A "ho"> >')
  })

  test('S2F29 tells their bounds in their own format', () => {
    expect(ask(2, 29, L(U4(21)))).toBe(
      '<L [1] <L [6] <U4 21> <A "Limit"> <U2 10> <U2 200> <U2 100> <A "W"> > >',
    )
  })
})

describe('event reports', () => {
  const define = (...reports: Item[]): string => ask(2, 33, L(U4(1), L(...reports)))
  const link = (...links: Item[]): string => ask(2, 35, L(U4(1), L(...links)))
  const enable = (on: boolean, ...events: number[]): string =>
    ask(2, 37, L(BOOLEAN(on), L(...events.map((id) => U4(id)))))

  test('an event sends its reports with the values of that moment, and hears that they arrived', async () => {
    pair.equipment.variables.set('LotID', 'L1')
    await expect(pair.equipment.fireEvent('41')).resolves.toBe(true)
    const { stream, function: fn, item } = pair.crossed.at(-1) ?? { stream: 0, function: 0, item: undefined }
    expect([stream, fn, item && printItem(item).replace(/\s+/g, ' ')]).toEqual([
      6,
      11,
      '<L [3] <U4 1> <U4 41> <L [1] <L [2] <U4 31> <L [2] <A "L1"> <F4 12.5> > > > >',
    ])
  })

  test('an event that is not enabled is not sent', async () => {
    await expect(pair.equipment.fireEvent('42')).resolves.toBe(false)
    expect(names()).not.toContain('equipment S6F11')
  })

  test('the order that works on real equipment works here', async () => {
    expect(enable(false)).toBe('<B 0x00>')
    expect(define()).toBe('<B 0x00>')
    expect(define(L(U4(7), L(U4(1), U4(21))))).toBe('<B 0x00>')
    expect(link(L(U4(42), L(U4(7))))).toBe('<B 0x00>')
    expect(enable(true, 42)).toBe('<B 0x00>')
    expect(ask(1, 23, L(U4(42)))).toBe('<L [1] <L [3] <U4 42> <A "Ended"> <L [2] <U4 1> <U4 21> > > >')
    expect(ask(6, 15, U4(42))).toMatch(/<L \[1\] <L \[2\] <U4 7> <L \[2\] <U1 5> <U2 100> > > > >$/)
    expect(ask(6, 19, U4(7))).toBe('<L [2] <U1 5> <U2 100> >')
    await expect(pair.equipment.fireEvent('42')).resolves.toBe(true)
    await expect(pair.equipment.fireEvent('41')).resolves.toBe(false)
  })

  test('each step is all or nothing, and says why not', () => {
    expect(define(L(U4(7), L(U4(1))), L(U4(31), L(U4(1))))).toBe('<B 0x03>')
    expect(define(L(U4(7), L(U4(1))), L(U4(8), L(U4(777))))).toBe('<B 0x04>')
    expect(ask(6, 19, U4(7))).toBe('<L [0]>')
    expect(link(L(U4(42), L(U4(31))), L(U4(41), L(U4(31))))).toBe('<B 0x03>')
    expect(link(L(U4(42), L(U4(31))), L(U4(4711), L(U4(31))))).toBe('<B 0x04>')
    expect(link(L(U4(42), L(U4(7))))).toBe('<B 0x05>')
    expect(pair.equipment.reports.reportsOf('42')).toEqual([])
    expect(enable(true, 42, 4711)).toBe('<B 0x01>')
    expect(pair.equipment.reports.isEnabled('42')).toBe(false)
  })

  test('there is no space for reports without end', () => {
    const variables = L(...Array.from({ length: 50_001 }, () => U4(1)))
    expect(define(L(U4(7), variables))).toBe('<B 0x00>')
    expect(define(L(U4(8), variables))).toBe('<B 0x01>')
    expect(link(L(U4(42), L(U4(7), U4(7))))).toBe('<B 0x01>')
    expect(link(L(U4(42), L(U4(7))))).toBe('<B 0x00>')
  })

  test('deleting a report takes it from its events, and an event may be unlinked', () => {
    expect(define(L(U4(31), L()))).toBe('<B 0x00>')
    expect(pair.equipment.reports.reportsOf('41')).toEqual([])
    expect(define(L(U4(31), L(U4(1))))).toBe('<B 0x00>')
    expect(link(L(U4(41), L(U4(31))))).toBe('<B 0x00>')
    expect(link(L(U4(41), L()))).toBe('<B 0x00>')
    expect(pair.equipment.reports.reportsOf('41')).toEqual([])
  })
})

describe('alarms', () => {
  test('S5F1 tells set and cleared by the top bit of ALCD, once each', async () => {
    await expect(pair.equipment.changeAlarm('51', true)).resolves.toBe(true)
    await expect(pair.equipment.changeAlarm('51', true)).resolves.toBe(false)
    expect(ask(1, 3, L(U4(3)))).toBe('<L [1] <L [1] <U4 51> > >')
    await expect(pair.equipment.changeAlarm('51', false)).resolves.toBe(true)
    const sent = pair.crossed.filter(({ stream }) => stream === 5).map(({ item }) => item)
    expect(sent).toEqual([L(B(0x84), U4(51), A('Too hot')), L(B(0x04), U4(51), A('Too hot'))])
  })

  test('one that is not enabled is kept, not sent', async () => {
    await expect(pair.equipment.changeAlarm('52', true)).resolves.toBe(false)
    expect(names()).not.toContain('equipment S5F1')
    expect(ask(5, 5, U4(52))).toBe('<L [1] <L [3] <B 0x81> <U4 52> <A "Door open"> > >')
  })

  test('S5F3 enables one or all, S5F7 lists those that are', () => {
    expect(ask(5, 3, L(B(0), U4(51)))).toBe('<B 0x00>')
    expect(ask(5, 7)).toBe('<L [0]>')
    expect(ask(5, 3, L(B(0x80), U4()))).toBe('<B 0x00>')
    expect(ask(5, 7)).toMatch(/^<L \[2\]/)
    expect(ask(5, 3, L(B(0x80), U4(99)))).toBe('<B 0x01>')
    expect(ask(5, 3, L(B(0), U4(51, 99)))).toBe('<B 0x01>')
    expect(ask(5, 7)).toMatch(/^<L \[2\]/)
    expect(ask(5, 3, L(B(0), U4(51, 52)))).toBe('<B 0x00>')
    expect(ask(5, 7)).toBe('<L [0]>')
    expect(ask(5, 5, U4(99))).toBe('<L [1] <L [3] <B> <U4 99> <A ""> > >')
  })

  test('one that the model does not have is refused', async () => {
    await expect(pair.equipment.changeAlarm('99', true)).rejects.toThrow(RangeError)
  })
})

describe('remote commands', () => {
  const command = (name: string, ...parameters: Item[]): string => ask(2, 41, L(A(name), L(...parameters)))
  const lot = L(A('LOTID'), A('L7'))

  test('one that is carried out takes its parameters into variables', () => {
    expect(command('START', lot, L(A('COUNT'), U2(25)))).toBe('<L [2] <B 0x00> <L [0]> >')
    expect(pair.equipment.value('11')).toEqual({ A: 'L7' })
  })

  test.each([
    ['an unknown command', 'JUMP', [], '<L [2] <B 0x01> <L [0]> >'],
    ['a parameter that is missing', 'START', [], '<L [2] <B 0x03> <L [1] <L [2] <A "LOTID"> <B 0x02> > > >'],
    [
      'an unknown parameter',
      'START',
      [lot, L(A('X'), A('1'))],
      '<L [2] <B 0x03> <L [1] <L [2] <A "X"> <B 0x01> > > >',
    ],
    [
      'a value that is not allowed',
      'START',
      [lot, L(A('MODE'), A('MAD'))],
      '<L [2] <B 0x03> <L [1] <L [2] <A "MODE"> <B 0x02> > > >',
    ],
    [
      'a value of the wrong format',
      'START',
      [lot, L(A('COUNT'), A('x'))],
      '<L [2] <B 0x03> <L [1] <L [2] <A "COUNT"> <B 0x03> > > >',
    ],
  ])('%s is refused and named', (_, name, parameters, expected) => {
    expect(command(name, ...parameters)).toBe(expected)
    expect(pair.equipment.value('11')).toEqual({ A: '' })
  })

  test('one that cannot be carried out now changes nothing', () => {
    hcack = HCACK.cannotNow
    expect(command('START', lot)).toBe('<L [2] <B 0x02> <L [0]> >')
    expect(pair.equipment.value('11')).toEqual({ A: '' })
  })

  test.each([
    [HCACK.done, '<U1 0>'],
    [HCACK.later, '<U1 0>'],
    [HCACK.cannotNow, '<U1 2>'],
    [HCACK.alreadySo, '<U1 2>'],
  ])('S2F21 answers HCACK %s by the nearest code of CMDA', (given, expected) => {
    hcack = given
    expect(ask(2, 21, A('STOP'))).toBe(expected)
    expect(ask(2, 21, A('JUMP'))).toBe('<U1 1>')
  })

  test('while local, no command is carried out', async () => {
    await pair.equipment.operate('local')
    expect(command('STOP')).toBe('<L [2] <B 0x02> <L [0]> >')
  })
})

describe('the control state', () => {
  let changes: string[]
  beforeEach(() => {
    changes = []
    pair.equipment.changed.on(({ from, to }: GemChange) => changes.push(`${from} > ${to}`))
  })

  test('S1F15 takes it offline, where all but S1F13 and S1F17 is aborted', () => {
    expect(ask(1, 15)).toBe('<B 0x00>')
    expect([ask(1, 1), ask(2, 41, L(A('STOP'), L()))]).toEqual(['abort', 'abort'])
    expect(ask(1, 13, L())).toMatch(/^<L \[2\] <B 0x00>/)
    expect(ask(1, 17)).toBe('<B 0x00>')
    expect(ask(1, 17)).toBe('<B 0x02>')
    expect(changes).toEqual(['ONLINE_REMOTE > HOST_OFFLINE', 'HOST_OFFLINE > ONLINE_REMOTE'])
  })

  test('what the operator took offline only the operator brings online, by asking the host', async () => {
    await pair.equipment.operate('offline')
    expect(ask(1, 17)).toBe('<B 0x01>')
    await pair.equipment.operate('online')
    expect(names().slice(-2)).toEqual(['equipment S1F1', 'equipment S6F11'])
    expect(changes).toEqual([
      'ONLINE_REMOTE > EQUIPMENT_OFFLINE',
      'EQUIPMENT_OFFLINE > ATTEMPT_ONLINE',
      'ATTEMPT_ONLINE > ONLINE_REMOTE',
    ])
  })

  test('a host that does not agree leaves it offline', async () => {
    await pair.equipment.operate('offline')
    pair.equipment.linkLost()
    await pair.equipment.operate('online')
    expect(pair.equipment.controlState).toBe('EQUIPMENT_OFFLINE')
  })

  test('an attempt that the operator gave up does not end the next one', async () => {
    await pair.equipment.operate('offline')
    const ends = [{ kind: 'timed_out' } as const, undefined]
    Object.defineProperty(pair, 'ends', { get: () => ends.shift() })
    const first = pair.equipment.operate('online')
    await pair.equipment.operate('offline')
    const second = pair.equipment.operate('online')
    await Promise.all([first, second])
    expect(pair.equipment.controlState).toBe('ONLINE_REMOTE')
  })

  test('the switch for local and remote holds while offline', async () => {
    ask(1, 15)
    await pair.equipment.operate('local')
    ask(1, 17)
    expect(pair.equipment.controlState).toBe('ONLINE_LOCAL')
    ask(1, 15)
    await pair.equipment.operate('remote')
    ask(1, 17)
    expect(pair.equipment.controlState).toBe('ONLINE_REMOTE')
  })

  test('the switch for local and remote asks the host nothing, also during an attempt to get online', async () => {
    await pair.equipment.operate('offline')
    const before = names().length
    const attempt = pair.equipment.operate('online')
    await Promise.all([attempt, pair.equipment.operate('local')])
    expect(names().slice(before)).toEqual(['equipment S1F1', 'equipment S6F11'])
    expect(pair.equipment.controlState).toBe('ONLINE_LOCAL')
  })

  test('each change is reported as the model says, after the answer that brought it about', async () => {
    ask(1, 15)
    expect(names()).not.toContain('equipment S6F11')
    pair.clock.advance(0)
    await settle()
    expect(pair.crossed.at(-1)?.item).toEqual(L(U4(1), U4(901), L()))
  })
})

test('what GEM keeps while the power is off is restored, and what the model no longer has is named', async () => {
  await pair.equipment.operate('local')
  const told = [
    ask(2, 15, L(L(U4(21), U2(150)))),
    ask(2, 33, L(U4(0), L(L(U4(77), L(U4(2)))))),
    ask(2, 35, L(U4(0), L(L(U4(42), L(U4(77)))))),
    ask(2, 37, L(BOOLEAN(false), L(U4(41)))),
    ask(5, 3, L(B(0x80), U4(52))),
    ask(2, 31, A('2030010203040506')),
  ]
  expect(told).toEqual(Array(6).fill('<B 0x00>'))
  const before = retained(pair.equipment)
  expect(before.remote).toBe(false)
  pair = new GemPair(MODEL)
  expect(restore(pair.equipment, before)).toEqual([])
  expect(retained(pair.equipment)).toEqual(before)
  expect(pair.equipment.controlState).toBe('ONLINE_LOCAL')
  const smaller = new GemPair({
    ...MODEL,
    constants: [],
    variables: MODEL.variables.slice(0, 1),
    events: MODEL.events.slice(0, 1),
    alarms: [],
  })
  expect(restore(smaller.equipment, before).map((lost) => lost.replace(/^(\w+).*?(\d+)$/, '$1 $2'))).toEqual([
    ...['constant 21', 'constant 22', 'report 31', 'report 77'],
    ...['links 41', 'links 42', 'event 901', 'event 902', 'event 903', 'alarm 51', 'alarm 52'],
  ])
})

test.each([
  [{ controlState: 'ONLINE_REMOTE' }, true],
  [{ controlState: 'ONLINE_LOCAL' }, false],
  [{ controlState: 'EQUIPMENT_OFFLINE' }, true],
  [{ controlState: 'EQUIPMENT_OFFLINE', onlineSubstate: 'LOCAL' }, false],
  [{ controlState: 'EQUIPMENT_OFFLINE', onlineSubstate: 'REMOTE' }, true],
] as const)(
  'with %j the switch is at remote: %s, and it is turned by what was retained',
  (change, isRemote) => {
    const { equipment } = new GemPair({ ...MODEL, ...change })
    expect(retained(equipment).remote).toBe(isRemote)
    restore(equipment, { ...retained(equipment), remote: !isRemote })
    expect(retained(equipment).remote).toBe(!isRemote)
    const state = isRemote ? 'ONLINE_LOCAL' : 'ONLINE_REMOTE'
    expect(equipment.controlState).toBe(
      change.controlState === 'EQUIPMENT_OFFLINE' ? 'EQUIPMENT_OFFLINE' : state,
    )
  },
)

test('S2F31 sets the clock, and refuses what is no time', () => {
  expect(ask(2, 31, A('2030010203040506'))).toBe('<B 0x00>')
  pair.clock.advance(1000)
  expect(ask(2, 17)).toBe('<A "2030010203040606">')
  expect(ask(2, 31, A('tomorrow'))).toBe('<B 0x01>')
})

test('S10F3 and S10F5 show text on a terminal', () => {
  const shown: unknown[] = []
  pair.equipment.terminal.on((message) => shown.push(message))
  expect(ask(10, 3, L(B(1), A('hello')))).toBe('<B 0x00>')
  expect(ask(10, 5, L(B(0), L(A('two'), A('lines'))))).toBe('<B 0x00>')
  expect(shown).toEqual([
    { terminal: 1, lines: ['hello'] },
    { terminal: 0, lines: ['two', 'lines'] },
  ])
})

test.each([
  ['an unknown stream', 64, 1, undefined, 'unknown_stream'],
  ['an unknown function', 1, 99, undefined, 'unknown_function'],
  ['a body that does not fit', 1, 3, F4(1), 'illegal_data'],
  ['a header where there is a body', 1, 1, U1(1), 'illegal_data'],
])('%s is a fault for stream 9 to tell', (_, stream, fn, item, fault) => {
  expect(ask(stream, fn, item)).toBe(fault)
})

test('a primary whose body is no SECS-II is illegal data, also where it needs no body', () => {
  for (const fn of [1, 13]) {
    const primary = { stream: 1, function: fn, wait: true, item: undefined }
    const fault = pair.equipment.replyTo({ ...primary, fault: 'truncated' })
    expect(fault).toEqual({ kind: 'fault', fault: 'illegal_data' })
  }
})
