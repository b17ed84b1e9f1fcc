import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import type { Equipment } from '../../src/contract/equipment.js'
import { EquipmentIdentities } from '../../src/gateway/equipment/equipment-identities.js'
import { JournaledEvents } from '../../src/gateway/events/event-log.js'
import { plainReading } from '../../src/gateway/records/reading.js'
import type { OutMessage, SinkWorld } from '../../src/gateway/sinks/kinds/kind.js'
import type { SinkRecord } from '../../src/gateway/sinks/sink-record.js'
import { type SinkParts, Sinks } from '../../src/gateway/sinks/sinks.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import type { Collection } from '../../src/store/collection.js'
import { MemoryCollection, type MemoryJournal } from './memory-store.js'

/** What the sinks of a gateway in a test are made of; none is there at first. */
const sinkParts = (parts: Partial<SinkParts> = {}): SinkParts => ({
  collection: new MemoryCollection<SinkRecord>(),
  journalId: '0123456789abcdef',
  localTargets: true,
  folder: join(tmpdir(), 'no-sinks'),
  ...parts,
})

/** A clock on which a second takes 10 ms: what a target may take, such as a minute, is enough on a busy machine. */
export const fastClock: Clock = {
  ...systemClock,
  now: () => systemClock.now() * 100,
  at: (at, run) => systemClock.at(at / 100, run),
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
