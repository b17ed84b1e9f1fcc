import { A, type AbstractSecs2Item, F4, L, SecsItemType, U1, U2, U4 } from 'secs4js'
import { describe, expect, test } from 'vitest'
import { until } from '../support/until.js'
import { bytes, type ForeignAnswers, foreignTools, itemsOf } from './foreign-tool.js'

// What is answered is told by secsgem's source (Python, secsgem/gem/collection_event_capability.py and
// alarm_capability.py), the manuals of Nordson Asymtek's FmNT (S5F5 to S5F8, S6F15 to S6F20), and SecsGem.NetCore,
// whose data variables have text for identifiers.

const tool = foreignTools()

const EVENTS = L(L(U2(41), A('LotStarted'), L(A('DV1'), A('DV2'))), L(U2(42), A('LotDone            '), L()))
const VARIABLES = L(L(U4(7), A('Pressure'), A('Pa')))
const DATA = L(L(A('DV1'), A('LotID'), A('')))

describe('collection events of a foreign equipment', () => {
  test('are listed with the variables that go with them', async () => {
    const eq = await tool({ S1F23: EVENTS })
    expect((await eq.get('/collection-events')).items).toEqual([
      {
        ...{ id: '41', name: 'LotStarted', variables: ['DV1', 'DV2'], variable_names: [null, null] },
        ...{ enabled: null, reports: null },
      },
      { id: '42', name: 'LotDone', variables: [], variable_names: [], enabled: null, reports: null },
    ])
    expect((await eq.get('/collection-events?known=true')).items).toMatchObject([{ id: '41' }, { id: '42' }])
    expect(eq.asked).toEqual(['S1F23 W <L [0] >'])
  })

  test('are enabled by name, and disabled all at once', async () => {
    const eq = await tool({ S1F23: EVENTS, S2F37: bytes(0) })
    expect(await eq.post('/collection-events/enable', { events: ['LotDone', '41'] })).toMatchObject({
      accepted: true,
      erack: 0,
    })
    expect((await eq.get('/collection-events')).items).toMatchObject([{ enabled: true }, { enabled: true }])
    await eq.post('/collection-events/disable', { all: true })
    expect(eq.asked.filter((sent) => sent.startsWith('S2'))).toEqual([
      'S2F37 W <L [2] <BOOLEAN T> <L [2] <U4 [1] 42> <U4 [1] 41> > >',
      'S2F37 W <L [2] <BOOLEAN F> <L [0] > >',
    ])
  })

  test('that it refuses to enable are reported with its code', async () => {
    const eq = await tool({ S2F37: U1(1) })
    expect(await eq.post('/collection-events/enable', { events: ['99'] })).toMatchObject({
      accepted: false,
      erack: 1,
    })
  })

  test('report what they have now, with a DATAID that means nothing', async () => {
    const report = L(L(A('RPT-1'), L(F4(1.5), L(U1(1), U1(2)), A(''))), L(U2(2), L()))
    const eq = await tool({ S6F15: L(A(''), U2(41), report) })
    expect(await eq.get('/collection-events/41/report')).toMatchObject({
      ceid: '41',
      reports: [
        { rptid: 'RPT-1', values: [{ text: '1.5' }, { text: '[1, 2]' }, { text: '' }] },
        { rptid: '2', values: [] },
      ],
    })
    expect(eq.asked).toEqual(['S6F15 W <U4 [1] 41>'])
  })

  test('without a report, or that are none of its events, have an empty list of reports', async () => {
    const eq = await tool({ S6F15: (asked) => L(U4(0), asked ?? L(), L()) })
    expect(await eq.get('/collection-events/41/report')).toMatchObject({ ceid: '41', reports: [] })
  })

  test('of which it tells nothing at all are an error of the equipment that says so', async () => {
    const eq = await tool({ S6F15: L() })
    expect(await eq.get('/collection-events/41/report')).toMatchObject({
      code: 'equipment_error',
      detail: expect.stringContaining('S6F16'),
    })
  })
})

