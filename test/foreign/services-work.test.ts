import { A, BOOLEAN, F4, L, U1, U2, U4, U8 } from 'secs4js'
import { describe, expect, test } from 'vitest'
import { until } from '../support/until.js'
import { bytes, foreignTools, itemsOf } from './foreign-tool.js'

// Told by the manuals of Nordson Asymtek's FmNT (S2F42 that repeats the command, S7F6 and S7F20 without anything,
// ASCII process programs, PPIDs that are file names), the data items of Hume's SECS reference (CEPACK, TRID, SMPLN)
// and secsgem's source (secsgem/gem/remote_control_capability.py; S6F1 and S7F25 in secsgem/secs/functions).

const tool = foreignTools()

describe('remote commands to a foreign equipment', () => {
  const START = { command: 'START', parameters: { LOTID: 'L1', SLOTS: 3, SKIP: true } }

  test('carry their parameters by name, in the order that they were given', async () => {
    const eq = await tool({ S2F41: L(bytes(0), L()) })
    expect(await eq.post('/command', START)).toMatchObject({ accepted: true, hcack: 0, parameters: [] })
    const sent = eq.asked.at(-1) ?? ''
    expect(sent.slice(0, 32)).toBe('S2F41 W <L [2] <A [5] "START"> <')
    expect(sent).toContain('<L [2] <A [5] "LOTID"> <A [2] "L1"> >')
    expect(sent).toContain('<L [2] <A [5] "SLOTS"> <U4 [1] 3> >')
    expect(sent).toContain('<L [2] <A [4] "SKIP"> <BOOLEAN T> >')
  })

  test.each([
    ['will end later', L(bytes(4), L()), { accepted: true, hcack: 4 }],
    ['is a number of another format', L(U1(2), L()), { accepted: false, hcack: 2 }],
    ['is one of its own', L(bytes(64), L()), { accepted: false, hcack: 64 }],
    ['stands alone in the list', L(bytes(1)), { accepted: false, hcack: 1 }],
    ['is missing: the command comes back instead', A('START'), { accepted: false, hcack: null }],
    ['is empty', L(bytes(), L()), { accepted: false, hcack: null }],
  ])('whose code %s', async (_, answer, verdict) => {
    const eq = await tool({ S2F41: answer })
    expect(await eq.post('/command', START)).toMatchObject(verdict)
  })

  test('are refused with a word on each parameter', async () => {
    const wrong = L(L(A('SLOTS'), U1(2)), L(A('SKIP'), bytes(3)))
    const eq = await tool({ S2F41: L(bytes(3), wrong) })
    expect(await eq.post('/command', START)).toMatchObject({
      accepted: false,
      parameters: [
        { name: 'SLOTS', cpack: 2 },
        { name: 'SKIP', cpack: 3 },
      ],
    })
  })

  test('to an object have nested values, and so has the answer', async () => {
    const eq = await tool({ S2F49: L(bytes(3), L(L(A('MAP'), L(U1(0), L(U1(5)))), L(A('ID'), U1(1)))) })
    const given = { ...START, object: 'PORT-1', parameters: { MAP: { A: 'x', SLOT: 2 }, ID: 'c' } }
    expect(await eq.post('/command', given)).toMatchObject({
      accepted: false,
      hcack: 3,
      parameters: [
        { name: 'MAP', cpack: 5 },
        { name: 'ID', cpack: 1 },
      ],
    })
    const map = '<L [2] <L [2] <A [1] "A"> <A [1] "x"> > <L [2] <A [4] "SLOT"> <U4 [1] 2> > >'
    expect(eq.asked.at(-1)).toBe(
      `S2F49 W <L [4] <U4 [1] 0> <A [6] "PORT-1"> <A [5] "START"> <L [2] <L [2] <A [3] "MAP"> ${map} > <L [2] <A [2] "ID"> <A [1] "c"> > > >`,
    )
  })

  test('of the old form have a code of their own', async () => {
    const eq = await tool({ S2F21: bytes(2) })
    expect(await eq.post('/command', { command: 'STOP', style: 'remote' })).toMatchObject({
      accepted: false,
      hcack: null,
      cmda: 2,
    })
    expect(eq.asked).toEqual(['S2F21 W <A [4] "STOP">'])
  })
})

