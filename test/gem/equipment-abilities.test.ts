import { beforeEach, describe, expect, test } from 'vitest'
import { CAPABILITIES, CAPABILITY_MESSAGES, type Capability } from '../../src/gem/capabilities.js'
import type { EquipmentModel } from '../../src/gem/equipment/equipment-model.js'
import { HCACK, type HostCommandAcknowledge } from '../../src/gem/equipment/remote-commands.js'
import { A, B, BOOLEAN, type Item, L, U1, U4 } from '../../src/secs2/item.js'
import { GemPair } from '../support/gem-pair.js'
import { bareModel } from './bare-model.js'

const MODEL: EquipmentModel = bareModel({
  occasions: { constant_changed: '42', operator_command: '43', message_recognized: '44' },
  variables: [
    { id: '1', name: 'Mode', unit: '', kind: 'status', value: { A: 'IDLE' } },
    { id: '2', name: 'ChangedConstant', unit: '', kind: 'data', value: { U4: [0] }, source: 'constant_id' },
    { id: '3', name: 'ChangedValue', unit: '', kind: 'data', value: { A: '' }, source: 'constant_value' },
    { id: '4', name: 'Command', unit: '', kind: 'data', value: { A: '' }, source: 'operator_command' },
    { id: '5', name: 'AlarmText', unit: '', kind: 'data', value: { A: '' }, source: 'alarm_text' },
    { id: 'T6', name: 'Textual', unit: '', kind: 'status', value: { U1: [6] } },
  ],
  constants: [
    { id: '21', name: 'Limit', unit: 'W', value: { U2: [100] }, minimum: 10, maximum: 200 },
    {
      id: '22',
      name: 'TimeFormat',
      unit: '',
      value: { U1: [1] },
      minimum: 0,
      maximum: 2,
      use: 'time_format',
    },
    { id: '23', name: 'EstabTimeout', unit: 's', value: { U2: [7] }, use: 'establish_timeout' },
  ],
  reports: [
    { id: '31', variables: ['2', '3'] },
    { id: '32', variables: ['4'] },
    { id: '33', variables: ['5', 'T6'] },
  ],
  events: [
    { id: '41', name: 'AlarmSet', enabled: true, reports: ['33'] },
    { id: '42', name: 'ConstantChanged', enabled: true, reports: ['31'] },
    { id: '43', name: 'OperatorCommand', enabled: true, reports: ['32'] },
    { id: '44', name: 'Recognized', enabled: true, reports: [] },
  ],
  alarms: [{ id: '51', text: 'Too hot', category: 4, enabled: true, setEvent: '41' }],
  commands: [
    { name: 'STOP', parameters: [] },
    { name: 'GO', parameters: [{ name: 'MODE', format: 'A', required: true, sets: 'Mode' }] },
  ],
  objects: ['CHAMBER:1'],
  spool: {},
  programs: { stored: [] },
  terminal: { ids: [0, 2], lines: 2 },
  longestBody: 1000,
})

let pair: GemPair
let hcack: HostCommandAcknowledge
async function start(change: Partial<EquipmentModel> = {}): Promise<void> {
  hcack = HCACK.done
  pair = new GemPair({ ...MODEL, ...change }, () => hcack)
  await pair.select()
  pair.crossed.length = 0
}
beforeEach(() => start())

describe('commands in their other forms', () => {
  const mode = L(A('MODE'), A('FAST'))
  const enhanced = (object: string, name: string, ...parameters: Item[]): string =>
    pair.told(2, 49, L(U4(1), A(object), A(name), L(...parameters)))

  test('S2F21 has none of their parameters', () => {
    expect([pair.told(2, 21, A('STOP')), pair.told(2, 21, A('JUMP')), pair.told(2, 21, A('GO'))]).toEqual([
      '<U1 0>',
      '<U1 1>',
      '<U1 2>',
    ])
    hcack = HCACK.cannotNow
    expect(pair.told(2, 21, A('STOP'))).toBe('<U1 2>')
  })

  test('S2F49 names an object and says what is wrong with each parameter', () => {
    expect(enhanced('CHAMBER:1', 'GO', mode)).toBe('<L [2] <B 0x00> <L [0]> >')
    expect(pair.told(1, 3, L(U4(1)))).toBe('<L [1] <A "FAST"> >')
    expect(enhanced('CHAMBER:2', 'GO', mode)).toBe('<L [2] <B 0x06> <L [0]> >')
    expect(enhanced('', 'GO', mode, L(A('MODE'), L(A('x'))))).toBe(
      '<L [2] <B 0x03> <L [1] <L [2] <A "MODE"> <U1 3> > > >',
    )
  })

  test('a parameter may have to name a process program that is stored', async () => {
    const ppid = { name: 'PPID', format: 'A', required: true, values: 'programs' } as const
    await start({ commands: [{ name: 'RUN', parameters: [ppid] }] })
    const run = (): string => enhanced('', 'RUN', L(A('PPID'), A('P1')))
    expect(run()).toBe('<L [2] <B 0x03> <L [1] <L [2] <A "PPID"> <U1 2> > > >')
    pair.told(7, 3, L(A('P1'), B(1)))
    expect(run()).toBe('<L [2] <B 0x00> <L [0]> >')
  })

  test('those of the operator are carried out in local, too, and told to the host', async () => {
    await pair.equipment.operate('local')
    expect(enhanced('', 'GO', mode)).toBe('<L [2] <B 0x02> <L [0]> >')
    expect(pair.equipment.operator.command('GO', { MODE: 'SLOW' })).toEqual({ hcack: HCACK.done, faults: [] })
    expect(pair.equipment.operator.command('GO').hcack).toBe(HCACK.badParameter)
    await pair.pass(0)
    expect(pair.sent()).toEqual(['S6F11 <L [3] <U4 1> <U4 43> <L [1] <L [2] <U4 32> <L [1] <A "GO"> > > > >'])
    expect(pair.told(1, 3, L(U4(1)))).toBe('<L [1] <A "SLOW"> >')
  })
})

