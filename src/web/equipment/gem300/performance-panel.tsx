import { useSignal } from '@preact/signals'
import type { ModulePerformance } from '../../../contract/topics/gem300/performance.js'
import type { Live } from '../../gateway/live.js'
import { CsvButton } from '../../parts/csv-button.js'
import { lanePaths, WIDTH } from '../../shift/lane-paths.js'
import { gridOf, TimeAxis } from '../../shift/time-axis.js'
import { texts } from '../../texts.js'
import type { Span } from '../time-span.js'
import type { TimeView } from '../time-view.js'
import {
  type ModuleStretch,
  PERFORMANCE_CSV,
  shareOf,
  statesIn,
  stretchesOf,
  wordOfState,
} from './performance.js'
import { usePerformance } from './use-performance.js'

const words = texts.gem300
/** Modules that are shown. */
const MOST_MODULES = 64
/** A shorter time than this has marks with seconds, in milliseconds. */
const EXACT_BELOW_MS = 5 * 60_000
const exactTime = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

interface Props {
  readonly live: Live
  readonly id: string
  readonly view: TimeView
}

/** How long each module of a tool was busy, idle or blocked, and when, in the time that the states above show. */
export function PerformancePanel({ live, id, view }: Props) {
  const { value, problem } = usePerformance(live, id, view)
  const modules = (value?.items ?? []).slice(0, MOST_MODULES)
  const rows = modules.flatMap((one) => stretchesOf(one).map((stretch) => ({ module: one.module, stretch })))
  return (
    <section class="panel" aria-labelledby="performance-heading">
      <div class="panel-head">
        <h2 id="performance-heading">{words.performance}</h2>
        <CsvButton name="performance" rows={rows} columns={PERFORMANCE_CSV} />
      </div>
      {problem && !value && <p class="problem">{texts.failed(problem)}</p>}
      {value?.note && <p class="notice">{value.note}</p>}
      {value && modules.length > 0 && (
        <ModuleTable modules={modules} span={{ from: Date.parse(value.from), to: Date.parse(value.to) }} />
      )}
      {value && value.items.length > modules.length && (
        <p class="muted">{words.more(value.items.length - modules.length)}</p>
      )}
    </section>
  )
}

interface TableProps {
  readonly modules: readonly ModulePerformance[]
  readonly span: Span
}

function ModuleTable({ modules, span }: TableProps) {
  const reading = useSignal('')
  const states = statesIn(modules)
  const grid = gridOf(span)
  return (
    <>
      <table class="shift-table module-table">
        <thead>
          <tr>
            <th scope="col">{words.module}</th>
            <th scope="col" class="shift-time">
              <span class="unseen">{words.timeline}</span>
              <TimeAxis span={span} {...(span.to - span.from < EXACT_BELOW_MS && { format: exactTime })} />
            </th>
            {states.map((state) => (
              <th key={state} scope="col">
                <i class={`e10-swatch e10-${wordOfState(state)}`} aria-hidden="true" /> {state}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {modules.map((one) => (
            <tr key={one.module}>
              <th scope="row" title={one.module}>
                {one.module}
              </th>
              <td class="shift-time">
                <Lane module={one} span={span} grid={grid} reading={reading} />
              </td>
              {states.map((state) => (
                <td key={state}>{texts.shift.share(shareOf(one, state))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class={reading.value ? 'shift-reading' : 'shift-reading muted'} role="status">
        {reading.value || words.laneKeys}
      </p>
    </>
  )
}

interface LaneProps {
  readonly module: ModulePerformance
  readonly span: Span
  readonly grid: string
  readonly reading: { value: string }
}

/** One module over time. The pointer and the arrow keys read one stretch. */
function Lane({ module: one, span, grid, reading }: LaneProps) {
  const at = useSignal<number | undefined>(undefined)
  const stretches = stretchesOf(one)
  const last = stretches.length - 1
  const place = Math.min(at.value ?? last, last)
  const read = (place: number): void => {
    const stretch = stretches[place]
    if (!stretch) return
    at.value = place
    reading.value = sentenceOf(one.module, stretch)
  }
  const press = (event: KeyboardEvent): void => {
    const next = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    read(at.value === undefined ? last : Math.max(0, Math.min(last, next)))
  }
  const point = (event: PointerEvent & { readonly currentTarget: Element }): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const time = span.from + ((event.clientX - left) / width) * (span.to - span.from)
    read(stretches.findIndex(({ from, to }) => from <= time && time < to))
  }
  const shown = stretches[place]
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={words.laneOf(one.module)}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, place)}
      aria-valuetext={shown ? sentenceOf(one.module, shown) : ''}
      onKeyDown={press}
      onPointerMove={point}
      onPointerDown={point}
    >
      <svg
        class="shift-lane tone-unknown"
        viewBox={`0 0 ${WIDTH} 1`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {lanePaths(stretches, span).map(([kind, path]) => (
          <path key={kind} class={`e10-${kind}`} d={path} />
        ))}
        <path class="shift-grid" d={grid} />
      </svg>
    </div>
  )
}

const sentenceOf = (module: string, { state, task, reason, from, to }: ModuleStretch): string =>
  words.stretch(module, state, task ?? '', reason ?? '', exactTime.format(from), exactTime.format(to))
