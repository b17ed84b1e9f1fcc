import { expect, test } from 'vitest'
import { searchedBy, siftOf } from '../../../src/gateway/events/event-filters.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import type { Entry } from '../../../src/store/entry.js'

type Filters = Parameters<typeof searchedBy>[0]
const BOTH = ['message_sent', 'message_received']

/** The kinds as text: a name, or the type where there is no name. */
const kindsOf = (filters: Filters): string[] =>
  (searchedBy(filters).kinds ?? []).map(({ type, name }) => name ?? type)

test.each<[filters: object, kinds: string[]]>([
  [{ type: ['alarm', 'state'] }, ['alarm', 'state']],
  [{ type: ['alarm'], name: ['alarm_set', 'message_sent'] }, ['alarm_set']],
  [{ name: ['alarm_set', 'message_sent'] }, ['alarm_set', 'message_sent']],
  [{ alid: '7' }, ['alarm']],
  [{ alid: '7', type: ['state'] }, []],
  [{ message: 'S6F11' }, BOTH],
  [{ message: 'S6F11', type: ['alarm'] }, []],
  [{ message: 'S6F11', name: ['message_sent'] }, ['message_sent']],
  [{ message: 'S6F11', alid: '7' }, []],
  [{ ceid: '1' }, BOTH],
  [{ ceid: '1', alid: '7' }, []],
])('%j searches the kinds %j', (filters, kinds) => {
  expect(kindsOf(filters as Filters).toSorted()).toEqual(kinds.toSorted())
})

test('without filters all events are searched', () => {
  expect(kindsOf({})).toEqual(expect.arrayContaining(['alarm', 'state', 'message']))
})

const entryOf = (stream: number, fn: number): Entry => {
  const wire = { sessionId: 0, stream, function: fn, wait: true, systemBytes: 1, body: new Uint8Array() }
  const data = new RecordedMessage({ direction: 'sent', equipmentId: 'eq' }, wire)
  return { data } as unknown as Entry
}

test.each<[filters: Filters, found: string]>([
  [{ message: 'S6F11' }, 'S6F11'],
  [{ message: 'S6' }, 'S6F1 S6F9 S6F11'],
  [{ message: 'S1' }, 'S1F11'],
  [{ ceid: '1' }, 'S6F9 S6F11'],
  [{ message: 'S6F9', ceid: '1' }, 'S6F9'],
  [{ message: 'S1', ceid: '1' }, 'S1F11'],
])('%j finds %s', (filters, found) => {
  const { topics, where } = searchedBy(filters)
  const all = [
    [1, 11],
    [6, 1],
    [6, 9],
    [6, 11],
  ] as const
  const isFound = ([stream, fn]: (typeof all)[number]) =>
    topics?.has(`S${stream}F${fn}`) && where?.(entryOf(stream, fn))
  expect(
    all
      .filter(isFound)
      .map(([stream, fn]) => `S${stream}F${fn}`)
      .join(' '),
  ).toBe(found)
})

test.each<[filters: Filters, data: object, isWanted: boolean]>([
  [{ alid: '7' }, { alid: '7' }, true],
  [{ alid: '7' }, { alid: 7 }, true],
  [{ alid: '7' }, { alid: '8' }, false],
  [{ alid: '7' }, {}, false],
  [{ ceid: '1' }, { collection_event: { ceid: '1' } }, true],
  [{ ceid: '1' }, { collection_event: { ceid: '2' } }, false],
  [{ ceid: '1' }, { collection_event: null }, false],
  [{ ceid: '1' }, {}, false],
  [{ ceid: '1', alid: '7' }, { alid: '7' }, false],
  [{ ceid: '1', alid: '7' }, { alid: '8', collection_event: { ceid: '1' } }, false],
])('of %j the event with %j is wanted: %s', (filters, data, isWanted) => {
  expect(siftOf(filters)?.(data as never)).toBe(isWanted)
})

test('nothing is sifted where neither a collection event nor an alarm is asked for', () => {
  expect(siftOf({ message: 'S6F11' })).toBeUndefined()
})
