import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readOpenAlarms } from '../../../src/contract/read-open-alarms.js'
import { JournaledAlarms } from '../../../src/gateway/alarms/alarm-board.js'
import { AlarmOccurrences } from '../../../src/gateway/alarms/alarm-occurrences.js'
import { Decisions } from '../../../src/gateway/decisions.js'
import type { EquipmentRecord } from '../../../src/gateway/records/equipment-record.js'
import type { Clock } from '../../../src/kit/clock.js'
import { A, B, type Item, L, U2, U4 } from '../../../src/secs2/item.js'
import { EntryNumber } from '../../../src/store/entry.js'
import type { Journal } from '../../../src/store/journal.js'
import { ADA, LiveGateway } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { HeldJournal, MemoryCollection } from '../../support/memory-store.js'
import { ScriptedEquipment } from '../../support/scripted-equipment.js'
import { until } from '../../support/until.js'

const SET = 0x80

async function boardOf(journal: Journal, clock: Clock): Promise<JournaledAlarms> {
  const occurrences = new AlarmOccurrences(() => journal.first)
  await journal.attach([occurrences])
  return new JournaledAlarms(journal, occurrences, clock, new Decisions(journal, clock))
}

/** An equipment that reports alarms, and a report of which every one is acknowledged before the next. */
async function bench() {
  const clock = new ManualClock()
  const live = await LiveGateway.open({ clock })
  const { equipment, id } = await live.connectScripted()
  const report = async (alcd: number, alid: Item, text = 'Hot'): Promise<void> => {
    clock.advance(1000)
    equipment.send(5, 1, L(B(alcd), alid, A(text)))
    await equipment.next()
  }
  return { clock, live, id, equipment, report, alarms: live.gateway.alarms }
}

