import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { Problem } from '../../../src/contract/errors.js'
import { Decisions } from '../../../src/gateway/decisions.js'
import { EquipmentObjects } from '../../../src/gateway/gem300/view/equipment-objects.js'
import { KnownObjects } from '../../../src/gateway/gem300/view/known-objects.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import type { Asking } from '../../../src/gateway/services/asking.js'
import { buildBody } from '../../../src/gem300/messages/bodies.js'
import { Signal } from '../../../src/kit/signal.js'
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
  return { journal, objects, started, site, jobs, pass }
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