describe('constants', () => {
  test('that the operator sets are told to the host, those that the host sets are not', async () => {
    pair.told(2, 15, L(L(U4(21), U4(50))))
    expect(pair.equipment.operator.setConstant('Limit', 60)).toBe(0)
    expect(pair.equipment.operator.setConstant('Limit', 600)).toBe(3)
    expect(pair.equipment.operator.setConstant('Nothing', 1)).toBe(1)
    await pair.pass(0)
    expect(pair.sent()).toEqual([
      'S6F11 <L [3] <U4 1> <U4 42> <L [1] <L [2] <U4 31> <L [2] <U4 21> <U2 60> > > > >',
    ])
  })

  test('say how TIME is written', () => {
    const told = [0, 1, 2].map((format) => {
      pair.told(2, 15, L(L(U4(22), U1(format))))
      return pair.told(2, 17)
    })
    expect(told[0]).toMatch(/^<A "\d{12}">$/)
    expect(told[1]).toMatch(/^<A "\d{16}">$/)
    expect(told[2]).toMatch(/^<A "\d{4}-\d\d-\d\dT[\d:.]+Z">$/)
  })

  test('say when S1F13 is tried again', async () => {
    pair.cut()
    pair.ends = { kind: 'timed_out' }
    pair.equipment.selected()
    await pair.pass(0)
    await pair.pass(6_999)
    expect(pair.sent()).toHaveLength(1)
    await pair.pass(1)
    expect(pair.sent()).toHaveLength(2)
  })
})

describe('terminals', () => {
  const shown: string[] = []
  beforeEach(() => {
    shown.length = 0
    pair.equipment.terminal.on(({ terminal, lines }) => shown.push(`${terminal} ${lines.join('|')}`))
  })

  test('show what they can, and refuse the rest', async () => {
    expect(pair.told(10, 3, L(B(2), A('one')))).toBe('<B 0x00>')
    expect(pair.told(10, 3, L(B(1), A('nobody')))).toBe('<B 0x02>')
    expect(pair.told(10, 5, L(B(0), L(A('a'), A('b'))))).toBe('<B 0x00>')
    expect(pair.told(10, 5, L(B(0), L(A('a'), A('b'), A('c'))))).toBe('<B 0x01>')
    expect(pair.sent()).toEqual([])
    await pair.pass(0)
    expect(pair.sent()).toEqual(['S10F7 <B 0x00>'])
    expect(pair.told(10, 9, A('all'))).toBe('<B 0x00>')
    expect(shown).toEqual(['2 one', '0 a|b', '0 all', '2 all'])
  })

  test('are sent when the operator sends text, and when he has read one', async () => {
    await expect(pair.equipment.operator.sendTerminalText('help', 2)).resolves.toBe(true)
    pair.equipment.operator.recognizeMessage()
    await pair.pass(0)
    expect(pair.sent()).toEqual([
      'S10F1 <L [2] <B 0x02> <A "help"> >',
      'S6F11 <L [3] <U4 1> <U4 44> <L [0]> >',
    ])
    await pair.equipment.operate('offline')
    await expect(pair.equipment.operator.sendTerminalText('help')).resolves.toBe(false)
  })
})

test('annotated reports name their variables, also those whose id is text', async () => {
  await pair.equipment.changeAlarm('51', true)
  const values = '<L [2] <L [2] <U4 5> <A "Too hot"> > <L [2] <A "T6"> <U1 6> > >'
  expect(pair.told(6, 17, U4(41))).toMatch(/^<L \[3\] <U4 \d> <U4 41> <L \[1\] <L \[2\] <U4 33> /)
  expect(pair.told(6, 17, U4(41))).toContain(values)
  expect([pair.told(6, 21, U4(33)), pair.told(6, 21, U4(99))]).toEqual([values, '<L [0]>'])
  expect(pair.told(1, 11, L(A('T6'), A('T7')))).toBe(
    '<L [2] <L [3] <A "T6"> <A "Textual"> <A ""> > <L [3] <A "T7"> <A ""> <A ""> > >',
  )
})

