import { expect, test } from 'vitest'
import { connectionEventName } from '../../../src/gateway/events/connection-events.js'
import { KeptEntries } from '../../../src/gateway/events/journal-export.js'
import type { ConnectionState } from '../../../src/hsms/connection-states.js'
import { RetainedJournal } from '../../support/memory-store.js'
import { entryOf } from '../sinks/open-sinks.js'

async function journalOf(count: number) {
  const journal = new RetainedJournal()
  for (let n = 1; n <= count; n++)
    await journal.append(entryOf(n % 2 === 0 ? 'eq_b' : 'eq_a', n, n % 3 === 0 ? 'state' : 'alarm'))
  return journal
}

type Query = Parameters<KeptEntries['entries']>[0]
const at = (second: number): string => `2026-01-01T00:00:0${second}Z`

test.each<[query: object, key: string | undefined, found: string]>([
  [{}, undefined, '123456'],
  [{}, 'eq_a', '135'],
  [{ type: ['state'] }, undefined, '36'],
  [{ from: at(3), to: at(5) }, undefined, '34'],
  [{ after: 2 }, undefined, '3456'],
  [{ before: 3 }, undefined, '12'],
  [{ after: 1, before: 99, type: ['alarm'] }, undefined, '245'],
  [{ after: 6 }, undefined, ''],
])('an export of %j of %s has the entries %s', async (query, key, found) => {
  const kept = new KeptEntries(await journalOf(6))
  const seqs: number[] = []
  for await (const part of kept.entries(query as Query, new AbortController().signal, () => key))
    seqs.push(...part.map(({ seq }) => seq))
  expect(seqs.join('')).toBe(found)
})

test('an export reads in pages, and has nothing that comes meanwhile', async () => {
  const journal = await journalOf(1000)
  const sizes: number[] = []
  for await (const part of new KeptEntries(journal).entries(
    {},
    new AbortController().signal,
    () => undefined,
  )) {
    sizes.push(part.length)
    await journal.append(entryOf('eq_a', 1))
  }
  expect(sizes).toEqual([512, 488])
})

test('an export whose reader is gone ends', async () => {
  const over = new AbortController()
  let parts = 0
  for await (const _ of new KeptEntries(await journalOf(1000)).entries({}, over.signal, () => undefined)) {
    parts++
    over.abort()
  }
  expect(parts).toBe(1)
})

test.each<[from: ConnectionState, to: ConnectionState, name: string]>([
  ['NOT_SELECTED', 'SELECTED', 'selected'],
  ['SELECTED', 'NOT_SELECTED', 'deselected'],
  ['CONNECTING', 'NOT_SELECTED', 'connected'],
  ['SELECTED', 'NOT_CONNECTED', 'disconnected'],
  ['NOT_CONNECTED', 'CONNECTING', 'connecting'],
  ['SELECTED', 'CONNECTING', 'disconnected'],
  ['NOT_SELECTED', 'CONNECTING', 'disconnected'],
  ['NOT_CONNECTED', 'LISTENING', 'listening'],
  ['NOT_SELECTED', 'LISTENING', 'disconnected'],
])('from %s to %s a connection is %s', (from, to, name) => {
  expect(connectionEventName(from, to)).toBe(name)
})