describe('recipes of a foreign equipment', () => {
  const PPID = 'ETCH 1/a.RCP'
  const path = `/recipes/${encodeURIComponent(PPID)}`

  test('are listed, also where there are none, or names are bytes', async () => {
    expect((await (await tool({ S7F19: L() })).get('/recipes')).items).toEqual([])
    const eq = await tool({ S7F19: L(A(PPID), bytes(0x41, 0x42), bytes(7)) })
    expect((await eq.get('/recipes')).items).toEqual([{ ppid: PPID }, { ppid: '0x4142' }, { ppid: '7' }])
    expect(eq.asked).toEqual(['S7F19 W'])
  })

  test.each([
    [A('step 1'), 'A', 'step 1'],
    [bytes(1, 2, 255), 'B', '\x01\x02\xff'],
    [U2(1, 258), 'U2', '\0\x01\x01\x02'],
    [F4(1), 'F4', '\x3f\x80\0\0'],
    [A(''), 'A', ''],
  ])('are fetched as the bytes of %o', async (body, format, text) => {
    const eq = await tool({ S7F5: (asked) => L(asked ?? L(), body) })
    const fetched = await eq.get(path)
    expect(fetched).toMatchObject({ ppid: PPID, item_format: format, bytes: text.length })
    expect(Buffer.from(fetched.body, 'base64').toString('latin1')).toBe(text)
    expect(eq.asked).toEqual([`S7F5 W <A [12] "${PPID}">`])
  })

  test.each([['unformatted'], ['formatted']])('that it does not have are an empty list: %s', async (form) => {
    const eq = await tool({ S7F5: L(), S7F25: L() })
    expect(await eq.get(`${path}?form=${form}`)).toMatchObject({ status: 404, code: 'recipe_not_found' })
  })

  test('are stored once it grants leave, in the format that the record has', async () => {
    const eq = await tool({ S7F1: bytes(0), S7F3: bytes(0) }, { item_formats: { PPBODY: 'A' } })
    const body = Buffer.from('step 1').toString('base64')
    expect(await eq.put(path, { body })).toMatchObject({ accepted: true, ppgnt: 0, ackc7: 0, bytes: 6 })
    expect(eq.asked).toEqual([
      `S7F1 W <L [2] <A [12] "${PPID}"> <U4 [1] 6> >`,
      `S7F3 W <L [2] <A [12] "${PPID}"> <A [6] "step 1"> >`,
    ])
  })

  test('are stored without leave where it does not know S7F1, and not where it refuses', async () => {
    const body = Buffer.from([1]).toString('base64')
    const unasked = await tool({ S7F3: U1(0) })
    expect(await unasked.put(path, { body })).toMatchObject({ accepted: true, ppgnt: null, ackc7: 0 })
    const refusing = await tool({ S7F1: bytes(2), S7F3: bytes(0) })
    expect(await refusing.put(path, { body })).toMatchObject({ accepted: false, ppgnt: 2, ackc7: null })
    expect(refusing.asked).toHaveLength(1)
  })

  test('are fetched and stored as commands', async () => {
    const commands = L(L(U2(5), L(U4(1), A('x'), BOOLEAN(true))), L(A('END'), L()))
    const eq = await tool({ S7F25: (asked) => L(asked ?? L(), A('M'), A('1'), commands), S7F23: bytes(0) })
    const { formatted } = await eq.get(`${path}?form=formatted`)
    expect(formatted).toEqual({
      mdln: 'M',
      softrev: '1',
      commands: [
        { ccode: 5, parameters: [{ U4: [1] }, { A: 'x' }, { BOOLEAN: [true] }] },
        { ccode: 'END', parameters: [] },
      ],
    })
    expect(await eq.put(path, { formatted })).toMatchObject({ accepted: true, ackc7: 0 })
    expect(eq.asked.at(-1)).toBe(
      `S7F23 W <L [4] <A [12] "${PPID}"> <A [1] "M"> <A [1] "1"> <L [2] <L [2] <U2 [1] 5> <L [3] <U4 [1] 1> <A [1] "x"> <BOOLEAN T> > > <L [2] <A [3] "END"> <L [0] > > > >`,
    )
  })

  test('are deleted, and selected by a remote command', async () => {
    const eq = await tool({ S7F17: bytes(4), S2F41: L(bytes(0), L()) })
    expect(await eq.delete(path)).toMatchObject({ accepted: false, ackc7: 4 })
    expect(await eq.post(`${path}/select`, {})).toMatchObject({ accepted: true })
    expect(eq.asked).toEqual([
      `S7F17 W <L [1] <A [12] "${PPID}"> >`,
      `S2F41 W <L [2] <A [9] "PP-SELECT"> <L [1] <L [2] <A [4] "PPID"> <A [12] "${PPID}"> > > >`,
    ])
  })
})

