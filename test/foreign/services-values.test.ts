import { A, BOOLEAN, F4, F8, I2, I4, L, U1, U2, U4 } from 'secs4js'
import { describe, expect, test } from 'vitest'
import { bytes, foreignTools, valuesBy } from './foreign-tool.js'

// Bodies as other people's equipment sends them, told by: the manuals of Nordson Asymtek's FmNT (sections 4.6 to
// 4.2.55: what stands where an identifier is not valid) and of DEK's printers (formats of ECV), and the sources of
// secsgem (Python, secsgem/gem/*_capability.py) and of SecsGem.NetCore (identifiers and constants as text).

const tool = foreignTools()

describe('status variables of a foreign equipment', () => {
  const NAMES = L(L(U2(7), A('Pressure'), A('Pa')), L(U2(8), A('State'), A('')), L(U2(9), A('Slots'), A('')))
  const VALUES = valuesBy({ 7: F4(1.5), 8: U1(5), 9: L(U1(1), L(A('x'), BOOLEAN(true))), 10: I2(-3, 4) })

  test('are listed and read in whatever formats they have, and asked for in the order that was wanted', async () => {
    const eq = await tool({ S1F11: NAMES, S1F3: VALUES })
    expect((await eq.get('/variables')).items).toEqual([
      { id: '7', name: 'Pressure', unit: 'Pa', kind: 'status' },
      { id: '8', name: 'State', unit: '', kind: 'status' },
      { id: '9', name: 'Slots', unit: '', kind: 'status' },
    ])
    const listed = await eq.get('/variables')
    expect(await eq.get('/variables?known=true')).toEqual(listed)
    expect((await eq.get('/variables/values?id=Slots&id=10&id=pressure')).items).toEqual([
      {
        ...{ id: '9', name: 'Slots', unit: '', text: '[1, [x, true]]' },
        value: { L: [{ U1: [1] }, { L: [{ A: 'x' }, { BOOLEAN: [true] }] }] },
      },
      { id: '10', name: null, unit: null, value: { I2: [-3, 4] }, text: '[-3, 4]' },
      { id: '7', name: 'Pressure', unit: 'Pa', value: { F4: [1.5] }, text: '1.5' },
    ])
    expect(eq.asked).toEqual([
      'S1F11 W <L [0] >',
      'S1F11 W <L [0] >',
      'S1F3 W <L [3] <U4 [1] 9> <U4 [1] 10> <U4 [1] 7> >',
    ])
  })

  test('that it does not have are an empty list among the values', async () => {
    const eq = await tool({ S1F3: VALUES })
    expect((await eq.get('/variables/values?id=7&id=99')).items).toMatchObject([
      { id: '7', text: '1.5' },
      { id: '99', value: null, text: '' },
    ])
  })

  test('of which it gives none are told so: an empty list for all of them is no value of any', async () => {
    const eq = await tool({ S1F3: L() })
    expect(await eq.get('/variables/values?id=7')).toMatchObject({
      status: 502,
      code: 'equipment_error',
      detail: expect.stringContaining(`${eq.name} replied to S1F3 with an empty list`),
    })
  })

  test('have names and units without what a field of fixed length is filled up with', async () => {
    const eq = await tool({
      S1F11: L(L(U4(7), A('Pressure        '), A('Pa\0\0\0')), L(U4(8), A('        '), A(' '))),
      S1F3: VALUES,
    })
    expect((await eq.get('/variables')).items).toEqual([
      { id: '7', name: 'Pressure', unit: 'Pa', kind: 'status' },
      { id: '8', name: '', unit: '', kind: 'status' },
    ])
    expect((await eq.get('/variables/values?id=Pressure&id=8')).items).toMatchObject([
      { id: '7', name: 'Pressure', unit: 'Pa', text: '1.5' },
      { id: '8', name: '', text: '5' },
    ])
  })

  test('may be known by text, which is sent back as it came', async () => {
    const eq = await tool({
      S1F11: L(L(A('SV-P1'), A('Pressure'), A('Pa')), L(A('0042'), A('Flow'), A('sccm'))),
      S1F3: valuesBy({ 'SV-P1': F8(2), '0042': U2(9) }),
    })
    expect((await eq.get('/variables/values?id=Pressure&id=SV-P1')).items).toMatchObject([
      { id: 'SV-P1', text: '2' },
      { id: 'SV-P1', text: '2' },
    ])
    expect(eq.asked.at(-1)).toBe('S1F3 W <L [2] <A [5] "SV-P1"> <A [5] "SV-P1"> >')
  })

  test('known by text of digits are asked for as text where the record says so', async () => {
    const answers = { S1F11: L(L(A('0042'), A('Flow'), A('sccm'))), S1F3: valuesBy({ '0042': U2(9) }) }
    const eq = await tool(answers, { item_formats: { SVID: 'A' } })
    expect((await eq.get('/variables/values?id=Flow')).items).toMatchObject([{ id: '0042', text: '9' }])
    expect(eq.asked.at(-1)).toBe('S1F3 W <L [1] <A [4] "0042"> >')
  })

  test('are asked for in the format that the record says', async () => {
    const eq = await tool({ S1F3: VALUES }, { item_formats: { SVID: 'U2' } })
    await eq.get('/variables/values?id=7')
    expect(eq.asked).toEqual(['S1F3 W <L [1] <U2 [1] 7> >'])
  })

  test('have data variables beside them, which no S1F3 asks for', async () => {
    const eq = await tool({ S1F11: NAMES, S1F21: L(L(A('DV1'), A('LotID'), A(''))), S1F3: VALUES })
    expect((await eq.get('/variables?kind=data')).items).toEqual([
      { id: 'DV1', name: 'LotID', unit: '', kind: 'data' },
    ])
    expect(await eq.get('/variables/values?id=LotID')).toMatchObject({ status: 422, code: 'invalid_message' })
    expect(eq.asked.filter((sent) => sent.startsWith('S1F3'))).toEqual([])
  })
})

