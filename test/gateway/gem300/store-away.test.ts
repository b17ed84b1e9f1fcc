import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { Problem } from '../../../src/contract/errors.js'
import { Decisions } from '../../../src/gateway/decisions.js'
import { EquipmentObjects } from '../../../src/gateway/gem300/view/equipment-objects.js'
import { KnownObjects } from '../../../src/gateway/gem300/view/known-objects.js'
import { QueueHead } from '../../../src/gateway/gem300/view/queue-head.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import type { Asking } from '../../../src/gateway/services/asking.js'
import { buildBody } from '../../../src/gem300/messages/bodies.js'
import { Signal } from '../../../src/kit/signal.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, BOOLEAN, type Item, L, U1 } from '../../../src/secs2/item.js'
import { type Entry, numbered } from '../../../src/store/entry.js'
import { StoreUnavailable } from '../../../src/store/failure.js'
import { DEFAULT_VIEW } from '../../gem300/default-view.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'
import { AwayJournal } from '../../support/memory-store.js'

/** Equipment that tells its process jobs, and the gateway that follows it. */
async function scene() {
  const clock = new ManualClock()
  const journal = new AwayJournal(clock)
  const known = new KnownObjects()
  await journal.attach([known])
  const site = { isAway: false }
  const asking = {
    reading: () => plainReading(STANDARD_CATALOGUE),
    nameOf: () => 'tool',
    exchange: async (_: string, message: string) => {
      if (site.isAway) throw new StoreUnavailable('The database is away.')
      if (message !== 'S16F19') throw new Problem('transaction_aborted', `${message} is not known.`)
      const body = buildBody('S16F20', [{ PRJOBID: 'PJ-1', PRSTATE: 'PROCESSING' }], DEFAULT_VIEW)
      return { body, ids: { message_id: '1', reply_id: '2' }, reading: asking.reading(), subject: message }
    },
  }
  const objects = new EquipmentObjects({
    ...{ journal, clock, known },
    decisions: new Decisions(journal, clock),
    asking: asking as unknown as Asking,
    planOf: () => ({ mapping: { status: [], events: [] } as never, knowledge: undefined as never }),
  })
  const started: Signal<{ readonly equipmentId: string }> = new Signal()
  objects.watch({ started, removed: new Signal() } as never, async () => {})
  const jobs = () =>
    objects
      .of('eq')
      .list('job')
      .map(({ id, states }) => `${id} ${states['state']?.state}`)
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await settle()
  }
  return { clock, journal, objects, started, site, jobs, pass }
}

test('What an event has told is recorded once the database is back', async () => {
  const { journal, objects, jobs, pass } = await scene()
  const told = [{ kind: 'job' as const, id: 'PJ-1', states: { state: 'SETTING_UP' } }]
  journal.leave()
  const recorded = objects
    .tell('eq', told, { messageId: '1', at: '2026-01-31T08:00:00.000Z' })
    .catch(() => {})
  await settle()
  await pass(8000)
  journal.comeBack()
  await recorded
  expect(jobs()).toEqual(['PJ-1 SETTING_UP'])
})

test('Equipment that connects while the database is away for a moment is asked again for its objects', async () => {
  const { started, site, jobs, pass } = await scene()
  site.isAway = true
  started.emit({ equipmentId: 'eq' })
  await settle()
  await pass(1000)
  site.isAway = false
  for (let seconds = 0; seconds < 10; seconds++) await pass(1000)
  expect(jobs()).toEqual(['PJ-1 PROCESSING'])
})

test('Objects that are asked for while the database is away for a moment, as after a mapping is applied, are asked for again', async () => {
  const { objects, site, jobs, pass } = await scene()
  site.isAway = true
  objects.inquire('eq')
  await pass(1000)
  site.isAway = false
  for (let seconds = 0; seconds < 10; seconds++) await pass(1000)
  expect(jobs()).toEqual(['PJ-1 PROCESSING'])
})

test('A control job that is put first is moved where the database was away when its command was looked for', async () => {
  const { clock, pass } = await scene()
  const at = '2026-01-31T08:00:00.000Z'
  const message = (direction: 'sent' | 'received', fn: number, seq: number, item: Item): Entry => {
    const header = { sessionId: 0, stream: 16, function: fn, wait: fn === 27, systemBytes: 1 }
    const replyTo = fn === 28 ? 1 : null
    const recorded = new RecordedMessage(
      { direction, equipmentId: 'eq', replyTo },
      { ...header, body: encodeBody(item) },
    )
    return numbered(recorded.entry(at), seq)
  }
  const primary = message('sent', 27, 1, L(A('CJ-2'), U1(8), L()))
  const appended = new Signal<Entry>()
  let isAway = true
  const get = async () => {
    if (isAway) throw new StoreUnavailable('The database is away.')
    return primary
  }
  const moved: (string | undefined)[] = []
  const objects = {
    moveToHead: async (_: string, jobOf: () => Promise<string | undefined>) => void moved.push(await jobOf()),
  }
  new QueueHead({
    ...{ journal: { appended, get }, clock, ownership: { owns: () => true }, objects: objects as never },
    readingOf: () => plainReading(STANDARD_CATALOGUE),
  })
  appended.emit(message('received', 28, 2, L(BOOLEAN(true), L())))
  await pass(1000)
  isAway = false
  await pass(5000)
  expect(moved).toEqual(['CJ-2'])
})
