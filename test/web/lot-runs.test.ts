import { expect, test } from 'vitest'
import type { RecordedValue } from '../../src/contract/topics/variables.js'
import { drawnRuns, MAX_RUNS, runsOf, thinned, valueAt } from '../../src/web/equipment/lot-runs/runs.js'
import { isLotName } from '../../src/web/gateway/job.js'

const at = (second: number): string => new Date(second * 1000).toISOString()
const lot = (second: number, text: string | null) => ({ at: at(second), text: text as string })
const value = (second: number, number: number): RecordedValue =>
  ({ at: at(second), text: String(number), value: { F4: [number] } }) as unknown as RecordedValue
const shortOf = (runs: ReturnType<typeof runsOf>) =>
  runs.map(({ lot, from, to, repeat }) => `${lot} ${from / 1000}-${to / 1000} ${repeat}`)

test('a run begins with the first report that names the lot and ends with the last, or when none is named any more', () => {
  const reported = [
    lot(1, 'A'),
    lot(5, 'A'),
    lot(9, 'B'),
    lot(12, ''),
    lot(20, 'A'),
    lot(25, null),
    lot(30, 'C'),
  ]
  expect(shortOf(runsOf(reported, 40_000))).toEqual(['C 30-40 0', 'A 20-25 1', 'B 9-12 0', 'A 1-5 0'])
  expect(runsOf([], 1)).toEqual([])
})

test('of many runs the newest are kept, and long names of lots are cut', () => {
  const reported = Array.from({ length: 60 }, (_, second) => lot(second, `L${second}${'x'.repeat(500)}`))
  const runs = runsOf(reported, 60_000)
  expect([runs.length, runs[0]?.lot.slice(0, 4), runs[0]?.lot.length]).toEqual([MAX_RUNS, 'L59x', 64])
})

test('the values of a run count from its start', () => {
  const runs = runsOf([lot(10, 'A'), lot(20, 'A')], 40_000)
  const [run] = drawnRuns(runs, [value(25, 9), value(20, 3), value(12, 1), value(9, 7)])
  expect(run).toMatchObject({ times: [2, 10], values: [1, 3] })
  if (!run) return
  expect([1, 2, 9, 10, 11].map((time) => valueAt(run, time))).toEqual([undefined, 1, 1, 3, undefined])
})

test('a line of many values keeps its peaks', () => {
  const times = Array.from({ length: 20_000 }, (_, second) => second)
  const values = times.map((second) => (second === 7777 ? 1000 : second === 7778 ? -1000 : second % 7))
  const points = thinned({ times, values })
  expect(points.length).toBeLessThanOrEqual(1000)
  expect(points.map(([, one]) => one)).toEqual(expect.arrayContaining([1000, -1000]))
  expect(points.map(([time]) => time)).toEqual([...points.map(([time]) => time)].sort((a, b) => a - b))
})

test.each([
  ['LotID', true],
  ['LOT_ID', true],
  ['Batch-Id', true],
  ['Slot', false],
  ['PPID', false],
])('%s says the lot: %s', (name, isLot) => {
  expect(isLotName(name)).toBe(isLot)
})
