import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Live } from '../gateway/live.js'
import { CsvButton } from '../parts/csv-button.js'
import { every } from '../parts/every.js'
import { systemTheme, theme } from '../shell/theme.js'
import { texts } from '../texts.js'
import type { Mark } from './chart-marks.js'
import { readingAt, stepOf, valueWords } from './chart-reading.js'
import type { Plot } from './plot.js'
import { heldAt, RecordedVariable, type Series, summaryOf, type Variable } from './recorded-series.js'
import type { Span } from './time-span.js'
import type { TimeView } from './time-view.js'

const words = texts.equipment
const READ_MS = 5000
/** Marks that are so near to the pointer, in CSS pixels, are named beside it. */
const NEAR = 6
/** Beyond this part of the width, what is at the pointer is written to its left. */
const RIGHT_PART = 0.6

interface Props {
  readonly live: Live
  readonly equipmentId: string
  readonly variable: Variable
  readonly view: TimeView
  /** The time that all charts show at this moment. */
  readonly shown: Span
  readonly marks: readonly Mark[]
}

/** The values of the time that is shown; of the present, read again every five seconds while the page is visible. */
function useRecorded(
  { live, equipmentId, variable, view }: Props,
  problem: Signal<string>,
): RecordedVariable {
  const newest = useRef(view)
  newest.current = view
  const recorded = useMemo(
    () => new RecordedVariable(equipmentId, variable),
    [equipmentId, variable.id, view.key, live.gaps.value],
  )
  useEffect(() => {
    const left = new AbortController()
    let isReading = false
    const read = async (): Promise<void> => {
      if (document.hidden || isReading || (newest.current.past && recorded.isLoaded.peek())) return
      isReading = true
      try {
        await recorded.read(live.calls, newest.current.needed, left.signal)
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
function usePlot(
  { variable, view, shown, marks }: Props,
  series: Series | undefined,
  problem: Signal<string>,
) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useSignal<Plot | undefined>(undefined)
  const newest = useRef(view)
  newest.current = view
  const hasNumbers = series !== undefined && series.values.length > 0
  useEffect(() => {
    if (!hasNumbers) return
    let isGone = false
    let made: Plot | undefined
    import('./plot.js').then(
      ({ Plot }) => {
        if (isGone || !place.current) return
        made = new Plot(place.current, variable.name, {
          heldAt,
          onSelect: (part) => newest.current.show(part),
          onPointer: (at) => {
            newest.current.pointer.value = at
          },
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
    }
  }, [hasNumbers, variable.id])
  useEffect(() => {
    if (series) plot.value?.update(series, shown, marks)
  }, [plot.value, series, shown, marks])
  useEffect(() => plot.value?.redraw(), [plot.value, theme.value, systemTheme.value])
  return { place, plot: plot.value, hasNumbers }
}

const CSV = [
  ['at', ([time]: readonly [number, number]) => new Date(time * 1000).toISOString()],
  ['value', ([, value]: readonly [number, number]) => value],
] as const

/** One variable over the time that is shown, with the changes of states and alarms meanwhile. */
export function Chart(props: Props) {
  const { variable } = props
  const problem = useSignal('')
  const recorded = useRecorded(props, problem)
  // While the values are read again, those before stay: a reader that is gone loses the focus.
  const last = useRef<Series | undefined>(undefined)
  const series = recorded.isLoaded.value ? recorded.series.value : last.current
  last.current = series
  const { place, plot, hasNumbers } = usePlot(props, series, problem)
  const summary = series && hasNumbers ? summaryWords(series) : recorded.isLoaded.value ? words.noValues : ''
  return (
    <figure class="chart">
      <figcaption>
        <b>{variable.name}</b> <span class="muted">{summary}</span>
        {series && hasNumbers && (
          <CsvButton
            name={variable.name}
            rows={series.times.map((time, at) => [time, series.values[at] ?? Number.NaN] as const)}
            columns={CSV}
          />
        )}
      </figcaption>
      {recorded.isCut.value && <p class="notice">{words.valuesCut}</p>}
      {problem.value && <p class="problem">{texts.failed(problem.value)}</p>}
      {series && hasNumbers && (
        <Reader {...props} plot={plot} series={series} summary={summary}>
          <div class="chart-place" ref={place} />
        </Reader>
      )}
    </figure>
  )
}

interface ReaderProps extends Props {
  readonly plot: Plot | undefined
  readonly series: Series
  readonly summary: string
  readonly children: ComponentChildren
}

/** Says the value and the time at the pointer, which the arrow keys move from value to value. */
function Reader({ live, plot, series, summary, variable, view, shown, marks, children }: ReaderProps) {
  const at = view.pointer.value
  const { from, to } = shown
  const left = plot?.leftOf(at, shown)
  useEffect(() => plot?.point(at), [plot, at])
  const reading =
    plot === undefined || at === undefined || left === undefined
      ? undefined
      : readingAt(series, marks, { at, near: NEAR * plot.perPixel, shown, today: live.calls.date() })
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    if (event.key === '+' || event.key === '-') view.zoom(event.key === '+')
    else if (event.key === 'Escape') view.reset()
    else {
      const next = stepOf(event.key, { series, marks, shown, at })
      if (next === undefined) return
      view.pointer.value = next
    }
    event.preventDefault()
  }
  return (
    <div
      class="chart-area"
      role="slider"
      tabIndex={0}
      aria-label={words.reader(variable.name)}
      aria-valuemin={Math.floor(from / 1000)}
      aria-valuemax={Math.ceil(to / 1000)}
      aria-valuenow={Math.round((at ?? to) / 1000)}
      aria-valuetext={reading?.join(', ') ?? summary}
      onKeyDown={press}
      onDblClick={view.reset}
      onBlur={() => {
        view.pointer.value = undefined
      }}
    >
      {children}
      {reading && left !== undefined && (
        <Tip
          reading={reading}
          left={left + (plot?.edge ?? 0)}
          isRight={left > RIGHT_PART * (plot?.place.clientWidth ?? 0)}
        />
      )}
    </div>
  )
}

interface TipProps {
  readonly reading: readonly string[]
  readonly left: number
  readonly isRight: boolean
}

function Tip({ reading: [first, ...others], left, isRight }: TipProps) {
  return (
    <div class={isRight ? 'chart-tip is-right' : 'chart-tip'} style={{ left: `${left}px` }}>
      <b>{first}</b>
      {others.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  )
}

function summaryWords(series: Series): string {
  const { least, greatest, last } = summaryOf(series)
  const number = (value: number): string => valueWords(value, series.unit)
  return words.summary(number(last), number(least), number(greatest), series.values.length)
}
