import { expect, test } from 'vitest'
import type { SinkDelivery } from '../../../src/gateway/sinks/sink-delivery.js'
import type { SinkRecord } from '../../../src/gateway/sinks/sink-record.js'
import { sinkView, withStoredUrl } from '../../../src/gateway/sinks/sink-view.js'
import { ManualClock } from '../../support/manual-clock.js'
import { RetainedJournal } from '../../support/memory-store.js'
import { entryOf } from './open-sinks.js'

const RECORD = {
  ...{ id: 's', name: 'mes', kind: 'webhook', secret: null, paused: false, position: 2, dead: [] },
  webhook: { url: 'https://mes.test/hook' },
} as unknown as SinkRecord

const dead = (count: number, retrying = false) =>
  Array.from({ length: count }, (_, at) => ({ seq: 1, reason: '', at: '', retrying: retrying && at === 0 }))

/** A view of a sink over five entries, of which retention has removed those before `first`, 10 s after the last one. */
async function viewed(record: Partial<SinkRecord>, run?: Partial<SinkDelivery>, first = 1) {
  const [journal, clock] = [new RetainedJournal(), new ManualClock()]
  for (const n of [0, 1, 2, 3, 4]) await journal.append(entryOf('eq_a', n))
  journal.removeBefore(first)
  clock.advance(14_000)
  const stored = { ...RECORD, ...record }
  const delivery = run && ({ record: stored, ...run } as SinkDelivery)
  return sinkView(stored, delivery, { journal, clock }, run?.tally)
}

test('a sink is shown without its secret, with the number of its dead letters', async () => {
  const view = await viewed({ secret: 'whsec_x', dead: dead(3), unopened_query: 'sealed' })
  expect(view).toEqual({
    messages: null,
    ...{ id: 's', name: 'mes', kind: 'webhook', webhook: { url: 'https://mes.test/hook?...' }, signed: true },
    ...{ state: 'active', position: '2', lag_entries: 3, lag_seconds: 12, delivered: 0, dead: 3 },
    ...{ last_delivered_at: null, last_error: null },
  })
})

test.each<[what: string, record: Partial<SinkRecord>, run: object | undefined, shown: object]>([
  ['without a secret', {}, undefined, { signed: false, webhook: RECORD.webhook }],
  ['with one that cannot be opened', { unopened: 'sealed' }, undefined, { signed: true }],
  ['that is paused', { paused: true, dead: dead(1000) }, { lastError: 'x' }, { state: 'paused' }],
  ['with almost too many dead letters', { dead: dead(999) }, undefined, { state: 'active' }],
  [
    'with too many dead letters',
    { dead: dead(1000) },
    { lastError: 'x' },
    { state: 'blocked', last_error: 'x' },
  ],
  ['whose dead letters are sent again', { dead: dead(1000, true) }, undefined, { state: 'active' }],
  [
    'that fails',
    {},
    { lastError: 'x', tally: { delivered: 7, lastDelivered: null } },
    { state: 'failing', delivered: 7 },
  ],
  [
    'that delivers',
    {},
    { tally: { delivered: 1, lastDelivered: 't' } },
    { state: 'active', last_delivered_at: 't' },
  ],
  ['that is up to date', { position: 5 }, undefined, { lag_entries: 0, lag_seconds: 0 }],
  ['with one entry left', { position: 4 }, undefined, { lag_entries: 1, lag_seconds: 10 }],
])('a sink %s', async (_, record, run, shown) => {
  expect(await viewed(record, run)).toMatchObject(shown)
})

test('the lag is that of the oldest entry that is kept', async () => {
  expect(await viewed({ position: 1 }, undefined, 4)).toMatchObject({ lag_entries: 4, lag_seconds: 11 })
})

test('a run has a newer record than the one that is stored', async () => {
  const record = { ...RECORD, position: 4 }
  expect(await viewed({}, { record })).toMatchObject({ position: '4' })
})

test('an entry with a later time than now is no negative lag', async () => {
  const [journal, clock] = [new RetainedJournal(), new ManualClock()]
  for (const n of [0, 1, 60]) await journal.append(entryOf('eq_a', n))
  expect(await sinkView(RECORD, undefined, { journal, clock })).toMatchObject({
    lag_entries: 1,
    lag_seconds: 0,
  })
})

test('a sink without a webhook has none', async () => {
  expect(await viewed({ webhook: undefined } as never)).not.toHaveProperty('webhook')
})

const QUERY = { url: 'https://mes.test/hook?token=1' }

test.each<
  [given: object | undefined, stored: object | undefined, unopened: string | undefined, url: unknown]
>([
  [{ url: 'https://mes.test/hook?...' }, QUERY, undefined, QUERY.url],
  [{ url: 'https://mes.test/hook' }, QUERY, undefined, 'https://mes.test/hook'],
  [{ url: 'https://mes.test/hook?...' }, RECORD.webhook, 'sealed', 'https://mes.test/hook'],
  [{ url: 'https://mes.test/hook' }, RECORD.webhook, undefined, 'https://mes.test/hook'],
  [{ url: 'https://mes.test/hook?...' }, undefined, undefined, 'https://mes.test/hook?...'],
  [undefined, QUERY, undefined, undefined],
])('a change to %j of a sink with %j has its URL as it is stored', (webhook, stored, unopened_query, url) => {
  const record = { ...RECORD, webhook: stored, unopened_query } as SinkRecord
  const changed = withStoredUrl({ ...(webhook && { webhook }) } as never, record) as {
    webhook?: { url: string }
  }
  expect(changed.webhook?.url).toBe(url)
})