describe('constants of a foreign equipment', () => {
  const NAMES = L(
    L(U4(1), A('EstablishTimeout'), I2(10), I2(120), I2(10), A('sec')),
    L(U4(2), A('Recipe'), A(''), A(''), A(''), A('')),
    L(U4(3), A('Limits'), L(), L(), L(), A('')),
  )
  const VALUES = valuesBy({
    1: I2(10),
    2: A('R1'),
    3: bytes(1, 2),
    4: BOOLEAN(false),
    5: F4(0.5),
    6: I2(1, 2),
  })

  test('are listed with their bounds, of which some have none', async () => {
    const eq = await tool({ S2F29: NAMES })
    expect((await eq.get('/constants')).items).toEqual([
      { id: '1', name: 'EstablishTimeout', unit: 'sec', minimum: '10', maximum: '120', default: '10' },
      { id: '2', name: 'Recipe', unit: '', minimum: null, maximum: null, default: null },
      { id: '3', name: 'Limits', unit: '', minimum: null, maximum: null, default: null },
    ])
    const known = await eq.get('/constants?known=true')
    expect(known).toEqual(await eq.get('/constants'))
    expect(eq.asked).toEqual(['S2F29 W <L [0] >', 'S2F29 W <L [0] >'])
  })

  test('are read, and one that it does not have is an empty list', async () => {
    const eq = await tool({ S2F13: VALUES })
    expect((await eq.get('/constants/values?id=1&id=77')).items).toMatchObject([
      { id: '1', value: { I2: [10] } },
      { id: '77', value: null },
    ])
  })

  test('of which it gives none are told so', async () => {
    const eq = await tool({ S2F13: L() })
    expect(await eq.get('/constants/values?id=1&id=2')).toMatchObject({
      code: 'equipment_error',
      detail: expect.stringContaining('an empty list'),
    })
  })

  test('are changed in the formats that they have, all in one message', async () => {
    const eq = await tool({ S2F29: NAMES, S2F13: VALUES, S2F15: bytes(0) })
    const values = { EstablishTimeout: 20, Recipe: 'R2', 3: '0x0304', 4: true, 5: 0.25, 6: [3, '4'] }
    expect(await eq.put('/constants', { values })).toMatchObject({ accepted: true, eac: 0 })
    const sent = eq.asked.at(-1) ?? ''
    expect(sent.slice(0, 15)).toBe('S2F15 W <L [6] ')
    expect(sent).toContain('<L [2] <U4 [1] 1> <I2 [1] 20> >')
    expect(sent).toContain('<L [2] <U4 [1] 2> <A [2] "R2"> >')
    expect(sent).toContain('<L [2] <U4 [1] 3> <B [2] 0x03 0x04> >')
    expect(sent).toContain('<L [2] <U4 [1] 4> <BOOLEAN T> >')
    expect(sent).toContain('<L [2] <U4 [1] 5> <F4 [1] 0.25> >')
    expect(sent).toContain('<L [2] <U4 [1] 6> <I2 [2] 3 4> >')
  })

  test('that are all text, as some equipment has them, are changed as text', async () => {
    const eq = await tool({ S2F13: valuesBy({ 1: A('10') }), S2F15: bytes(0) })
    await eq.put('/constants', { values: { 1: 20 } })
    expect(eq.asked.at(-1)).toBe('S2F15 W <L [1] <L [2] <U4 [1] 1> <A [2] "20"> > >')
  })

  test('that it does not have are not sent', async () => {
    const eq = await tool({ S2F13: VALUES, S2F15: bytes(0) })
    expect(await eq.put('/constants', { values: { 77: 1 } })).toMatchObject({
      status: 404,
      code: 'name_not_found',
      errors: [{ pointer: '/values/77', detail: expect.stringContaining('no constant') }],
    })
    expect(eq.asked.filter((sent) => sent.startsWith('S2F15'))).toEqual([])
  })

  test.each([
    [bytes(3), 3, 'out of range'],
    [U1(1), 1, 'no such constant'],
    [I4(64), 64, ''],
  ])('are refused with %o', async (answer, eac, words) => {
    const eq = await tool({ S2F13: VALUES, S2F15: answer })
    const { accepted, ...said } = await eq.put('/constants', { values: { 1: 200 } })
    expect(accepted).toBe(false)
    expect(said).toMatchObject({ eac, eac_text: expect.stringContaining(words) })
  })
})

