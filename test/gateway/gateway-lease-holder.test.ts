import { expect, test } from 'vitest'
import { GatewayLeaseHolder } from '../../src/gateway/gateway-lease-holder.js'
import type { NewEntry } from '../../src/store/entry.js'
import { NotOwner, StoreUnavailable } from '../../src/store/failure.js'
import { SITE_KEY } from '../../src/store/ownership.js'
import { settle } from '../support/gem-pair.js'
import { ManualClock } from '../support/manual-clock.js'
import { MemoryJournal } from '../support/memory-store.js'

/** A process that takes keys over a store with the equipment `a` and `b`; `did` has what it did, in order. */
function scene({
  self = 'node-1' as string | null,
  owned = ['a', 'b', SITE_KEY],
  taken = [] as string[],
} = {}) {
  const [clock, journal, did] = [new ManualClock(), new MemoryJournal(), [] as string[]]
  const note =
    (what: string) =>
    async (...args: unknown[]) =>
      void did.push([what, ...args.map(String)].join(' '))
  const open = new Map([
    [1, 'a'],
    [2, 'b'],
    [3, 'gone'],
  ])
  const owns = new Set(owned)
  const parts = {
    ...{ clock, journal, open: { all: () => [...open] } },
    ownership: { self, owns: (key: string) => owns.has(key) },
    alarms: {
      restore: (isTaken: (id: string) => boolean) =>
        did.push(`restore ${['a', 'b', 'gone'].filter(isTaken)}`),
      clearAll: async (isGone: (id: string) => boolean) =>
        void did.push(`clear ${['a', 'gone'].filter(isGone)}`),
    },
    audit: {
      copyFrom: async (_: unknown, node: unknown) => void did.push(`copy ${node}`),
      stopCopying: note('stop'),
    },
    registry: {
      readAll: note('read'),
      notTaken: (keys: readonly string[]) => keys.filter((key) => key !== SITE_KEY && !taken.includes(key)),
      take: note('take'),
      give: note('give'),
    },
    equipment: { exclusively: (work: () => unknown) => work(), all: async () => [{ id: 'a' }, { id: 'b' }] },
    reports: { all: async () => [{ id: 'a' }, { id: 'gone' }], delete: note('delete reports') },
    gem300: { all: async () => [{ id: 'b' }, { id: 'gone' }], delete: note('delete mappings') },
    sinks: { begin: note('sinks'), end: note('end sinks') },
  }
  const ends = () =>
    journal.entries
      .filter(({ name }) => name === 'message_ended')
      .map(({ key, data }) => [key, data['outcome'], data['message_id']])
  return { holder: new GatewayLeaseHolder(parts as never), did, journal, clock, owns, parts, ends }
}

test('equipment is taken after all is read, and its open transactions are lost', async () => {
  const { holder, did, journal, ends } = scene()
  await holder.take(['a'])
  expect(did).toEqual(['read', 'restore a', 'take a'])
  expect(journal.entries[0]).toMatchObject({ type: 'ownership', data: { node: 'node-1', keys: ['a'] } })
  expect(ends()).toEqual([['a', 'lost', '1']])
})

test('the duties of the site are begun before its equipment is taken, its sinks after it', async () => {
  const { holder, did, ends } = scene()
  await holder.take([SITE_KEY, 'b'])
  expect(did).toEqual([
    'read',
    'clear gone',
    'delete reports gone',
    'delete mappings gone',
    'copy node-1',
    'restore b',
    'take b',
    'sinks',
  ])
  expect(ends()).toEqual([
    ['gone', 'lost', '3'],
    ['b', 'lost', '2'],
  ])
})

test('a process that is alone takes what there is without saying so', async () => {
  const { holder, did, journal } = scene({ self: null })
  await holder.take(['a'])
  expect([did, journal.entries.filter(({ type }) => type === 'ownership')]).toEqual([
    ['restore a', 'take a'],
    [],
  ])
})

test('what is taken already, or not its own, is left alone', async () => {
  const { holder, did, ends } = scene({ owned: ['a', 'b'], taken: ['a'] })
  await holder.take(['a', 'c'])
  await holder.take(['c'])
  expect([did, ends()]).toEqual([['read', 'restore ', 'take '], []])
})

test('while the store is away it is tried again each half second, as long as the keys are its own', async () => {
  const { holder, did, journal, clock, owns } = scene()
  journal.failure = new StoreUnavailable('away')
  const taking = holder.take(['a', 'b'])
  await settle()
  clock.advance(499)
  owns.delete('b')
  journal.failure = undefined
  await settle()
  expect(did).toEqual([])
  clock.advance(1)
  await taking
  expect(did).toEqual(['read', 'restore a', 'take a'])
  journal.failure = new StoreUnavailable('away')
  const lost = holder.take(['a'])
  await settle()
  owns.clear()
  clock.advance(500)
  await lost
})

test.each<[what: string, self: string | null, error: Error]>([
  ['a bug', 'node-1', new TypeError('a bug')],
  ['a store that fails for good', null, new StoreUnavailable('no disk')],
])('%s is thrown', async (_, self, error) => {
  const { holder, parts } = scene({ self })
  parts.registry.take = () => Promise.reject(error)
  await expect(holder.take(['a'])).rejects.toBe(error)
})

test.each<[error: Error, isThrown: boolean]>([
  [new NotOwner('a'), false],
  [new TypeError('a bug'), true],
])('where the end of a transaction cannot be recorded: %o', async (error, isThrown) => {
  const { holder, journal } = scene()
  const append = journal.append.bind(journal)
  journal.append = (entry: NewEntry) =>
    entry.name === 'message_ended' ? Promise.reject(error) : append(entry)
  const taking = holder.take(['a'])
  if (isThrown) await expect(taking).rejects.toBe(error)
  else await taking
})

test.each([true, false])('keys are given, and with those of the site its duties: lost %s', async (isLost) => {
  const { holder, did } = scene()
  await holder.give(['a'], isLost)
  await holder.give([SITE_KEY], isLost)
  expect(did).toEqual([`give a ${isLost}`, `give ${SITE_KEY} ${isLost}`, 'end sinks', `stop ${isLost}`])
})