describe('what a host announces by S2F39', () => {
  const announce = (id: number, length: number): string => pair.told(2, 39, L(U4(id), U4(length)))

  test('has to come, or S9F13 says what is missing', async () => {
    expect([announce(1, 500), announce(1, 500), announce(2, 1001)]).toEqual([
      '<B 0x00>',
      '<B 0x03>',
      '<B 0x02>',
    ])
    expect(announce(3, 1)).toBe('<B 0x00>')
    expect(pair.told(2, 33, L(U4(3), L()))).toBe('<B 0x00>')
    expect([announce(4, 1), announce(5, 1), announce(6, 1)]).toEqual(Array(3).fill('<B 0x00>'))
    pair.told(2, 35, L(U4(4), L()))
    pair.told(2, 45, L(U4(5), L()))
    pair.told(2, 49, L(U4(6), A(''), A('STOP'), L()))
    await pair.pass(45_000)
    expect(pair.sent()).toEqual(['S9F13 <L [2] <A "S02F33"> <A "1"> >'])
  })
})

test('a body above the limit is too long, whatever is in it', () => {
  const primary = { stream: 1, function: 3, wait: true, item: L() }
  expect(pair.equipment.replyTo({ ...primary, length: 1001 })).toEqual({ kind: 'fault', fault: 'too_long' })
  expect(pair.equipment.replyTo({ ...primary, length: 1000 })).toMatchObject({ kind: 'reply' })
})

describe('an equipment without a capability', () => {
  const answered = (message: string): boolean => {
    const [stream = 0, fn = 0] = message.slice(1).split('F').map(Number)
    return !pair.told(stream, fn, BOOLEAN(true)).startsWith('unknown')
  }
  const all = [...new Set(Object.values(CAPABILITY_MESSAGES).flat())]

  test('and with all of them has every message that GEM gives it', () => {
    expect(all.filter((message) => !answered(message))).toEqual([])
  })

  test.each(CAPABILITIES)(
    '%s does not know its messages, and knows all others',
    async (capability: Capability) => {
      await start({ without: [capability] })
      const missing: readonly string[] = CAPABILITY_MESSAGES[capability]
      expect(all.filter((message) => !answered(message))).toEqual(all.filter((one) => missing.includes(one)))
    },
  )

  test('to report events or alarms sends none', async () => {
    await start({ without: ['event_reports', 'alarms'] })
    await expect(pair.equipment.changeAlarm('51', true)).resolves.toBe(false)
    expect(pair.sent()).toEqual([])
  })
})

describe('the control state', () => {
  let changes: string[]
  const watch = (): void => {
    changes = []
    pair.equipment.changed.on(({ machine, to, cause }) => {
      if (machine === 'control_state') changes.push(`${to}: ${cause}`)
    })
  }

  test('is reported with E30’s number of the transition', async () => {
    watch()
    await pair.equipment.operate('offline')
    await pair.equipment.operate('online')
    pair.told(1, 15)
    pair.told(1, 17)
    expect(changes).toEqual([
      "EQUIPMENT_OFFLINE: the operator chose offline (E30's transition 6)",
      "ATTEMPT_ONLINE: the operator chose online (E30's transition 3)",
      "ONLINE_REMOTE: the host replied to S1F1 (E30's transition 5)",
      "HOST_OFFLINE: the host sent S1F15 (E30's transition 10)",
      "ONLINE_REMOTE: the host sent S1F17 (E30's transition 11)",
    ])
  })

  test('may begin with an attempt to get online, which asks once there is communication', async () => {
    pair = new GemPair({ ...MODEL, controlState: 'ATTEMPT_ONLINE', onlineSubstate: 'LOCAL' })
    watch()
    await pair.select()
    expect(pair.equipment.controlState).toBe('ATTEMPT_ONLINE')
    await pair.pass(0)
    expect([pair.equipment.controlState, changes.length]).toEqual(['ONLINE_LOCAL', 1])
  })

  test('may leave an attempt for HOST_OFFLINE, from where the host can bring it online', async () => {
    await start({ controlState: 'EQUIPMENT_OFFLINE', attemptFails: 'HOST_OFFLINE' })
    expect(pair.told(1, 17)).toBe('<B 0x01>')
    pair.ends = { kind: 'aborted' }
    await pair.equipment.operate('online')
    expect(pair.equipment.controlState).toBe('HOST_OFFLINE')
    expect([pair.told(1, 17), pair.equipment.controlState]).toEqual(['<B 0x00>', 'ONLINE_REMOTE'])
  })
})