describe('the clock of a foreign equipment', () => {
  test.each([
    ['260131080000', '2026-01-31T08:00:00.00'],
    ['2026013108000050', '2026-01-31T08:00:00.50'],
    ['2026-01-31T08:00:00+09:00', '2026-01-31T08:00:00+09:00'],
    ['20260131080000', '2026-01-31T08:00:00.00'],
    ['2026/01/31 08:00:00', null],
    ['', null],
  ])('that says %j is read', async (raw, time) => {
    const eq = await tool({ S2F17: A(raw) })
    expect(await eq.get('/clock')).toMatchObject({ raw, time })
    expect(eq.asked).toEqual(['S2F17 W'])
  })

  test('is set in the form that it understands', async () => {
    const eq = await tool({ S2F31: bytes(0) })
    expect(await eq.put('/clock', { raw: '260131080000' })).toMatchObject({ accepted: true, tiack: 0 })
    await eq.put('/clock')
    expect(eq.asked).toEqual([
      'S2F31 W <A [12] "260131080000">',
      expect.stringMatching(/^S2F31 W <A \[16\] "\d{16}">$/),
    ])
  })
})

describe('terminals of a foreign equipment', () => {
  test('are sent a line, or several', async () => {
    const eq = await tool({ S10F3: bytes(0), S10F5: U1(2) })
    expect(await eq.post('/terminal', { text: 'Hold' })).toMatchObject({ accepted: true, ackc10: 0 })
    expect(await eq.post('/terminal', { tid: 1, lines: ['a', ''] })).toMatchObject({
      accepted: false,
      ackc10: 2,
    })
    expect(eq.asked).toEqual([
      'S10F3 W <L [2] <B [1] 0x00> <A [4] "Hold"> >',
      'S10F5 W <L [2] <B [1] 0x01> <L [2] <A [1] "a"> <A [0] ""> > >',
    ])
  })
})

test('lists that come without a body, as some equipment answers where it has nothing, are empty', async () => {
  const eq = await tool({
    S1F11: null,
    S1F21: null,
    S1F23: null,
    S2F29: null,
    S5F5: null,
    S7F19: null,
    S1F3: null,
  })
  for (const list of [
    'variables',
    'variables?kind=data',
    'collection-events',
    'constants',
    'alarms',
    'recipes',
  ]) {
    expect(await eq.get(`/${list}`), list).toEqual({ items: [], next_cursor: null })
  }
  expect((await eq.get('/variables/values?id=7')).detail).toContain('an empty list')
  expect(await eq.get('/clock')).toMatchObject({ code: 'transaction_aborted' })
})

test('a program is told the call to make next, and no command', async () => {
  const eq = await tool({ S1F11: L() })
  const next = async (path: string) => (await eq.get(path)).next
  const parameters = { id: expect.stringMatching(/^eq_/) }
  expect(await next('/variables/values?id=Nothing')).toEqual([{ operation: 'listVariables', parameters }])
  await eq.post('/disconnect')
  expect(await next('/variables')).toEqual([{ operation: 'connectEquipment', parameters }])
})
