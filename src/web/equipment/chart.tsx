import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Live } from '../gateway/live.js'
import { every } from '../parts/every.js'
import { texts } from '../texts.js'
import type { Plot } from './plot.js'
import { RecordedVariable, type Series, summaryOf, type Variable } from './recorded-series.js'

const words = texts.equipment
const HOUR_S = 3600
/** The shortest time that a chart begins with, in seconds. */
const MIN_SPAN_S = 60
const READ_MS = 5000

interface Props {
  readonly live: Live
  readonly equipmentId: string
  readonly variable: Variable
  readonly hours: number
}

interface ButtonProps {
  readonly plot: Plot | undefined
  /** Whether a part of the time is shown. */
  readonly isPart: boolean
  readonly of: string
}

function ChartButtons({ plot, isPart, of }: ButtonProps) {
  const buttons = [
    ['←', words.earlier, () => plot?.move(-1), isPart],
    ['→', words.later, () => plot?.move(1), isPart],
    ['+', words.zoomIn, () => plot?.zoom(true), true],
    ['−', words.zoomOut, () => plot?.zoom(false), isPart],
    ['⟲', words.wholeTime, () => plot?.reset(), isPart],
  ] as const
  return (
    <span class="chart-buttons">
      {buttons.map(([sign, name, act, isUseful]) => (
        <button
          key={name}
          type="button"
          aria-label={`${name}: ${of}`}
          title={name}
          aria-disabled={!isUseful}
          onClick={act}
        >
          {sign}
        </button>
      ))}
    </span>
  )
}

/** The values of the last hours, read again every five seconds while the page is visible. */
function useRecorded(
  { live, equipmentId, variable, hours }: Props,
  problem: Signal<string>,
): RecordedVariable {
  const recorded = useMemo(
    () => new RecordedVariable(equipmentId, variable),
    [equipmentId, variable.id, hours, live.gaps.value],
  )
  useEffect(() => {
    const left = new AbortController()
    let isReading = false
    const read = async (): Promise<void> => {
      if (document.hidden || isReading) return
      isReading = true
      try {
        const from = live.calls.date().getTime() - hours * HOUR_S * 1000
        await recorded.read(live.calls, from, left.signal)
        problem.value = ''
      } catch (error) {
        if (!left.signal.aborted) problem.value = (error as Error).message
      }
      isReading = false
    }
    void read()
    const stop = every(READ_MS, () => void read())
    return () => {
      left.abort()
      stop()
    }
  }, [recorded, live])
  return recorded
}

/** The plot in `place`, which exists while there are numbers. */
function usePlot({ live, variable, hours }: Props, series: Series | undefined, problem: Signal<string>) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useSignal<Plot | undefined>(undefined)
  const isPart = useSignal(false)
  const hasNumbers = series !== undefined && series.values.length > 0
  useEffect(() => {
    if (!hasNumbers) return
    let isGone = false
    let made: Plot | undefined
    import('./plot.js').then(
      ({ Plot }) => {
        if (isGone || !place.current) return
        made = new Plot(place.current, variable.name, (is) => {
          isPart.value = is
        })
        plot.value = made
      },
      () => {
        problem.value = texts.unreachable
      },
    )
    return () => {
      isGone = true
      made?.destroy()
      plot.value = undefined
      isPart.value = false
    }
  }, [hasNumbers, variable.id])
  useEffect(() => {
    if (!series) return
    const max = live.calls.date().getTime() / 1000
    // Without an empty half before the first value.
    const first = Math.min(series.times[0] ?? max, max - MIN_SPAN_S)
    plot.value?.update(series, { min: Math.max(first, max - hours * HOUR_S), max })
  }, [plot.value, series, hours])
  return { place, plot: plot.value, isPart: isPart.value, hasNumbers }
}

/** One variable over the last hours, and what it reports meanwhile. */
export function Chart(props: Props) {
  const { variable } = props
  const problem = useSignal('')
  const recorded = useRecorded(props, problem)
  const series = recorded.series.value
  const { place, plot, isPart, hasNumbers } = usePlot(props, series, problem)
  const summary = series && hasNumbers ? summaryWords(series) : recorded.isLoaded.value ? words.noValues : ''
  return (
    <figure class="chart">
      <figcaption>
        <b>{variable.name}</b> <span class="muted">{summary}</span>
        {hasNumbers && <ChartButtons plot={plot} isPart={isPart} of={variable.name} />}
      </figcaption>
      {recorded.isCut.value && <p class="notice">{words.valuesCut}</p>}
      {problem.value && <p class="problem">{texts.failed(problem.value)}</p>}
      {hasNumbers && (
        <div class="chart-place" ref={place} role="img" aria-label={`${variable.name}: ${summary}`} />
      )}
    </figure>
  )
}

function summaryWords(series: Series): string {
  const { least, greatest, last } = summaryOf(series)
  const number = (value: number): string =>
    `${value.toLocaleString(undefined, { maximumSignificantDigits: 6 })}${series.unit && ` ${series.unit}`}`
  return words.summary(number(last), number(least), number(greatest), series.values.length)
}
