import type { Signal } from '@preact/signals'
import { texts } from '../../texts.js'
import { type DrawnRun, thinned } from './runs.js'

const words = texts.lotRuns
/** Units of the drawing, which is stretched to its place. */
const [WIDTH, HEIGHT] = [1000, 100]
/** Part of the height that is left free above and below. */
const MARGIN = 0.06
/** Runs with fewer values have a dot for each. */
const DOTTED = 80
const number = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 5 })

/** Steps of the axis of time, in seconds. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800]
const MOST_MARKS = 6

interface Props {
  readonly runs: readonly DrawnRun[]
  /** Of the variable. */
  readonly name: string
  /** Seconds since the start, at the pointer. */
  readonly pointer: Signal<number | undefined>
}

/** Lines over each other, with one axis of time since the start. */
export function RunPlot({ runs, name, pointer }: Props) {
  const longest = Math.max(1, ...runs.map(({ from, to }) => (to - from) / 1000))
  const all = runs.flatMap(({ values }) => values)
  const low = all.reduce((best, value) => Math.min(best, value), Number.POSITIVE_INFINITY)
  const high = all.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY)
  // A line that stays at one value is in the middle.
  const [least, greatest] = low === high ? [low - 1, high + 1] : [low, high]
  const height = greatest - least
  const x = (time: number): string => ((time / longest) * WIDTH).toFixed(1)
  const y = (value: number): string =>
    (HEIGHT * (1 - MARGIN - ((value - least) / height) * (1 - 2 * MARGIN))).toFixed(2)
  const step = STEPS.find((one) => longest / one <= MOST_MARKS) ?? longest / MOST_MARKS
  const marks = Array.from({ length: Math.floor(longest / step) + 1 }, (_, at) => at * step)
  const point = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect()
    pointer.value = Math.max(0, Math.min(longest, ((clientX - left) / width) * longest))
  }
  return (
    <figure class="run-plot">
      <div class="run-area">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={words.drawn(name, runs.length)}
          onPointerMove={point}
        >
          <path class="run-grid" d={marks.map((time) => `M${x(time)} 0V${HEIGHT}`).join('')} />
          {runs.map((run, at) => {
            const points = thinned(run).map(([time, value]) => `${x(time)} ${y(value)}`)
            return (
              <g key={run.key} class={`run-line run-${at}`}>
                <path d={points.length > 0 ? `M${points.join('L')}` : ''} />
                {points.length < DOTTED && (
                  <path class="run-dots" d={points.map((one) => `M${one}h0`).join('')} />
                )}
              </g>
            )
          })}
          {pointer.value !== undefined && <path class="run-pointer" d={`M${x(pointer.value)} 0V${HEIGHT}`} />}
        </svg>
        {all.length > 0 && (
          <>
            <span class="run-greatest">{number.format(greatest)}</span>
            <span class="run-least">{number.format(least)}</span>
          </>
        )}
        <div class="run-axis" aria-hidden="true">
          {marks
            .filter((time) => time / longest < 0.95)
            .map((time) => (
              <span key={time} style={{ left: `${(time / longest) * 100}%` }}>
                {words.clock(time)}
              </span>
            ))}
        </div>
      </div>
      <TimeSlider longest={longest} pointer={pointer} />
    </figure>
  )
}

/** The same pointer for the keyboard. `longest`: in seconds. */
const TimeSlider = ({ longest, pointer }: Pick<Props, 'pointer'> & { readonly longest: number }) => (
  <label class="run-time">
    <span>{words.time}</span>
    <input
      type="range"
      min={0}
      max={longest}
      step={longest / 200}
      value={pointer.value ?? 0}
      aria-valuetext={words.clock(pointer.value ?? 0)}
      onInput={({ currentTarget }) => {
        pointer.value = Number(currentTarget.value)
      }}
    />
    <output>{words.clock(pointer.value ?? 0)}</output>
  </label>
)
