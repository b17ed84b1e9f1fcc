import { expect, test } from 'vitest'
import { TapGaps } from '../../../src/gateway/tap/tap-gaps.js'
import { StoreUnavailable } from '../../../src/store/failure.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryJournal } from '../../support/memory-store.js'

/** The gaps of a tap whose store is away until it is put back. */
function scene() {
  const [clock, journal] = [new ManualClock(), new MemoryJournal()]
  const gaps = new TapGaps('eq', journal, clock, () => {})
  const told = () => journal.entries.map(({ data }) => data['messages'])
  const pass = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 1) {
      clock.advance(1000)
      await settle()
    }
  }
  journal.failure = new StoreUnavailable('the database is away')
  return { clock, journal, gaps, told, pass }
}

test('the last gap of a line that ends while the store is away is told when it is there again', async () => {
  const { journal, gaps, told, pass, clock } = scene()
  gaps.add(3, 0, 5)
  await gaps.end()
  // What was handed to the store before is refused later.
  gaps.add(2, 6, 7)
  await pass(50)
  journal.failure = undefined
  await pass(2)
  expect(told()).toEqual([5])
  expect(journal.entries[0]?.data).toEqual({
    since: '1970-01-01T00:00:00.000Z',
    until: '1970-01-01T00:00:00.007Z',
    messages: 5,
  })
  expect(clock.scheduled).toBe(0)
})

test('it is not tried for longer than a minute, unless the line has begun again', async () => {
  const { journal, gaps, told, pass, clock } = scene()
  gaps.add(3, 0, 5)
  await gaps.end()
  await pass(61)
  expect(clock.scheduled).toBe(0)
  gaps.start()
  gaps.add(4, 8, 9)
  await pass(61)
  journal.failure = undefined
  await pass(2)
  expect(told()).toEqual([4])
})
