import { expect, test } from 'vitest'
import { historyCharts } from '../../../src/cli/variables/history-plot.js'
import type { RecordedValue } from '../../../src/contract/topics/variables.js'

const value = (second: number, text: string, members: Partial<RecordedValue> = {}): RecordedValue => ({
  at: new Date(Date.UTC(2026, 0, 31, 8, 0, second)).toISOString(),
  sampled_at: null,
  ...{ id: '1010', name: 'Pressure', unit: 'Pa', value: { A: text }, text },
  ...{ source: 'report', event: 'Started', message_id: '1' },
  ...members,
})
const charts = (values: readonly RecordedValue[]) =>
  historyCharts(values, { width: 20, height: 1, isPlain: true }, (iso) => iso.slice(17, 19))

test('columns are of equal time, and show the mean of their values; time without values is a gap', () => {
  expect(charts([value(0, '1'), value(1, '3'), value(5, '0'), value(10, '8')])).toEqual([
    'Pressure: 8 Pa, 0 to 8, 4 values',
    '.:   .   # 8',
    '00      10',
    'One column is 1 s and shows the mean of its values.',
  ])
})

test('values that are no numbers are counted', () => {
  const lot = { id: '1101', name: 'LotID', unit: '' }
  expect(charts([value(0, 'A1', lot), value(9, '', lot)])[0]).toBe(
    'LotID: 2 values that are no numbers, the last is ""; -o table lists them',
  )
})

test('a sample is at the time that the equipment gave, if its time zone is known', () => {
  const sampled = { sampled_at: '2026-01-31T08:00:04.000Z' }
  const local = { sampled_at: '2026-01-31T09:00:04.00' }
  expect(charts([value(0, '1'), value(9, '2', sampled)])[2]).toBe('00      04')
  expect(charts([value(0, '1'), value(9, '2', local)])[2]).toBe('00      09')
})
