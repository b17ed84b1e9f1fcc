import { expect, test } from 'vitest'
import { chartLines, isPlainTerminal } from '../../../src/cli/output/chart.js'
import { TracePlot } from '../../../src/cli/traces/trace-plot.js'
import type { Sample } from '../../../src/cli/traces/trace-samples.js'
import type { Trace } from '../../../src/contract/topics/traces.js'

/** Twelve columns, of which ten are the scale's. */
const lines = (values: readonly number[], height: number, isPlain = false): string[] =>
  chartLines(values, { width: 12, height, isPlain })

test('values are bars between the smallest and the largest, which the scale tells', () => {
  expect(lines([0, 15], 2)).toEqual([' █ 15', '▁█ 0'])
})

test('the newest are shown where not all fit', () => {
  expect(lines([9, 9, 0, 1], 1)).toEqual(['▁█ 1'])
})

test('a flat line lies at the bottom, and the scale shows its value', () => {
  expect(lines([0, 0], 2)).toEqual(['', '▁▁ 0'])
})

test('what is no number leaves a gap', () => {
  expect(lines([Number.NaN, 5], 1)).toEqual([' ▁ 5'])
})

test('in ASCII alone where the terminal has no more', () => {
  expect(lines([0, 15], 2, true)).toEqual([' # 15', '.# 0'])
  expect(isPlainTerminal({ LANG: 'en_US.UTF-8' })).toBe(false)
  expect(isPlainTerminal({ LANG: 'en_US.UTF-8', TERM: 'dumb' })).toBe(true)
  expect(isPlainTerminal({ LANG: 'en_US.UTF-8', LC_ALL: 'C' })).toBe(true)
  expect(isPlainTerminal({})).toBe(true)
})

test('a plot is drawn over what was drawn before; what an equipment sends steers no terminal', () => {
  const variable = (id: string, name: string, unit: string) => ({ id, name, unit })
  const variables = [variable('1', 'Power', 'W'), variable('2', 'State', '')]
  const counts = { period_seconds: 1, samples: 9, group_size: 1, received: 0 }
  const trace: Trace = { trid: '1', variables, started_at: '2026-01-01T00:00:00.000Z', ...counts }
  const plot = new TracePlot(trace, () => ({ columns: 30, rows: 8, isPlain: true }))
  const sample = (number: number, ...texts: string[]): Sample => ({
    ...{ number, sampledAt: null, receivedAt: '' },
    values: variables.map((variable, at) => ({ ...variable, value: null, text: texts[at] ?? '' })),
  })
  const first = plot.next(sample(1, '5', 'IDLE'))
  expect(first.split('\n')).toEqual([
    'Power 5 W',
    expect.stringMatching(/^ +$|^ *5?$/),
    expect.stringMatching(/^\. +5$/),
    'State IDLE',
    'sample 1 of 9',
    '',
  ])
  const [moves, ...rest] = plot.next(sample(2, '6', '\u001b[2J')).split('\u001b[J')
  expect(moves).toBe('\u001b[5A')
  expect(rest.join()).not.toContain('\u001b')
  expect(rest.join()).toContain('sample 2 of 9')
})
