import type { RecordedValue } from '../../contract/topics/variables.js'
import { type ChartSize, chartLines } from '../output/chart.js'

/** Characters that the scale of a chart takes. */
const SCALE = 10

/** The time of a value: of a sample the equipment's, where that has an offset. */
export const timeOf = ({ at, sampled_at }: RecordedValue): string =>
  sampled_at?.endsWith('Z') ? sampled_at : at

/** A chart of each variable over one range of time, with what a line of text can say of it above. */
export function historyCharts(
  values: readonly RecordedValue[],
  size: ChartSize,
  formatTime: (iso: string) => string,
): string[] {
  const times = values.map((value) => Date.parse(timeOf(value)))
  const begin = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)
  const end = times.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY)
  const columns = Math.max(1, size.width - SCALE)
  const columnOf = (time: number): number =>
    end === begin ? 0 : Math.min(columns - 1, Math.floor(((time - begin) / (end - begin)) * columns))
  const byVariable = new Map<string, RecordedValue[]>()
  for (const value of values) {
    const id = value.id ?? ''
    const series = byVariable.get(id)
    if (series) series.push(value)
    else byVariable.set(id, [value])
  }
  const charts = [...byVariable.values()].flatMap((series) => {
    const numbers = series.flatMap((value): [number, number][] =>
      value.text !== '' && Number.isFinite(Number(value.text))
        ? [[columnOf(Date.parse(timeOf(value))), Number(value.text)]]
        : [],
    )
    const title = titleOf(
      series,
      numbers.map(([, number]) => number),
    )
    if (numbers.length === 0) return [title]
    const isFlat = numbers.every(([, number]) => number === numbers[0]?.[1])
    return [title, ...chartLines(means(numbers, columns), { ...size, height: isFlat ? 1 : size.height })]
  })
  const from = formatTime(new Date(begin).toISOString())
  const to = formatTime(new Date(end).toISOString())
  const axis = `${from}${to.padStart(Math.max(to.length + 1, columns - from.length))}`
  const step = (end - begin) / columns
  const note = step < 1 ? [] : [`One column is ${durationText(step)} and shows the mean of its values.`]
  return [...charts, axis, ...note]
}

/** The mean of the values in each column; no number where there are none. */
function means(numbers: readonly (readonly [column: number, value: number])[], columns: number): number[] {
  const sums = Array.from({ length: columns }, () => ({ sum: 0, count: 0 }))
  for (const [column, value] of numbers) {
    const one = sums[column]
    if (!one) continue
    one.sum += value
    one.count++
  }
  return sums.map(({ sum, count }) => (count === 0 ? Number.NaN : sum / count))
}

function titleOf(series: readonly RecordedValue[], numbers: readonly number[]): string {
  const last = series.at(-1)
  const name = last?.name || last?.id || ''
  const unit = last?.unit ? ` ${last.unit}` : ''
  const count = series.length === 1 ? '1 value' : `${series.length} values`
  if (numbers.length === 0)
    return `${name}: ${count} that are no numbers, the last is "${last?.text}"; -o table lists them`
  const low = numbers.reduce((least, one) => Math.min(least, one))
  const high = numbers.reduce((most, one) => Math.max(most, one))
  return `${name}: ${last?.text}${unit}, ${low} to ${high}, ${count}`
}

function durationText(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 1) return `${Math.round(ms)} ms`
  if (seconds < 120) return `${Number(seconds.toPrecision(2))} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