/** Event reports as secsgem's equipment keeps them: an event is switched only where it has a link. */
function reportKeeping(): ForeignAnswers {
  const variables = new Set(['7', 'DV1'])
  const events = new Set(['41', '42'])
  const reports = new Map<string, string[]>()
  const links = new Map<string, string[]>()
  const enabled = new Set<string>()
  const idsIn = (item: AbstractSecs2Item | undefined) => itemsOf(item).map(({ value }) => String(value))
  const rowsIn = (item: AbstractSecs2Item | undefined) =>
    itemsOf(itemsOf(item)[1]).map((row) => {
      const [id, ids] = itemsOf(row)
      return [String(id?.value), idsIn(ids)] as const
    })
  const define = (asked: AbstractSecs2Item | undefined) => {
    const rows = rowsIn(asked)
    for (const [id, ids] of rows) {
      if (reports.has(id) && ids.length > 0) return bytes(3)
      if (ids.some((vid) => !variables.has(vid))) return bytes(4)
    }
    if (rows.length === 0) {
      links.clear()
      reports.clear()
    }
    for (const [id, ids] of rows) {
      if (ids.length > 0) reports.set(id, ids)
      else reports.delete(id)
    }
    return bytes(0)
  }
  const link = (asked: AbstractSecs2Item | undefined) => {
    const rows = rowsIn(asked)
    for (const [id, ids] of rows) {
      if (!events.has(id)) return bytes(4)
      if (ids.some((rptid) => !reports.has(rptid))) return bytes(5)
    }
    for (const [id, ids] of rows) {
      if (ids.length > 0) links.set(id, ids)
      else links.delete(id)
    }
    return bytes(0)
  }
  const turn = (asked: AbstractSecs2Item | undefined) => {
    const [flag, list] = itemsOf(asked)
    const ids = idsIn(list)
    for (const id of ids.length > 0 ? ids : links.keys()) {
      if (flag?.value) enabled.add(id)
      else enabled.delete(id)
    }
    return bytes(ids.every((id) => links.has(id)) ? 0 : 1)
  }
  return {
    S1F11: VARIABLES,
    S1F21: DATA,
    S1F23: EVENTS,
    S2F33: define,
    S2F35: link,
    S2F37: turn,
    S2F39: bytes(0),
    S6F15: (asked) => {
      const ceid = String(asked?.value)
      const values = (rptid: string) => L(...(reports.get(rptid) ?? []).map((vid) => A(`of ${vid}`)))
      const linked = enabled.has(ceid) ? (links.get(ceid) ?? []) : []
      return L(U4(1), U4(Number(ceid)), L(...linked.map((rptid) => L(U4(Number(rptid)), values(rptid)))))
    },
    S6F19: (asked) => L(...(reports.get(String(asked?.value)) ?? []).map((vid) => A(`of ${vid}`))),
  }
}

describe('reports of a foreign equipment', () => {
  const definition = {
    reports: [{ id: 1, variables: ['Pressure', 'LotID'] }],
    events: [{ event: 'LotStarted', reports: [1] }],
  }

  test('are applied in the order that works, and come back with names', async () => {
    const eq = await tool(reportKeeping())
    const before = eq.asked.length
    expect(await eq.put('/reports', definition)).toMatchObject({ applied: true, detail: null })
    expect(eq.asked.slice(before).filter((sent) => sent.startsWith('S2'))).toEqual([
      'S2F37 W <L [2] <BOOLEAN F> <L [0] > >',
      expect.stringMatching(/^S2F33 W <L \[2\] <U4 \[1\] \d+> <L \[0\] > >$/),
      expect.stringMatching(/<L \[2\] <U4 \[1\] 1> <L \[2\] <U4 \[1\] 7> <A \[3\] "DV1"> > > > >$/),
      expect.stringMatching(/^S2F35 W .*<L \[2\] <U4 \[1\] 41> <L \[1\] <U4 \[1\] 1> > > > >$/),
      'S2F37 W <L [2] <BOOLEAN T> <L [1] <U4 [1] 41> > >',
    ])
    expect(await eq.get('/collection-events/LotStarted/report')).toMatchObject({
      reports: [
        {
          rptid: '1',
          values: [
            { name: 'Pressure', text: 'of 7' },
            { name: 'LotID', text: 'of DV1' },
          ],
        },
      ],
    })
    expect((await eq.get('/reports/1/values')).values).toMatchObject([
      { name: 'Pressure' },
      { name: 'LotID' },
    ])
    expect((await eq.get('/reports/9/values')).values).toEqual([])
  })

  test('are changed beside others that stay, where events without a link cannot be switched', async () => {
    const eq = await tool(reportKeeping())
    const kept = { ...definition, others: 'keep' }
    expect(await eq.put('/reports', kept)).toMatchObject({ applied: true, rolled_back: null })
    const more = { ...kept, events: [...kept.events, { event: 'LotDone', reports: [1] }] }
    expect(await eq.put('/reports', more)).toMatchObject({ applied: true })
    expect(await eq.get('/collection-events/LotDone/report')).toMatchObject({ reports: [{ rptid: '1' }] })
  })

  test('that it refuses leave what it had, and its code is told', async () => {
    const eq = await tool(reportKeeping())
    await eq.put('/reports', definition)
    const wrong = { ...definition, reports: [{ id: 1, variables: ['Pressure', 1234] }] }
    const { applied, rolled_back, detail } = await eq.put('/reports', wrong)
    expect({ applied, rolled_back }).toEqual({ applied: false, rolled_back: true })
    expect(detail).toMatch(/S2F33 was refused: DRACK 4, /)
    expect(await eq.get('/collection-events/41/report')).toMatchObject({ reports: [{ rptid: '1' }] })
  })

  test('are cleared', async () => {
    const eq = await tool(reportKeeping())
    await eq.put('/reports', definition)
    expect(await eq.delete('/reports')).toMatchObject({ applied: true })
    expect(await eq.get('/collection-events/41/report')).toMatchObject({ reports: [] })
  })
})

