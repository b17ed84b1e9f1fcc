import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import type { Equipment } from '../../../src/contract/equipment.js'
import { EquipmentIdentities } from '../../../src/gateway/equipment/equipment-identities.js'
import { JournaledEvents } from '../../../src/gateway/events/event-log.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import type { OutMessage, SinkWorld } from '../../../src/gateway/sinks/kinds/kind.js'
import type { SinkRecord } from '../../../src/gateway/sinks/sink-record.js'
import { type SinkParts, Sinks } from '../../../src/gateway/sinks/sinks.js'
import { type Clock, systemClock } from '../../../src/kit/clock.js'
import type { Collection } from '../../../src/store/collection.js'
import { MemoryCollection, type MemoryJournal } from '../../support/memory-store.js'

/** What the sinks of a gateway in a test are made of; none is there at first. */
const sinkParts = (parts: Partial<SinkParts> = {}): SinkParts => ({
  collection: new MemoryCollection<SinkRecord>(),
  journalId: '0123456789abcdef',
  localTargets: true,
  folder: join(tmpdir(), 'no-sinks'),
  ...parts,
})

const FAST = 100
/** Milliseconds that a target may take for a test and for a call. No pause between two attempts is that long: they double from 1 s. */
const LIMITS = [10_000, 60_000]

/** A clock on which a second takes 10 ms, but for what a target may take: a busy machine may need it. */
export const fastClock: Clock = {
  ...systemClock,
  now: () => systemClock.now() * FAST,
  at: (at, run) => {
    const ms = at - fastClock.now()
    const isLimit = LIMITS.some((limit) => ms <= limit && ms > limit - 2000)
    return systemClock.at(systemClock.now() + (isLimit ? ms : ms / FAST), run)
  },
}

export const RECORDS = [
  { id: 'eq_a', name: 'etch-1', labels: { area: 'etch' } },
  { id: 'eq_b', name: 'litho-1', labels: { area: 'litho' } },
]

/** Sinks over a journal and a collection in memory that outlive them. */
export function openSinks(
  journal: MemoryJournal,
  collection: Collection<SinkRecord> = new MemoryCollection<SinkRecord>(),
  parts: Partial<SinkParts> = {},
  clock: Clock = fastClock,
  equipment = RECORDS as unknown as readonly Equipment[],
): Sinks {
  const readingOf = () => plainReading(STANDARD_CATALOGUE)
  const identities = new EquipmentIdentities(() => journal.first)
  const known = (id: string) => equipment.find((one) => one.id === id)
  void journal.attach([identities])
  const sinks = new Sinks({
    ...sinkParts({ collection, ...parts }),
    journal,
    clock,
    readingOf,
    events: new JournaledEvents(journal, readingOf),
    registry: {
      known,
      identityOf: known,
      get ids() {
        return equipment.map(({ id }) => id)
      },
    },
    identities,
    random: () => 0,
    ownsSite: () => true,
  })
  onTestFinished(() => sinks.end())
  return sinks
}

/** An entry of an equipment with the number that its test knows it by. */
export const entryOf = (key: string, n: number, type = 'alarm', name = 'alarm_set') => ({
  key,
  type,
  name,
  at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
  data: { n },
})

/** What a kind of sink works with in a test: no equipment, and targets on this machine. */
export const sinkWorld = (parts: Partial<SinkWorld> = {}): SinkWorld => ({
  clock: systemClock,
  localTargets: true,
  folder: '/nonexistent',
  equipment: () => undefined,
  selected: () => [],
  identityAt: () => undefined,
  ...parts,
})

/** A message whose text is these members as JSON. */
export const outMessage = (n: number, members: object = { n }): OutMessage => ({
  id: `j-${n}`,
  type: 'secsctl.alarm_set',
  text: JSON.stringify(members),
})
