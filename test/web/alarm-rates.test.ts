import { expect, test } from 'vitest'
import { HOUR_MS, hoursUntil, ratesOf, SHADES, shadeOf, sumOf } from '../../src/web/alarm-rates/rates.js'
import type { Occurrence } from '../../src/web/alarms/alarms-since.js'

const NOW = Date.UTC(2026, 0, 31, 8, 20)
const hours = hoursUntil(NOW, 3)
const set = (equipment: string, minutesAgo: number): Occurrence => ({
  id: `${equipment}-${minutesAgo}`,
  alid: '1',
  text: 'x',
  equipment_id: equipment,
  equipment_name: equipment === 'gone' ? null : `tool ${equipment}`,
  set_at: new Date(NOW - minutesAgo * 60_000).toISOString(),
})

test('hours begin at whole hours, the present one last', () => {
  expect(hours.map((hour) => (NOW - hour) / 60_000)).toEqual([140, 80, 20])
})

test('alarms are counted by equipment and hour, those with most first', () => {
  const alarms = [
    set('a', 5),
    set('a', 20),
    set('b', 21),
    set('gone', 100),
    set('a', 300),
    set('hidden', 1),
    set('a', -60),
  ]
  const rows = ratesOf(alarms, hours, (id) => id !== 'hidden')
  expect(rows.map(({ id, name, counts }) => [id, name, counts])).toEqual([
    ['a', 'tool a', [0, 0, 2]],
    ['gone', 'gone', [1, 0, 0]],
    ['b', 'tool b', [0, 1, 0]],
  ])
  expect(sumOf(rows, hours)).toEqual([1, 1, 2])
})

test('shades rise with the count, from the first to the last', () => {
  const shades = [1, 2, 10, 100, 1000].map((count) => shadeOf(count, 1000))
  expect(shades).toEqual([...shades].sort((a, b) => a - b))
  expect([shades[0], shades.at(-1)]).toEqual([1, SHADES])
  expect(shadeOf(1, 1)).toBe(1)
  expect(hoursUntil(NOW, 168)[0]).toBe((hours[2] ?? 0) - 167 * HOUR_MS)
})
