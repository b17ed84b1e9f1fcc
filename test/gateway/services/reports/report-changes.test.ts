import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../../src/catalogue/standard-catalogue.js'
import { Problem } from '../../../../src/contract/errors.js'
import { plainReading } from '../../../../src/gateway/records/reading.js'
import { Asking, type SendOptions } from '../../../../src/gateway/services/asking.js'
import { ReportChanges } from '../../../../src/gateway/services/reports/report-changes.js'
import type { ReportSetup } from '../../../../src/gateway/services/reports/report-setup.js'
import type { Item } from '../../../../src/secs2/item.js'
import { printSml } from '../../../../src/secs2/sml/print.js'

const OPTIONS: SendOptions = { request: undefined }
const SILENT = new Problem('reply_timeout', 'no reply', { message_id: '7' })
const ABORTED = new Problem('transaction_aborted', 'aborted', { message_id: '7' })
const GONE = new Problem('connection_lost', 'gone', { message_id: '7' })

const setup = (report: string, event: string, others: ReportSetup['others'] = 'keep'): ReportSetup => ({
  reports: [{ id: report, variables: ['10'] }],
  events: [{ id: event, reports: [report], enabled: true }],
  others,
  inquire: false,
})

/** Equipment that replies to each message in turn: refuses one, fails with a problem, or accepts. */
async function changed(
  wanted: ReportSetup,
  applied: ReportSetup | undefined,
  replies: Readonly<Record<number, 'refused' | Problem>>,
) {
  const sent: string[] = []
  const session = { reading: () => plainReading(STANDARD_CATALOGUE), current: () => ({ name: 'etcher' }) }
  const asking = new Asking({ session: () => session } as never)
  asking.acknowledgeBody = async (_: string, message: string, item: Item | undefined) => {
    const reply = replies[sent.length]
    const [stream = 0, fn = 0] = message.slice(1).split('F').map(Number)
    sent.push(
      printSml({ stream, function: fn, wait: false, item })
        .replace(/<L \[\d+\]|<U4 |[>\s.]+/g, ' ')
        .trim(),
    )
    if (reply instanceof Problem) throw reply
    const code = reply ? 1 : 0
    return {
      ...{ accepted: code === 0, code, text: '', message_id: '1', reply_id: '2', item: 'ACK' },
      body: undefined,
    } as never
  }
  const changes = new ReportChanges(asking)
  const plan = changes.plan('eq', wanted, applied)
  const result = await changes.change('eq', plan, wanted, { setup: applied }, OPTIONS)
  const back = sent.slice(
    result.steps.filter(({ accepted, text }) => accepted !== null || text !== null).length,
  )
  return { ...result, back }
}

const [WANTED, APPLIED] = [setup('2', '32'), setup('1', '31')]
// Message 0 disables, 1 unlinks, 2 deletes, 3 defines, 4 and 5 release the event of others, 6 links, 7 enables.

/** The reports that are deleted by these messages, which are SML without its signs. */
const deletes = (back: readonly string[]): string[] =>
  back.flatMap((one) => /^S2F33 .*?\b([12])$/.exec(one.replace(/\s+/g, ' '))?.[1] ?? [])

test.each([
  ['unlinking is refused', { 1: 'refused' }, true, ['1']],
  ['deletion is refused', { 2: 'refused' }, true, ['1']],
  ['deletion gets no reply', { 2: SILENT }, true, []],
  ['definition is refused', { 3: 'refused' }, true, []],
  ['definition gets no reply', { 3: SILENT }, true, ['2']],
  ['linking is refused', { 6: 'refused' }, true, ['2']],
  ['linking is refused, and then disabling', { 6: 'refused', 7: 'refused' }, true, ['2']],
  ['linking is refused, and then unlinking', { 6: 'refused', 8: 'refused' }, false, ['2']],
  ['enabling gets no reply', { 7: SILENT }, true, ['2']],
  ['the connection is lost', { 3: GONE }, false, []],
  ['the first message is aborted', { 0: ABORTED }, null, []],
  ['the first message gets no reply', { 0: SILENT }, true, ['1']],
] as const)(
  'after a failure the equipment is given back what it had: %s',
  async (_, replies, rolledBack, deleted) => {
    const result = await changed(WANTED, APPLIED, replies)
    expect([result.rolledBack, deletes(result.back)]).toEqual([rolledBack, deleted])
    expect(result.failed).toBeDefined()
  },
)

test.each([
  [{ 3: 'refused' }, false],
  [{ 4: SILENT }, true],
  [{ 5: 'refused' }, true],
  [{ 6: 'refused' }, true],
] as const)(
  'events of others that are released cannot be given back, and are named: %j',
  async (replies, named) => {
    const { detail, back, rolledBack } = await changed(WANTED, APPLIED, replies)
    expect(rolledBack).toBe(true)
    expect(detail?.includes('may have set up are disabled and have no reports: 32.')).toBe(named)
    // Without a need they are not touched on the way back either.
    expect(back.some((message) => /^S2F3[57] .*\b32\b/.test(message.replace(/\s+/g, ' ')))).toBe(named)
  },
)

test('reports that the equipment refuses leave it as it was', async () => {
  const { detail, back, rolledBack } = await changed(WANTED, undefined, { 0: 'refused' })
  expect([rolledBack, back]).toEqual([null, []])
  expect(detail).toMatch(/has what it had before/)
})

test('a refusal to disable single events is passed over', async () => {
  const { failed, rolledBack, detail, steps } = await changed(WANTED, APPLIED, { 0: 'refused' })
  expect([failed, rolledBack, detail]).toEqual([undefined, null, null])
  expect(steps.map(({ accepted }) => accepted)).toEqual([false, ...Array(7).fill(true)])
})

test.each([
  [{ 0: 'refused' }, /has what it had before/],
  [{ 1: 'refused' }, /are as they were/],
  [{ 1: SILENT }, /may be gone/],
  [{ 2: SILENT }, /is gone, and not known/],
] as const)('where nothing was applied before, %j is told as it is', async (replies, text) => {
  const { rolledBack, detail, back } = await changed(setup('2', '32', 'delete'), undefined, replies)
  expect([rolledBack, back]).toEqual([null, []])
  expect(detail).toMatch(text)
})

test('an identifier that fits no item is refused with its place in the definition, before anything is sent', async () => {
  const wrong = { ...WANTED, reports: [...WANTED.reports, { id: '99999999999', variables: ['10'] }] }
  await expect(changed(wrong, APPLIED, {})).rejects.toMatchObject({
    code: 'invalid_message',
    extra: { errors: [{ pointer: '/reports/1/id' }] },
  })
})
