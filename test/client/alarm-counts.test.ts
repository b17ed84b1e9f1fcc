import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AlarmCounts, NO_ALARMS } from '../../src/client/site/alarm-counts.js'
import type { Event } from '../../src/contract/topics/events.js'
import { JournaledAlarms } from '../../src/gateway/alarms/alarm-board.js'
import { AlarmOccurrences } from '../../src/gateway/alarms/alarm-occurrences.js'
import { AlarmShelves } from '../../src/gateway/alarms/alarm-shelves.js'
import { AlarmShelving } from '../../src/gateway/alarms/shelving.js'
import { Decisions } from '../../src/gateway/decisions.js'
import { EntryNumber } from '../../src/store/entry.js'
import { ADA } from '../support/live-gateway.js'
import { ManualClock } from '../support/manual-clock.js'
import { HeldJournal } from '../support/memory-store.js'

type Step = 'set' | 'clear' | 'acknowledge' | 'read' | 'shelve' | 'unshelve'
interface Done {
  readonly do: Step
  readonly equipment: string
  readonly alid: string
  readonly category: number
}
const steps = fc.array(
  fc.record({
    do: fc.constantFrom<Step>('set', 'set', 'clear', 'acknowledge', 'read', 'shelve', 'unshelve'),
    equipment: fc.constantFrom('eq_1', 'eq_2'),
    alid: fc.constantFrom('1', '2', '3', '4'),
    category: fc.constantFrom(1, 2, 4, 6),
  }),
  { maxLength: 60, size: 'max' },
)

/** A board of alarms, and the events of what is done to it. */
async function boardWithEvents() {
  const clock = new ManualClock()
  const journal = new HeldJournal()
  const occurrences = new AlarmOccurrences(() => journal.first)
  const shelves = new AlarmShelves(clock)
  await journal.attach([occurrences, shelves])
  const decisions = new Decisions(journal, clock)
  const nameOf = () => null
  const board = new JournaledAlarms(journal, occurrences, clock, decisions, nameOf, shelves)
  const ownership = { owns: () => true }
  const shelving = new AlarmShelving({
    journal,
    clock,
    shelves,
    occurrences,
    decisions,
    ownership,
    nameOf,
    knowledgeOf: () => undefined,
  })
  const events: Event[] = []
  journal.appended.on(({ seq, name, key, at, data }) => {
    events.push({ id: String(seq), type: 'alarm', name, at, equipment_id: key, equipment_name: null, data })
  })
  const perform = async ({ do: what, equipment, alid, category }: Done) => {
    const alcd = (what === 'set' ? 0x80 : 0) + category
    if (what === 'acknowledge') {
      const [open] = (await board.list({ acknowledged: false }, equipment)).items
      if (open) await board.acknowledge(open.id, ADA, {})
      return
    }
    const shelf = { for_seconds: 60, reason: 'test', personal_safety: category === 1 }
    if (what === 'unshelve') return shelving.unshelve(equipment, alid, ADA)
    if (what === 'shelve') return void (await shelving.shelve(equipment, alid, ADA, shelf).catch(() => {}))
    const report = { alcd, alid, text: `text ${alid}` }
    await journal.append(board.entryFor(equipment, report, new EntryNumber(0), clock.date().toISOString()))
  }
  return { board, events, perform }
}

test('a summary and the events after it say the same as the summary of then, unless it is doubted', async () => {
  let [compared, doubted] = [0, 0]
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 0, max: 5 }), async (all, lag) => {
      const { board, events, perform } = await boardWithEvents()
      const counts = new AlarmCounts()
      let received = 0
      for (const step of all) {
        // A summary may be ahead of the events that were received: those that it has are then ignored.
        if (step.do === 'read') counts.take(await board.summary(undefined))
        else await perform(step)
        for (; received < events.length - lag; received++) counts.apply(events[received] as Event)
      }
      for (const event of events.slice(received)) counts.apply(event)
      // Once more, as events are that come while a summary is read.
      for (const event of events.slice(-3)) counts.apply(event)
      for (const id of ['eq_1', 'eq_2']) {
        const [now = { ...NO_ALARMS, worst: null }] = (await board.summary(id)).items
        const { active, unacknowledged, shelved, worst } = now
        const { worst: known, ...numbers } = counts.of(id)
        if (!counts.doubted.has(id)) expect(numbers).toMatchObject({ active, unacknowledged, shelved })
        if (counts.doubted.has(id)) doubted++
        else {
          compared++
          expect(known ?? null).toEqual(worst)
        }
      }
    }),
    { numRuns: 100 },
  )
  expect(Math.min(compared, doubted)).toBeGreaterThan(5)
})