describe('traces of a foreign equipment', () => {
  test('are started, come as S6F1 in whatever formats, and are over with the last sample', async () => {
    const eq = await tool({ S2F23: bytes(0), S1F11: L(L(U2(7), A('Pressure'), A('Pa'))) })
    const given = { trid: 'T-1', variables: ['Pressure', 9], period_seconds: 1.5, samples: 4, group_size: 2 }
    expect(await eq.post('/traces', given)).toMatchObject({ accepted: true, trace: { trid: 'T-1' } })
    expect(eq.asked.at(-1)).toBe(
      'S2F23 W <L [5] <A [3] "T-1"> <A [8] "00000150"> <U4 [1] 4> <U4 [1] 2> <L [2] <U4 [1] 7> <U4 [1] 9> > >',
    )
    const sample = (number: number) =>
      eq.peer.request(6, 1, L(A('T-1'), U2(number), A('260131080000'), L(F4(1), U1(2), F4(3), U1(4))))
    expect(await sample(2)).toMatchObject({ stream: 6, function: 2, sml: expect.stringContaining('0x00') })
    await until(async () => (await eq.get('/traces')).items[0]?.received === 2)
    await sample(4)
    await until(async () => (await eq.get('/traces')).items.length === 0)
  })

  test('are refused with a code, and ended', async () => {
    const eq = await tool({ S2F23: (asked) => bytes(itemsOf(asked)[2]?.value === 0 ? 0 : 3) })
    expect(await eq.post('/traces', { variables: [7], period_seconds: 1, samples: 1 })).toMatchObject({
      accepted: false,
      tiaack: 3,
      trace: null,
    })
    expect(await eq.delete('/traces/1')).toMatchObject({ accepted: true })
    expect(eq.asked.at(-1)).toBe(
      'S2F23 W <L [5] <U4 [1] 1> <A [6] "000001"> <U4 [1] 0> <U4 [1] 1> <L [0] > >',
    )
  })
})

describe('the control state of a foreign equipment', () => {
  test.each([
    [bytes(0), { accepted: true, onlack: 0 }],
    [U1(2), { accepted: true, onlack: 2 }],
    [bytes(1), { accepted: false, onlack: 1 }],
  ])('is asked to be online, and %o is the answer', async (answer, verdict) => {
    const eq = await tool({ S1F17: answer })
    expect(await eq.post('/online')).toMatchObject(verdict)
    expect(eq.asked[0]).toBe('S1F17 W')
  })

  test('is reported by its variable, in whatever format, once it is online', async () => {
    let online = false
    const eq = await tool(
      {
        S1F17: () => {
          online = true
          return bytes(0)
        },
        S1F1: () => (online ? L(A('M'), A('1')) : undefined),
        S1F11: L(L(U4(31), A('ControlState    '), A(''))),
        S1F3: L(bytes(4)),
      },
      { gem_startup: true },
    )
    expect(await eq.post('/online')).toMatchObject({ control_state: 'ONLINE_LOCAL' })
  })

  test('is asked to be offline', async () => {
    const eq = await tool({ S1F15: U8(0n as never) })
    expect(await eq.post('/offline')).toMatchObject({ accepted: true, control_state: 'HOST_OFFLINE' })
    expect(eq.asked).toEqual(['S1F15 W'])
  })
})

describe('the spool of a foreign equipment', () => {
  test('is asked for when it connects, and until it says that nothing is spooled', async () => {
    const codes = [0, 0, 2]
    const eq = await tool(
      { S1F1: L(A('M'), A('1')), S6F23: () => bytes(codes.shift() ?? 2) },
      { gem_startup: true },
    )
    await until(() => eq.asked.some((sent) => sent.startsWith('S6F23')))
    expect(eq.asked.filter((sent) => sent.startsWith('S6F23'))[0]).toBe('S6F23 W <U1 [1] 0>')
    await until(() => eq.asked.some((sent) => sent.startsWith('S5F5')))
  })

  test('is purged, and filled with what the host chose', async () => {
    const eq = await tool({ S6F23: U1(0), S2F43: L(bytes(0), L()) })
    const purge = { stream: 6, function: 23, data: { RSDC: 1 } }
    expect(await eq.post('/messages', purge)).toMatchObject({ reply: { data: { RSDA: '0' } } })
    const chosen = { stream: 2, function: 43, data: { STREAMS: [{ STRID: 6, FCNID: [11, 1] }] } }
    expect(await eq.post('/messages', chosen)).toMatchObject({
      reply: { data: { RSPACK: '0', STREAMS: [] } },
    })
    expect(eq.asked).toEqual([
      'S6F23 W <U1 [1] 1>',
      'S2F43 W <L [1] <L [2] <U1 [1] 6> <L [2] <U1 [1] 11> <U1 [1] 1> > > >',
    ])
  })
})
