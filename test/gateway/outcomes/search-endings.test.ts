import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OpenTransactions } from '../../../src/gateway/outcomes/open-transactions.js'
import { Outcomes } from '../../../src/gateway/outcomes/outcomes.js'
import { systemClock } from '../../../src/kit/clock.js'
import type { Entry, NewEntry } from '../../../src/store/entry.js'
import type { JournalQuery } from '../../../src/store/journal.js'
import { MemoryJournal } from '../../support/memory-store.js'
import { messageEntry } from '../wire/wire-records.js'

const at = '2026-01-01T00:00:00.000Z'
const key = (n: number): string => `eq_${n}`

const message = (
  direction: 'sent' | 'received',
  equipment: number,
  { fn = 1, replyTo = null as number | null, body = 0 } = {},
): NewEntry => {
  const header = { sessionId: 0, stream: 1, function: fn, wait: fn % 2 === 1, systemBytes: 1 }
  return messageEntry(direction, key(equipment), { ...header, body: new Uint8Array(body) }, replyTo, at)
}

const ended = (equipment: number, primary: number): NewEntry => ({
  type: 'message',
  name: 'message_ended',
  key: key(equipment),
  at,
  data: { message_id: String(primary), outcome: 'timed_out', reply_id: null, latency_ms: null, s9: null },
})

/** A process that was not there when any of it happened. */
async function outcomesOf(entries: readonly Entry[], journal = new MemoryJournal()): Promise<Outcomes> {
  journal.entries.push(...entries)
  const open = new OpenTransactions()
  await journal.attach([open])
  return new Outcomes(journal, open, { clock: systemClock, ownership: { owns: () => true } })
}

test('whatever was answered in whatever order, each primary has its own end', async () => {
  const equipment = fc.integer({ min: 1, max: 2 })
  const step = fc.record({
    equipment,
    what: fc.constantFrom('ours', 'theirs', 'end', 'answer', 'abort', 'drop'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), fc.nat(), async (steps, pick) => {
      const journal = new MemoryJournal()
      const expected = new Map<number, string>()
      const open = [0, 1, 2].map(() => ({ ours: [] as number[], theirs: [] as number[] }))
      for (const [turn, { equipment: n, what }] of steps.entries()) {
        const { ours, theirs } = open[n] as { ours: number[]; theirs: number[] }
        if (what === 'ours' || what === 'theirs') {
          const direction = what === 'ours' ? 'sent' : 'received'
          const { seq } = await journal.append(message(direction, n))
          ;(what === 'ours' ? ours : theirs).push(seq)
          expected.set(seq, what === 'ours' ? 'pending' : 'lost')
        }
        // Ours end in any order; theirs are answered in theirs, or never.
        const [end] = what === 'end' ? ours.splice((turn + pick) % Math.max(1, ours.length), 1) : []
        if (end !== undefined) {
          await journal.append(ended(n, end))
          expected.set(end, 'timed_out')
        }
        const isAborted = what === 'abort'
        const answered = isAborted || what === 'answer' || what === 'drop' ? theirs.shift() : undefined
        if (answered !== undefined && what !== 'drop') {
          await journal.append(message('sent', n, { fn: isAborted ? 0 : 2, replyTo: answered }))
          expected.set(answered, isAborted ? 'aborted' : 'replied')
        }
      }
      const outcomes = await outcomesOf(journal.entries)
      const primaries = journal.entries.filter(({ seq }) => expected.has(seq))
      const found = await outcomes.of(primaries.toReversed())
      expect(found.map((ending) => ending?.outcome)).toEqual(
        primaries.toReversed().map(({ seq }) => expected.get(seq)),
      )
      expect(found.flatMap((ending) => Object.values(ending ?? {}))).not.toContain(null)
    }),
  )
})

test('large messages are not held many at once', async () => {
  let most = 0
  class Measured extends MemoryJournal {
    override async query(query: JournalQuery): Promise<readonly Entry[]> {
      const entries = await super.query(query)
      most = Math.max(most, entries.length)
      return entries
    }
  }
  const journal = new MemoryJournal()
  const { seq } = await journal.append(message('received', 1))
  for (let n = 0; n < 9; n++) await journal.append(message('sent', 1, { body: 2_000_000 }))
  await journal.append(message('sent', 1, { fn: 2, replyTo: seq }))
  const outcomes = await outcomesOf(journal.entries, new Measured())
  expect(await outcomes.of(journal.entries.slice(0, 1))).toEqual([{ outcome: 'replied', reply_id: '11' }])
  expect(most).toBe(1)
})

test('a primary without an answer is not looked for after the answer to a later one', async () => {
  let read = 0
  class Counted extends MemoryJournal {
    override async query(query: JournalQuery): Promise<readonly Entry[]> {
      const entries = await super.query(query)
      read += entries.length
      return entries
    }
  }
  const journal = new MemoryJournal()
  const lost = await journal.append(message('received', 1))
  for (let n = 0; n < 5000; n++) {
    const { seq } = await journal.append(message('received', 1))
    await journal.append(message('sent', 1, { fn: 2, replyTo: seq }))
  }
  const outcomes = await outcomesOf(journal.entries, new Counted())
  expect(await outcomes.of([lost])).toEqual([{ outcome: 'lost' }])
  expect(read).toBeLessThan(20)
})
