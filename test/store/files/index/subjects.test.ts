import { expect, test } from 'vitest'
import { Subjects } from '../../../../src/store/files/index/subjects.js'

const SUBJECTS = 10_000

test('a query compares the subjects that it meets, and each of them once', () => {
  const subjects = new Subjects()
  for (let at = 0; at < SUBJECTS; at++)
    subjects.number({ key: `eq_${at}`, type: 'message', name: 'message_sent' })
  let compared = 0
  const kind = {
    get type() {
      compared++
      return 'message'
    },
  }
  const wanted = subjects.wanted({ kinds: [kind] })
  for (let time = 0; time < 3; time++) expect(wanted(SUBJECTS - 1)).toBe(true)
  expect(compared).toBe(1)
})

test('subjects are found by key, kind and topic, those of entries that come during the query, too', () => {
  const subjects = new Subjects()
  const sent = subjects.number({ key: 'a', type: 'message', name: 'message_sent', topic: 'S1F1' })
  const set = subjects.number({ key: 'b', type: 'alarm', name: 'alarm_set' })
  const both = [sent, set]
  expect(both.map(subjects.wanted({ key: 'a' }))).toEqual([true, false])
  expect(both.map(subjects.wanted({ key: new Set(['a', 'b']), kinds: [{ type: 'alarm' }] }))).toEqual([
    false,
    true,
  ])
  expect(both.map(subjects.wanted({ topics: new Set(['S1F1']) }))).toEqual([true, false])
  const wanted = subjects.wanted({ kinds: [{ type: 'alarm', name: 'alarm_set' }] })
  expect(wanted(subjects.number({ key: 'c', type: 'alarm', name: 'alarm_set' }))).toBe(true)
  expect(wanted(99)).toBe(false)
})

test('a subject keeps its number, and each other one has its own', () => {
  const subjects = new Subjects()
  const given = [
    { key: 'a', type: 'alarm', name: 'alarm_set' },
    { key: 'a', type: 'alarm', name: 'alarm_cleared' },
    { key: 'a', type: 'alarm', name: 'alarm_set', topic: '51' },
    { key: 'a', type: 'message', name: 'alarm_set' },
    { key: 'b', type: 'alarm', name: 'alarm_set' },
  ]
  const numbers = given.map((subject) => subjects.number(subject))
  expect(numbers).toEqual([0, 1, 2, 3, 4])
  expect(given.map((subject) => subjects.number(subject))).toEqual(numbers)
  const are = (kind: { type: string; name?: string }) => numbers.map(subjects.wanted({ kinds: [kind] }))
  expect(are({ type: 'alarm', name: 'alarm_set' })).toEqual([true, false, true, false, true])
  expect(are({ type: 'alarm' })).toEqual([true, true, true, false, true])
})
