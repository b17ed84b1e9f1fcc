import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type RecordedValue, variableEndpoints } from '../../contract/topics/variables.js'
import { systemClock } from '../../kit/clock.js'
import type { Live } from '../gateway/live.js'
import { every } from '../parts/every.js'
import { texts } from '../texts.js'
import type { Plot } from './plot.js'
import { type Series, seriesOf, summaryOf } from './recorded-series.js'

const words = texts.equipment
const HOUR_S = 3600
/** The shortest time that a chart begins with, in seconds. */
const MIN_SPAN_S = 60
const PAGE = 1000
/** Pages that are read at most for one view. */
const MAX_PAGES = 20
const READ_MS = 30_000
/** Charts that are shown at once. */
const MAX_CHARTS = 4

interface Props {
  readonly live: Live
  readonly id: string
  readonly hours: number
}

/** Charts of the numbers that an equipment has reported. */
export function VariableCharts({ live, id, hours }: Props) {
  const series = useSignal<ReadonlyMap<string, Series>>(new Map())
  const chosen = useSignal<readonly string[] | undefined>(undefined)
  const isCut = useSignal(false)
  const isLoading = useSignal(true)
  const problem = useSignal('')
  useEffect(() => {
    const left = new AbortController()
    isLoading.value = true
    const read = async (): Promise<void> => {
      if (document.hidden) return
      const from = new Date(systemClock.date().getTime() - hours * HOUR_S * 1000).toISOString()
      const found: RecordedValue[] = []
      let cursor: string | null | undefined
      let pages = 0
      try {
        do {
          const query = { from, limit: PAGE, ...(cursor && { cursor }) }
          const given = { params: { id }, query }
          const page = await live.calls.call(variableEndpoints.listVariableHistory, given, left.signal)
          found.push(...page.items)
          cursor = page.next_cursor
        } while (cursor && ++pages < MAX_PAGES)
        series.value = seriesOf(found)
        isCut.value = Boolean(cursor)
        problem.value = ''
      } catch (error) {
        if (!left.signal.aborted) problem.value = (error as Error).message
      }
      isLoading.value = false
    }
    void read()
    const stop = every(READ_MS, () => void read())
    return () => {
      left.abort()
      stop()
    }
  }, [id, hours, live])
  const names = [...series.value.keys()].sort()
  const shown = (chosen.value ?? names.slice(0, 2)).filter((name) => series.value.has(name))
  return (
    <section class="panel" aria-labelledby="values-heading">
      <div class="panel-head">
        <h2 id="values-heading">{words.values}</h2>
        <fieldset class="choice">
          <legend class="unseen">{words.variables}</legend>
          {names.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={shown.includes(name)}
                disabled={!shown.includes(name) && shown.length >= MAX_CHARTS}
                onChange={({ currentTarget }) => {
                  chosen.value = currentTarget.checked
                    ? [...shown, name]
                    : shown.filter((other) => other !== name)
                }}
              />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      </div>
      {problem.value && <p class="problem">{texts.failed(problem.value)}</p>}
      {names.length === 0 && !isLoading.value && <p class="muted">{words.noValues}</p>}
      {isCut.value && <p class="notice">{words.valuesCut}</p>}
      <div class="charts">
        {shown.map((name) => {
          const one = series.value.get(name)
          return one && <Chart key={`${name} ${hours}`} series={one} hours={hours} />
        })}
      </div>
    </section>
  )
}

function Chart({ series, hours }: { readonly series: Series; readonly hours: number }) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | undefined>(undefined)
  useEffect(() => {
    let isGone = false
    void import('./plot.js').then(({ Plot }) => {
      if (isGone || !place.current) return
      const max = systemClock.date().getTime() / 1000
      // Without an empty half before the first value.
      const first = Math.min(series.times[0] ?? max, max - MIN_SPAN_S)
      plot.current = new Plot(place.current, series, { min: Math.max(first, max - hours * HOUR_S), max })
    })
    return () => {
      isGone = true
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [series, hours])
  const { least, greatest, last } = summaryOf(series)
  const number = (value: number): string =>
    `${value.toLocaleString(undefined, { maximumSignificantDigits: 6 })}${series.unit && ` ${series.unit}`}`
  const summary = words.summary(number(last), number(least), number(greatest), series.values.length)
  return (
    <figure class="chart">
      <figcaption>
        <b>{series.name}</b> <span class="muted">{summary}</span>
        <span class="chart-buttons">
          {(
            [
              ['←', words.earlier, () => plot.current?.move(-1)],
              ['→', words.later, () => plot.current?.move(1)],
              ['+', words.zoomIn, () => plot.current?.zoom(true)],
              ['−', words.zoomOut, () => plot.current?.zoom(false)],
              ['⟲', words.wholeTime, () => plot.current?.reset()],
            ] as const
          ).map(([sign, name, act]) => (
            <button
              key={name}
              type="button"
              aria-label={`${name}: ${series.name}`}
              title={name}
              onClick={act}
            >
              {sign}
            </button>
          ))}
        </span>
      </figcaption>
      <div class="chart-place" ref={place} role="img" aria-label={`${series.name}: ${summary}`} />
    </figure>
  )
}
