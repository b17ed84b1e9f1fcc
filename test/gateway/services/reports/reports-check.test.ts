import { expect, test } from 'vitest'
import { type ErrorCode, Problem } from '../../../../src/contract/errors.js'
import type { Asking } from '../../../../src/gateway/services/asking.js'
import { findReports, shownBy } from '../../../../src/gateway/services/reports/reports-check.js'

const SETUP = {
  reports: [
    { id: '1', variables: ['10', '11'] },
    { id: '2', variables: ['12'] },
  ],
  events: [
    { id: '31', reports: ['1'], enabled: true },
    { id: '32', reports: ['2'], enabled: false },
    { id: '33', reports: [], enabled: true },
  ],
  others: 'delete',
  inquire: false,
} as const

/** Values by RPTID of an S6F16, values of an S6F20, or the problem that is the reply. */
type Replies = Readonly<Record<string, Readonly<Record<string, number>> | number | ErrorCode>>

/** Equipment that replies so to the event `E31` and to the reports `R1` and `R2`; `asked` has the questions. */
function equipment(replies: Replies) {
  const asked: string[] = []
  const values = (length: number) => Array.from({ length }, () => '0')
  const ask = async (
    _: string,
    message: string,
    data: { CEID?: string; RPTID?: string },
    options: object,
  ) => {
    const about = message === 'S6F15' ? `E${data.CEID}` : `R${data.RPTID}`
    asked.push(about)
    expect(options).toEqual({ timeout: 10 })
    const reply = replies[about] ?? 0
    if (typeof reply === 'string') throw new Problem(reply, about)
    if (typeof reply === 'number') return { content: { V: values(reply) } }
    return { content: { REPORTS: Object.entries(reply).map(([RPTID, V]) => ({ RPTID, V: values(V) })) } }
  }
  return { asking: { ask } as unknown as Asking, asked }
}

type Case = [
  what: string,
  replies: Replies,
  asked: string,
  reports: string,
  asSet: boolean,
  shown?: 'reports',
]

test.each<Case>([
  ['all as set', { E31: { 1: 2 }, R2: 1 }, 'E31 R2', '1 2', true],
  ['a report that is not defined', { E31: { 1: 2 }, R2: 0 }, 'E31 R2', '1', false],
  ['a report with fewer values', { E31: { 1: 1 }, R2: 1 }, 'E31 R2', '1 2', false],
  ['an event without its report', { E31: {}, R1: 2, R2: 1 }, 'E31 R1 R2', '1 2', false],
  ['an event with another report', { E31: { 2: 1 }, R1: 2 }, 'E31 R1', '1 2', false],
  ['an event with one report more', { E31: { 1: 2, 2: 1 } }, 'E31', '1 2', false],
  ['no S6F15', { E31: 'transaction_aborted', R1: 2, R2: 1 }, 'E31 R1 R2', '1 2', true, 'reports'],
  ['silence to S6F15', { E31: 'reply_timeout', R1: 2, R2: 1 }, 'E31 R1 R2', '1 2', true, 'reports'],
  ['no S6F19 after an event as set', { E31: { 1: 2 }, R2: 'reply_timeout' }, 'E31 R2', '1 2', true],
  ['no S6F19 after an event that is not', { E31: {}, R1: 'message_rejected' }, 'E31 R1', '1 2', false],
])('found of %s', async (_, replies, asked, reports, asSet, shown = 'links' as never) => {
  const scene = equipment(replies)
  const found = await findReports(scene.asking, 'eq', SETUP, 'links')
  expect(found).toEqual({ reports: reports.split(' '), asSet, shown })
  expect(scene.asked.join(' ')).toBe(asked)
})

test.each<[string, Replies, ErrorCode]>([
  ['neither is known', { E31: 'transaction_aborted', R1: 'equipment_error' }, 'equipment_error'],
  ['S6F15 meets a lost connection', { E31: 'connection_lost' }, 'connection_lost'],
  ['S6F19 meets a lost connection', { E31: { 1: 2 }, R2: 'connection_lost' }, 'connection_lost'],
])('nothing is found where %s', async (_, replies, code) => {
  await expect(findReports(equipment(replies).asking, 'eq', SETUP, 'links')).rejects.toMatchObject({ code })
})

test('links that are as set without a report prove nothing where S6F19 is not known', async () => {
  const { asking } = equipment({ R1: 'reply_timeout' })
  const unlinked = { ...SETUP, events: [] }
  await expect(findReports(asking, 'eq', unlinked, 'links')).rejects.toMatchObject({ code: 'reply_timeout' })
})

test('an event after one that is not as set counts also where it gets no reply', async () => {
  const events = [...SETUP.events, { id: '34', reports: ['2'], enabled: true }]
  const { asking } = equipment({ E31: {}, E34: 'reply_timeout', R1: 2, R2: 1 })
  expect(await findReports(asking, 'eq', { ...SETUP, events }, 'links')).toMatchObject({
    asSet: false,
    shown: 'links',
  })
})

test('reports without an event have to be shown where S6F15 showed some alone', async () => {
  const events = [...SETUP.events, { id: '34', reports: ['2'], enabled: true }]
  const { asking } = equipment({ E31: { 1: 2 }, E34: 'transaction_aborted', R2: 'reply_timeout' })
  const found = findReports(asking, 'eq', { ...SETUP, events }, 'links')
  await expect(found).rejects.toMatchObject({ code: 'reply_timeout' })
})

test('an event with another report in the place of its own is not as set', async () => {
  const events = [{ id: '31', reports: ['1', '2'], enabled: true }]
  const { asking } = equipment({ E31: { 1: 2, 3: 1 }, R2: 1 })
  expect(await findReports(asking, 'eq', { ...SETUP, events }, 'links')).toMatchObject({ asSet: false })
})

test('reports alone are asked for where links are not shown', async () => {
  const { asking, asked } = equipment({ E31: {}, R1: 2, R2: 1 })
  expect(await findReports(asking, 'eq', SETUP, 'reports')).toEqual({
    ...{ reports: ['1', '2'], asSet: true, shown: 'reports' },
  })
  expect(asked).toEqual(['R1', 'R2'])
})

test.each<[replies: Replies, shown: string]>([
  [{ E31: { 1: 2 }, R2: 1 }, 'links'],
  [{ E31: {}, R1: 2, R2: 1 }, 'reports'],
  [{ E31: {}, R1: 0, R2: 1 }, 'nothing'],
  [{ E31: 'transaction_aborted', R1: 2, R2: 1 }, 'reports'],
])('right after they were accepted, %j shows %s', async (replies, shown) => {
  expect(await shownBy(equipment(replies).asking, 'eq', SETUP)).toBe(shown)
})