describe('alarms of a foreign equipment', () => {
  const ALARMS = L(
    L(bytes(0x86), U2(7), A('Door open           ')),
    L(bytes(1), U2(8), A('')),
    L(bytes(2), A('AL-9'), A('Vacuum')),
  )

  test('are listed with what is set and what is enabled', async () => {
    const eq = await tool({ S5F5: ALARMS, S5F7: L(L(bytes(1), U2(8), A(''))) })
    expect((await eq.get('/alarms')).items).toMatchObject([
      { alid: '7', text: 'Door open', set: true, category: 6, enabled: false },
      { alid: '8', text: '', set: false, category: 1, enabled: true },
      { alid: 'AL-9', text: 'Vacuum', set: false, category: 2, enabled: false },
    ])
    expect(eq.asked).toEqual(['S5F5 W <U4 [0] >', 'S5F7 W'])
  })

  test('are asked for by a list where an array is aborted, as secsgem aborts it', async () => {
    const eq = await tool({ S5F5: (asked) => (asked?.type === SecsItemType.L ? ALARMS : undefined) })
    expect((await eq.get('/alarms')).items).toMatchObject([{ alid: '7' }, { alid: '8' }, { alid: 'AL-9' }])
    expect(eq.asked.slice(0, 2)).toEqual(['S5F5 W <U4 [0] >', 'S5F5 W <L [0] >'])
  })

  test('are enabled one by one, and all', async () => {
    const eq = await tool({ S5F3: bytes(0) })
    await eq.post('/alarms/enable', { alid: '7' })
    await eq.post('/alarms/enable', { alid: 'AL-9' })
    expect(await eq.post('/alarms/disable', { all: true })).toMatchObject({ accepted: true, ackc5: 0 })
    expect(eq.asked).toEqual([
      'S5F3 W <L [2] <B [1] 0x80> <U4 [1] 7> >',
      'S5F3 W <L [2] <B [1] 0x80> <A [4] "AL-9"> >',
      'S5F3 W <L [2] <B [1] 0x00> <U4 [0] > >',
    ])
  })

  test('come with their text as people read it', async () => {
    const eq = await tool({})
    const answer = await eq.peer.request(5, 1, L(bytes(0x84), U2(7), A('Door open\0\0\0')))
    expect(answer).toMatchObject({ stream: 5, function: 2, sml: expect.stringContaining('0x00') })
    const seen = await until(async () => (await eq.list('/alarms'))[0])
    expect(seen).toMatchObject({ alid: '7', text: 'Door open', active: true })
  })

  test('are not lost where ALCD is an integer instead of a byte', async () => {
    const eq = await tool({})
    expect((await eq.peer.request(5, 1, L(U1(0x84), U2(7), A('Door')))).sml).toContain('0x00')
    expect(await eq.list('/alarms')).toMatchObject([{ alid: '7', category: 4, active: true }])
  })
})
