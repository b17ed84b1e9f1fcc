import { describe, expect, test } from 'vitest'
import type { Severity } from '../../../src/contract/alarm-severity.js'
import { A, B, L, U4 } from '../../../src/secs2/item.js'
import { ADA, LiveGateway } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'

const SET = 0x80
const BOB = { ...ADA, email: 'bob@fab.example' }

/** Equipment that has reported alarms, each one second after the one before. */
async function reported(alarms: readonly (readonly [alcd: number, alid: number, text: string])[]) {
  const clock = new ManualClock()
  const live = await LiveGateway.open({ clock, hasMadeUpEvents: true })
  const { equipment, id } = await live.connectScripted()
  const report = async (alcd: number, alid: number, text = 'Hot'): Promise<void> => {
    clock.advance(1000)
    equipment.send(5, 1, L(B(alcd), U4(alid), A(text)))
    await equipment.next()
  }
  for (const alarm of alarms) await report(...alarm)
  return { clock, live, id, report, alarms: live.gateway.alarms }
}

describe('alarms by what they say', () => {
  test('are found by ALID, range, category and text, also combined', async () => {
    const { alarms } = await reported([
      [SET | 1, 7, 'Pump A pressure HIGH'],
      [SET | 2, 4000, 'Pump B off'],
      [SET | 2, 4010, 'Door (open)'],
      [SET | 5, 4011, 'high pump'],
    ])
    const found = async (query: Parameters<typeof alarms.list>[0]): Promise<string[]> =>
      (await alarms.list({ order: 'asc', ...query })).items.map(({ alid }) => alid)
    expect(await found({ alid: ['7'] })).toEqual(['7'])
    expect(await found({ alid: ['7', '4000-4010'] })).toEqual(['7', '4000', '4010'])
    expect(await found({ alid: ['4010-4000', '400'] })).toEqual([])
    expect(await found({ category: [2] })).toEqual(['4000', '4010'])
    expect(await found({ category: [1, 5] })).toEqual(['7', '4011'])
    expect(await found({ text: 'pump' })).toEqual(['7', '4000', '4011'])
    expect(await found({ text: 'PUMP*high' })).toEqual(['7'])
    expect(await found({ text: '(' })).toEqual(['4010'])
    expect(await found({ text: '*' })).toHaveLength(4)
    expect(await found({ text: 'pump', category: [2], alid: ['1-9999'] })).toEqual(['4000'])
  })

  test('are found and sorted by severity, page by page, also while they are cleared between two pages', async () => {
    const categories = [7, 4, 1, 3, 64, 2, 5, 1, 6, 0]
    const { alarms, report } = await reported(categories.map((category, at) => [SET | category, at, 'Hot']))
    const expected = ['7', '2', '5', '6', '1', '9', '4', '8', '3', '0']
    const query = { sort: 'severity', active: true } as const
    const all = await alarms.list(query)
    expect(all.items.map(({ alid }) => alid)).toEqual(expected)
    expect(all.items.map(({ severity }) => severity).slice(1, 7)).toEqual([
      ...['personal_safety', 'equipment_safety', 'error', 'error', 'other', 'other'],
    ])
    expect((await alarms.list({ ...query, order: 'asc' })).items.map(({ alid }) => alid)).toEqual(
      expected.toReversed(),
    )
    const severity: Severity[] = ['warning', 'equipment_safety']
    expect((await alarms.list({ severity })).items.map(({ alid }) => alid)).toEqual(['8', '5', '3'])
    const first = await alarms.list({ ...query, limit: 4 })
    // The one that the next page begins with.
    await report(4, 1)
    const next = await alarms.list({ ...query, limit: 4, cursor: first.next_cursor ?? '' })
    expect([...first.items, ...next.items].map(({ alid }) => alid)).toEqual([
      ...['7', '2', '5', '6', '9', '4', '8', '3'],
    ])
    await expect(alarms.list({ active: true, cursor: first.next_cursor ?? '' })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
  })

  test('are found page by page, and the cursor belongs to the filter', async () => {
    const { alarms } = await reported(
      Array.from({ length: 9 }, (_, at) => [SET | 4, at, at % 2 === 0 ? 'even' : 'odd'] as const),
    )
    const query = { text: 'even', limit: 2, order: 'asc' } as const
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await alarms.list({ ...query, ...(cursor !== null && { cursor }) })
      if (cursor === null)
        await expect(
          alarms.list({ ...query, text: 'odd', cursor: page.next_cursor ?? '' }),
        ).rejects.toMatchObject({ code: 'invalid_cursor' })
      seen.push(...page.items.map(({ alid }) => alid))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(seen).toEqual(['0', '2', '4', '6', '8'])
  })

  test('a search compares no more than 5000 others for one page, and continues from there', async () => {
    const { live, id } = await reported([])
    const kind = { type: 'alarm', name: 'alarm_set', key: id, at: '2026-01-01T00:00:00.000Z' }
    const first = live.journal.last + 1
    const data = (at: number) => ({ alid: '7', text: at === 0 ? 'rare' : 'common', category: 4, count: 1 })
    const clear = { ...kind, name: 'alarm_cleared' }
    const acknowledged = { ...kind, name: 'alarm_acknowledged' }
    await live.journal.appendAll(
      Array.from({ length: 6000 }, (_, at) => {
        const alarm_id = String(first + 3 * at)
        return [
          { ...kind, data: { alarm_id, ...data(at) } },
          { ...clear, data: { alarm_id, ...data(at) } },
          { ...acknowledged, data: { alarm_id, acknowledged_by: 'x@y' } },
        ]
      }).flat(),
    )
    const { alarms } = live.gateway
    const page = await alarms.list({ text: 'rare' })
    expect(page.items).toEqual([])
    const next = await alarms.list({ text: 'rare', cursor: page.next_cursor ?? '' })
    expect(next).toMatchObject({ items: [{ text: 'rare' }], next_cursor: null })
  })
})

describe('several alarms are acknowledged together', () => {
  test('each with its result, and those of others stay as they are', async () => {
    const { live, report, alarms } = await reported([
      [SET | 4, 1, 'one'],
      [SET | 4, 2, 'two'],
      [SET | 4, 3, 'three'],
    ])
    const [one = '', two = '', three = ''] = (await alarms.list({ order: 'asc' })).items.map(({ id }) => id)
    await alarms.acknowledge(two, BOB, {})
    await report(4, 3)
    const results = await alarms.acknowledgeAll([three, 'x', two, one, one, '99'], ADA, { comment: 'storm' })
    expect(results).toMatchObject([
      { id: three, result: 'acknowledged', alarm: { active: false, acknowledged_by: ADA.email } },
      { id: 'x', result: 'not_found', alarm: null },
      { id: two, result: 'already_acknowledged', alarm: { acknowledged_by: BOB.email, comment: null } },
      { id: one, result: 'acknowledged', alarm: { active: true, comment: 'storm' } },
      { id: one, result: 'acknowledged' },
      { id: '99', result: 'not_found' },
    ])
    expect(
      (await live.events({ type: ['alarm'] })).filter(({ name }) => /acknowledged/.test(name)),
    ).toHaveLength(3)
    const before = (await alarms.list({})).items
    const { alarms: later } = await live.reopen()
    expect((await later.list({})).items).toEqual(before)
  })

  test('by two people at once: each alarm is one person’s, and each is told which', async () => {
    const { alarms } = await reported(Array.from({ length: 20 }, (_, at) => [SET | 4, at, 'Hot'] as const))
    const ids = (await alarms.list({})).items.map(({ id }) => id)
    const both = await Promise.all([
      alarms.acknowledgeAll(ids.slice(0, 15), ADA, {}),
      alarms.acknowledgeAll(ids.slice(5), BOB, {}),
    ])
    const own = both.map((results) => results.filter(({ result }) => result === 'acknowledged'))
    expect(
      own
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ids].sort())
    for (const [at, { email }] of [ADA, BOB].entries())
      for (const { alarm } of own[at] ?? []) expect(alarm?.acknowledged_by).toBe(email)
    for (const { result, alarm } of both[1]?.slice(0, 10) ?? [])
      expect([result, alarm?.acknowledged_by]).toEqual(['already_acknowledged', ADA.email])
  })

  test('an alarm that is set again is another one, and is not acknowledged', async () => {
    const { report, alarms } = await reported([[SET | 4, 1, 'Hot']])
    const [{ id } = { id: '' }] = (await alarms.list({})).items
    await report(4, 1)
    await report(SET | 4, 1)
    await alarms.acknowledgeAll([id], ADA, {})
    expect((await alarms.list({})).items.map(({ acknowledged }) => acknowledged)).toEqual([false, true])
  })
})