const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`

describe('an S5F1 before communication is established', () => {
  const alarm = (alcd: number) => L(B(alcd), U4(7), A('Hot'))
  const waiting = async () => {
    const live = await LiveGateway.open()
    const equipment = await ScriptedEquipment.listen()
    equipment.commack = 1
    const { id } = await live.add({ port: equipment.port, timers: { establish: 600 } })
    await live.gateway.equipment.connect(id, 0)
    await live.event(({ data }) => data['to'] === 'WAIT_DELAY')
    const board = async (): Promise<string[]> =>
      (await live.gateway.alarms.list({})).items.map(
        ({ active, count }) => `${active ? 'set' : 'clear'} ${count}`,
      )
    return { live, equipment, board }
  }

  test('is refused, and changes nothing on the board', async () => {
    const { live, equipment, board } = await waiting()
    equipment.send(5, 1, alarm(SET | 4))
    expect((await equipment.next()).function).toBe(0)
    expect((await live.gateway.messages.list({ stream: 5, function: 1 })).items).toMatchObject([
      { outcome: 'aborted' },
    ])
    expect(await board()).toEqual([])
    expect(await live.events({ type: ['alarm'] })).toEqual([])
  })

  test('counts where S1F13 came in front of it, and is on disk before it is acknowledged', async () => {
    const { live, equipment, board } = await waiting()
    live.journal.hold()
    equipment.send(5, 1, alarm(SET | 4))
    equipment.send(1, 13, equipment.model)
    for (const alcd of [SET | 4, SET | 4, 4]) equipment.send(5, 1, alarm(alcd))
    await equipment.linktest()
    live.journal.release()
    const functions: number[] = []
    while (functions.length < 5) functions.push((await equipment.next()).function)
    expect(functions).toEqual([0, 14, 2, 2, 2])
    expect(await board()).toEqual(['clear 2'])
    expect((await live.events({ type: ['alarm'] })).map(({ name }) => name)).toEqual([
      'alarm_set',
      'alarm_set',
      'alarm_cleared',
    ])
  })
})

describe('an alarm', () => {
  test('is one record from its set to its clear', async () => {
    const { live, id, report, alarms } = await bench()
    await report(SET | 4, U4(7), 'Chamber hot')
    const [set] = (await alarms.list({})).items
    expect(set).toEqual({
      id: expect.any(String),
      equipment_id: id,
      equipment_name: 'tool 1',
      alid: '7',
      text: 'Chamber hot',
      category: 4,
      category_text: expect.stringMatching(/./),
      severity: 'error',
      active: true,
      set_at: at(1),
      cleared_at: null,
      count: 1,
      acknowledged: false,
      acknowledged_by: null,
      acknowledged_at: null,
      comment: null,
      shelved: null,
    })
    await report(4, U4(7), 'Chamber hot')
    expect((await alarms.list({})).items).toEqual([{ ...set, active: false, cleared_at: at(2) }])
    const events = await live.events({ type: ['alarm'] })
    expect(events.map(({ name }) => name)).toEqual(['alarm_set', 'alarm_cleared'])
    expect(events[0]?.id).toBe(set?.id)
    const message = await live.gateway.messages.get(String(events[0]?.data['message_id']))
    expect(message).toMatchObject({ stream: 5, function: 1, outcome: 'replied' })
  })

  test('that is set again while active is counted; once cleared it is another record', async () => {
    const { report, alarms } = await bench()
    for (const alcd of [SET | 4, SET | 4, SET | 4, 4, SET | 4]) await report(alcd, U4(7))
    expect((await alarms.list({})).items).toMatchObject([
      { active: true, count: 1, set_at: at(5) },
      { active: false, count: 3, set_at: at(1), cleared_at: at(4) },
    ])
  })

  test('is counted however close together its reports come', async () => {
    const { live, equipment, alarms } = await bench()
    live.journal.hold()
    for (let times = 0; times < 20; times++) equipment.send(5, 1, L(B(SET | 1), U4(7), A('Hot')))
    await equipment.linktest()
    live.journal.release()
    for (let times = 0; times < 20; times++) await equipment.next()
    expect((await alarms.list({})).items).toMatchObject([{ count: 20, active: true }])
  })

  test('is reported by its ALID, whichever format that has', async () => {
    const { report, alarms } = await bench()
    await report(SET | 1, A('DOOR-1'))
    await report(SET | 1, U2(7))
    await report(1, A('DOOR-1'))
    await report(1, U4(7))
    expect((await alarms.list({ order: 'asc' })).items).toMatchObject([
      { alid: 'DOOR-1', active: false },
      { alid: '7', active: false },
    ])
  })

  test('of one equipment is not that of another', async () => {
    const { live, report, alarms } = await bench()
    const other = await live.connectScripted()
    await report(SET | 1, U4(7))
    other.equipment.send(5, 1, L(B(1), U4(7), A('Hot')))
    await other.equipment.next()
    expect((await alarms.list({})).items).toMatchObject([{ active: true }])
    expect((await alarms.list({ equipment_id: other.id })).items).toEqual([])
  })

  test('that is cleared and was never seen is an event alone', async () => {
    const { live, report, alarms } = await bench()
    await report(4, U4(7))
    expect((await alarms.list({})).items).toEqual([])
    expect(await live.events({ type: ['alarm'] })).toMatchObject([
      { name: 'alarm_cleared', data: { alarm_id: null, alid: '7' } },
    ])
  })

  test('for another device is no alarm of this one', async () => {
    const { live, equipment, alarms } = await bench()
    equipment.send(5, 1, L(B(SET | 1), U4(7), A('Hot')), { sessionId: 9 })
    await live.event(({ data }) => data['session_id'] === 9)
    expect((await alarms.list({})).items).toEqual([])
  })

  test('report that does not fit is aborted, and changes no alarm', async () => {
    const { live, equipment, alarms } = await bench()
    equipment.send(5, 1, L(B(SET | 1), U4(7)))
    expect(await equipment.next()).toMatchObject({ stream: 5, function: 0 })
    expect((await alarms.list({})).items).toEqual([])
    expect((await live.gateway.messages.list({ stream: 5, function: 1 })).items).toMatchObject([
      { data: null, outcome: 'aborted' },
    ])
  })

  test.each<[string, Item, Item]>([
    ['two bytes of ALCD', B(SET | 4, 4), U4(7)],
    ['no byte of ALCD', B(), U4(7)],
    ['two ALIDs', B(4), U4(7, 8)],
    ['no ALID', B(SET | 4), U4()],
    ['an empty text for an ALID', B(SET | 4), A('')],
  ])('report with %s is recorded and aborted, and changes no alarm', async (_, alcd, alid) => {
    const { live, equipment, report, alarms } = await bench()
    await report(SET | 4, U4(7))
    const before = (await alarms.list({})).items
    equipment.send(5, 1, L(alcd, alid, A('Hot')))
    expect(await equipment.next()).toMatchObject({ stream: 5, function: 0 })
    equipment.send(5, 1, L(alcd, alid, A('Hot')), { wait: false })
    equipment.send(1, 1)
    expect(await equipment.next()).toMatchObject({ stream: 1, function: 2 })
    expect((await alarms.list({})).items).toEqual(before)
    expect((await live.gateway.messages.list({ stream: 5, function: 1 })).items).toMatchObject([
      { outcome: 'not_expected' },
      { outcome: 'aborted' },
      { outcome: 'replied' },
    ])
    expect(await live.events({ type: ['alarm'] })).toHaveLength(1)
  })
})

describe('an acknowledgement', () => {
  test('shows who, when and why; the first one is kept', async () => {
    const { clock, live, report, alarms } = await bench()
    await report(SET | 4, U4(7))
    const [{ id } = { id: '' }] = (await alarms.list({})).items
    clock.advance(1000)
    const acknowledged = await alarms.acknowledge(id, ADA, { comment: 'seen' })
    expect(acknowledged).toMatchObject({
      acknowledged: true,
      acknowledged_by: ADA.email,
      acknowledged_at: at(2),
      comment: 'seen',
      active: true,
    })
    clock.advance(1000)
    expect(await alarms.acknowledge(id, { ...ADA, email: 'bob@fab.example' }, {})).toEqual(acknowledged)
    expect((await live.events({ type: ['alarm'] })).map(({ name }) => name)).toEqual([
      'alarm_set',
      'alarm_acknowledged',
    ])
  })

  test('of several at once is one person’s, and is recorded once', async () => {
    const { live, report, alarms } = await bench()
    await report(SET | 4, U4(7))
    await report(SET | 4, U4(8))
    const ids = (await alarms.list({ order: 'asc' })).items.map((one) => one.id)
    const [id = ''] = ids
    const comments = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5']
    const all = await Promise.all(comments.map((comment) => alarms.acknowledge(id, ADA, { comment })))
    expect(all.map(({ comment }) => comment)).toEqual(comments.map(() => 'c0'))
    const both = await Promise.all(
      comments.map((comment) => alarms.acknowledgeAll([...ids].reverse(), ADA, { comment })),
    )
    expect(both.map((results) => results.map(({ result }) => result))).toEqual([
      ['acknowledged', 'already_acknowledged'],
      ...comments.slice(1).map(() => ['already_acknowledged', 'already_acknowledged']),
    ])
    const events = await live.events({ type: ['alarm'] })
    const acknowledged = events.filter(({ name }) => name === 'alarm_acknowledged')
    expect(acknowledged.map(({ data }) => data)).toMatchObject([
      { alarm_id: id, comment: 'c0' },
      { alarm_id: ids[1], comment: 'c0' },
    ])
  })

  test('may come after the clear, and without a comment', async () => {
    const { report, alarms } = await bench()
    await report(SET | 4, U4(7))
    await report(4, U4(7))
    const [{ id } = { id: '' }] = (await alarms.list({})).items
    expect(await alarms.acknowledge(id, ADA, {})).toMatchObject({
      active: false,
      acknowledged: true,
      comment: null,
      shelved: null,
    })
  })

  test('of an alarm that nobody knows is refused', async () => {
    const { alarms } = await bench()
    await expect(alarms.acknowledge('1', ADA, {})).rejects.toMatchObject({ code: 'alarm_not_found' })
  })
})

describe('the alarms', () => {
  test('are found by state, acknowledgement, time and equipment, page by page', async () => {
    const { id, report, alarms } = await bench()
    for (const alid of [1, 2, 3, 4, 5]) await report(SET | 4, U4(alid)) // at seconds 1 to 5
    await report(4, U4(2))
    const all = (await alarms.list({ order: 'asc' })).items
    await alarms.acknowledge(all[2]?.id ?? '', ADA, {})
    const found = async (query: Parameters<typeof alarms.list>[0]) =>
      (await alarms.list(query)).items.map(({ alid }) => alid)
    expect(await found({})).toEqual(['5', '4', '3', '2', '1'])
    expect(await found({ active: true })).toEqual(['5', '4', '3', '1'])
    expect(await found({ active: false })).toEqual(['2'])
    expect(await found({ acknowledged: true })).toEqual(['3'])
    expect(await found({ acknowledged: false, active: true, equipment_id: id })).toEqual(['5', '4', '1'])
    expect(await found({ equipment_id: 'eq_0' })).toEqual([])
    expect(await found({ from: '2026-01-01T01:00:02+01:00', to: at(4) })).toEqual(['3', '2'])
    const first = await alarms.list({ order: 'asc', limit: 2 })
    await report(SET | 4, U4(6))
    const second = await alarms.list({ order: 'asc', limit: 2, cursor: first.next_cursor ?? '' })
    const third = await alarms.list({ order: 'asc', limit: 2, cursor: second.next_cursor ?? '' })
    expect([first, second, third].flatMap(({ items }) => items.map(({ alid }) => alid))).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ])
    expect(third.next_cursor).toBeNull()
    await expect(alarms.list({ active: true, cursor: first.next_cursor ?? '' })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
  })

  test('have pages of one size, open or not: 100 without a limit, and each alarm is on one page', async () => {
    const { live, id, alarms } = await bench()
    const first = live.journal.last + 1
    const kind = { type: 'alarm', key: id, at: at(1) }
    await live.journal.appendAll(
      Array.from({ length: 250 }, (_, place) => {
        const alarm_id = String(first + 2 * place)
        const said = {
          alid: String(place),
          text: 'Hot',
          category: 4,
          category_text: '',
          message_id: alarm_id,
        }
        const data = { alarm_id, ...said, count: 1 }
        // Every second alarm stays active; the entry in the place of a clear is a report more.
        const name = place % 2 === 0 ? 'alarm_set' : 'alarm_cleared'
        return [
          { ...kind, name: 'alarm_set', data },
          { ...kind, name, data: name === 'alarm_set' ? { ...data, count: 2 } : { alarm_id, ...said } },
        ]
      }).flat(),
    )
    const alids = Array.from({ length: 250 }, (_, place) => String(249 - place))
    const read = async (query: Parameters<typeof alarms.list>[0]) => {
      const pages: string[][] = []
      let cursor: string | null = null
      do {
        const page = await alarms.list({ ...query, ...(cursor !== null && { cursor }) })
        pages.push(page.items.map(({ alid }) => alid))
        cursor = page.next_cursor
      } while (cursor !== null)
      return { sizes: pages.map(({ length }) => length), alids: pages.flat() }
    }
    expect(await read({})).toEqual({ sizes: [100, 100, 50], alids })
    expect(await read({ limit: 60 })).toEqual({ sizes: [60, 60, 60, 60, 10], alids })
    expect(await read({ limit: 125 })).toEqual({ sizes: [125, 125], alids })
    expect((await read({ limit: 1000, order: 'asc' })).alids).toEqual([...alids].reverse())
    expect((await read({ active: true })).sizes).toEqual([100, 25])
    expect(await read({ text: 'hot', limit: 100 })).toEqual({ sizes: [100, 100, 50], alids })
  })

  test('are after a restart what they were before, and continue from there', async () => {
    const { live, id, report, alarms } = await bench()
    for (const alcd of [SET | 4, SET | 4, 4, SET | 4]) await report(alcd, U4(7))
    await report(SET | 2, A('DOOR'))
    const [door] = (await alarms.list({})).items
    await alarms.acknowledge(door?.id ?? '', ADA, { comment: 'seen' })
    const before = await alarms.list({})
    const equipment = new MemoryCollection<EquipmentRecord>()
    for (const record of await live.collection.all()) await equipment.put({ ...record, enabled: false })
    const after = await LiveGateway.open({
      ...live.options,
      journal: new HeldJournal(live.journal.entries),
      equipment,
    })
    expect(await after.gateway.alarms.list({})).toEqual(before)
    const { equipment: opened, alarms: again } = await live.reopen()
    await until(async () => (await opened.get(id)).communication_state === 'COMMUNICATING')
    await report(SET | 4, U4(7))
    const active = (await again.list({ active: true })).items
    expect(active.map(({ alid, count }) => [alid, count])).toEqual([
      ['DOOR', 1],
      ['7', 2],
    ])
  })
})

describe('the alarms of an equipment that is deleted', () => {
  test('are cleared, on record and as events; those of others stay', async () => {
    const { live, id, report, alarms, clock } = await bench()
    const other = await live.connectScripted()
    other.equipment.send(5, 1, L(B(SET | 1), U4(7), A('Hot')))
    await other.equipment.next()
    await report(SET | 4, U4(7), 'Chamber hot')
    await report(SET | 4, U4(8))
    clock.advance(1000)
    await live.gateway.equipment.delete(id)
    const all = (await alarms.list({ order: 'asc' })).items
    expect(all.map(({ equipment_id, active }) => [equipment_id, active])).toEqual([
      [other.id, true],
      [id, false],
      [id, false],
    ])
    expect(all[1]).toMatchObject({ acknowledged: false, cleared_at: clock.date().toISOString() })
    const events = await live.events({ type: ['alarm'], equipment_id: id })
    expect(events.slice(-2)).toMatchObject([
      { name: 'alarm_cleared', data: { alid: '7', text: 'Chamber hot', cause: 'equipment_deleted' } },
      { name: 'alarm_cleared', data: { alid: '8', message_id: null } },
    ])
  })

  test('are cleared at the next start when the process died before', async () => {
    const { live, id, report } = await bench()
    await report(SET | 4, U4(7))
    await live.collection.delete(id)
    const { alarms } = await live.reopen()
    expect((await alarms.list({})).items).toMatchObject([{ alid: '7', active: false }])
  })
})

test('whatever is reported in whatever order, the board is what its journal says', async () => {
  const report = fc.record({ alid: fc.constantFrom('1', '2'), set: fc.boolean(), together: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(report, { maxLength: 30 }), async (reports) => {
      const clock = new ManualClock()
      const journal = new HeldJournal()
      const board = await boardOf(journal, clock)
      const expected = new Map<string, { active: boolean; count: number }[]>()
      for (const { alid, set, together } of reports) {
        const alcd = set ? SET : 0
        const appended = journal.appendAll([
          board.entryFor('eq_1', { alcd, alid, text: '' }, new EntryNumber(0), clock.date().toISOString()),
        ])
        const occurrences = expected.get(alid) ?? []
        expected.set(alid, occurrences)
        const last = occurrences.at(-1)
        if (set && last?.active) last.count += 1
        else if (set) occurrences.push({ active: true, count: 1 })
        else if (last) last.active = false
        if (!together) await appended
      }
      await journal.append({ type: 'state', name: 'end', key: 'eq_1', at: '', data: {} })
      const { items } = await board.list({ order: 'asc' })
      for (const alid of ['1', '2']) {
        const found = items.filter((alarm) => alarm.alid === alid)
        expect(found.map(({ active, count }) => ({ active, count }))).toEqual(expected.get(alid) ?? [])
      }
      const restored = await boardOf(journal, clock)
      expect((await restored.list({ order: 'asc' })).items).toEqual(items)
    }),
  )
})

test('equipment that makes up ALIDs costs no other equipment an alarm, and the list names it', async () => {
  const clock = new ManualClock()
  const journal = new HeldJournal()
  const board = await boardOf(journal, clock)
  const report = (equipmentId: string, alcd: number, alid: number) => {
    const said = { alcd, alid: String(alid), text: 'Hot' }
    return board.entryFor(equipmentId, said, new EntryNumber(0), clock.date().toISOString())
  }
  await journal.appendAll([report('eq_quiet', SET, 1), report('eq_quiet', SET, 2)])
  await journal.append(report('eq_quiet', 0, 2))
  for (let alid = 0; alid < 10_005; alid += 1) await journal.append(report('eq_flood', SET, alid))
  // Cleared, and never acknowledged.
  for (let alid = 0; alid < 10_005; alid += 1)
    await journal.appendAll([report('eq_other', SET, alid), report('eq_other', 0, alid)])

  for (const one of [board, await boardOf(journal, clock)]) {
    const quiet = (await one.list({}, 'eq_quiet')).items
    expect(quiet.map(({ alid, active }) => `${alid} ${active}`)).toEqual(['2 false', '1 true'])
    const items = await readOpenAlarms((query) => one.list(query))
    const { incomplete } = await one.summary(undefined)
    const active = (id: string) => items.filter((alarm) => alarm.equipment_id === id && alarm.active).length
    expect(active('eq_quiet')).toBe(1)
    expect(active('eq_flood')).toBeGreaterThanOrEqual(10_000)
    expect(incomplete).toEqual(['eq_flood'])
    expect((await one.list({}, 'eq_quiet')).incomplete).toEqual([])
    expect(new Set(one.occurrences.pinned())).toContain(1)
    expect(new Set(one.occurrences.pinned())).toContain(2)
  }
  await journal.append(report('eq_quiet', 0, 1))
  expect((await board.list({ active: true }, 'eq_quiet')).items).toEqual([])
})

test('the summary counts the open alarms, tells the most urgent one, and from which event on it changes', async () => {
  const clock = new ManualClock()
  const journal = new HeldJournal()
  const board = await boardOf(journal, clock)
  const report = async (key: string, alcd: number, alid: string) => {
    const said = { alcd, alid, text: `text ${alid}` }
    const entry = await journal.append(board.entryFor(key, said, new EntryNumber(0), at(1)))
    return String(entry.seq)
  }
  expect(await board.summary(undefined)).toEqual({ as_of: '0', items: [], incomplete: [] })
  await report('eq_1', SET | 4, 'drift')
  const door = await report('eq_1', SET | 1, 'door')
  await report('eq_1', SET | 2, 'vacuum')
  const last = await report('eq_2', SET | 6, 'notice')
  await board.acknowledge(door, ADA, {})
  for (const one of [board, await boardOf(journal, clock)]) {
    const { as_of, items } = await one.summary(undefined)
    expect(Number(as_of)).toBe(Number(last) + 1)
    const { category_text, ...worst } = items[0]?.worst ?? { category_text: '' }
    expect(worst).toEqual({
      ...{
        id: door,
        alid: 'door',
        text: 'text door',
        category: 1,
        severity: 'personal_safety',
        set_at: at(1),
        acknowledged: true,
      },
    })
    expect(category_text).toMatch(/safety/i)
    expect(
      items.map(({ equipment_id, active, unacknowledged }) => [equipment_id, active, unacknowledged]),
    ).toEqual([
      ['eq_1', 3, 2],
      ['eq_2', 1, 1],
    ])
    expect((await one.summary(new Set(['eq_2', 'eq_none']))).items).toMatchObject([{ equipment_id: 'eq_2' }])
  }
  await report('eq_1', 1, 'door')
  expect((await board.summary('eq_1')).items).toMatchObject([
    { active: 2, unacknowledged: 2, worst: { alid: 'vacuum' } },
  ])
  for (const alid of ['drift', 'vacuum']) await report('eq_1', 0, alid)
  expect((await board.summary('eq_1')).items).toMatchObject([{ active: 0, unacknowledged: 2, worst: null }])
})

test('a stream after as_of of a summary has the alarm that was set before the stream began, and none twice', async () => {
  const { live, report, alarms } = await bench()
  await report(SET | 4, U4(7))
  const { as_of, items } = await alarms.summary(undefined)
  expect(items).toMatchObject([{ active: 1 }])
  await report(SET | 4, U4(8))
  const signal = new AbortController()
  const seen: string[] = []
  for await (const group of live.gateway.events.follow({ after: as_of, type: ['alarm'] }, signal.signal)) {
    seen.push(...group.map(({ data }) => String(data['alid'])))
    if (seen.length === 1) await report(SET | 4, U4(9))
    if (seen.includes('9')) break
  }
  expect(seen).toEqual(['8', '9'])
})
