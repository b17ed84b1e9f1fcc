import { marksOf } from '../equipment/state-segments.js'
import { WIDTH } from './lane-paths.js'
import type { Span } from './timeline.js'

/** Marks after this have no room for their time, in percent of the width. */
const LAST_MARK = 91
const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** Where a time is in a lane, in percent of its width. */
const percent = (time: number, { from, to }: Span): number => ((time - from) / (to - from)) * 100

/** The lines of the marks in a lane, as the path of an SVG that is {@link WIDTH} wide and 1 high. */
export const gridOf = (span: Span): string =>
  marksOf(span)
    .map((time) => `M${(percent(time, span) / 100) * WIDTH} 0v1`)
    .join('')

interface Props {
  readonly span: Span
  readonly format?: Intl.DateTimeFormat
}

/** The times of the marks above lanes. */
export const TimeAxis = ({ span, format = clockTime }: Props) => (
  <span class="shift-axis" aria-hidden="true">
    {marksOf(span)
      .filter((time) => percent(time, span) < LAST_MARK)
      .map((time) => (
        <span key={time} style={{ left: `${percent(time, span)}%` }}>
          {format.format(time)}
        </span>
      ))}
  </span>
)
