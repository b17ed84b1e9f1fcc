import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Live } from '../../gateway/live.js'
import type { CsvColumn } from '../../parts/csv.js'
import { CsvButton } from '../../parts/csv-button.js'
import { every } from '../../parts/every.js'
import { place, setQuery } from '../../shell/router.js'
import { texts } from '../../texts.js'
import type { Variable } from '../recorded-series.js'
import type { TimeView } from '../time-view.js'
import { readRuns, readRunVariables } from './read-runs.js'
import { RunPlot } from './run-plot.js'
import { RunTable } from './run-table.js'
import type { DrawnRun } from './runs.js'

const words = texts.lotRuns
/** Runs that are drawn while none is chosen, and at once. */
const USUAL_RUNS = 4
const MAX_DRAWN_RUNS = 8
const READ_MS = 15_000

export interface LotRunsProps {
  readonly live: Live
  readonly id: string
  readonly view: TimeView
  readonly problem: Signal<string>
}

interface CsvRow {
  readonly run: DrawnRun
  readonly at: number
}

const CSV: readonly CsvColumn<CsvRow>[] = [
  ['lot', ({ run }) => run.lot],
  ['start', ({ run }) => new Date(run.from).toISOString()],
  ['seconds', ({ run, at }) => run.times[at]],
  ['value', ({ run, at }) => run.values[at]],
]

interface Found {
  readonly variables: readonly Variable[]
  readonly runs: readonly DrawnRun[]
  readonly isCut: boolean
}

/** The variable that the address names, or the first; undefined where there is none. */
const chosenOf = (variables: readonly Variable[], given: string): Variable | undefined =>
  variables.find(({ id }) => id === given) ?? variables[0]

/** Reads the runs of the variable, and again every few seconds while the time that is shown ends now. */
function useRuns({ live, id, view, problem }: LotRunsProps, given: string): Signal<Found | undefined> {
  const found = useSignal<Found | undefined>(undefined)
  useEffect(() => {
    const left = new AbortController()
    let isReading = false
    const read = async (): Promise<void> => {
      isReading = true
      const reading = { calls: live.calls, id, signal: left.signal }
      try {
        const { lots, variables } = await readRunVariables(reading, view.needed)
        const variable = chosenOf(variables, given)
        const now = live.calls.date().getTime()
        const { runs, isCut } = variable
          ? await readRuns(reading, lots, variable.id, view.needed, now)
          : { runs: [], isCut: false }
        found.value = { variables, runs, isCut }
        problem.value = ''
      } catch (error) {
        if (!left.signal.aborted) problem.value = error instanceof Error ? error.message : ''
      } finally {
        isReading = false
      }
    }
    void read()
    const stop = every(READ_MS, () => {
      if (!isReading && !view.past && !document.hidden && !live.isStale.peek()) void read()
    })
    return () => {
      left.abort()
      stop()
    }
  }, [id, live, view.key, given])
  return found
}

/** Values of a variable of several lots over each other, each from the start of its lot. */
export function LotRuns(props: LotRunsProps) {
  const { query } = place.value
  const given = query.get('runs') ?? ''
  const found = useRuns(props, given).value
  const pointer = useSignal<number | undefined>(undefined)
  if (!found) return <p class="muted">{texts.loading}</p>
  const { variables, runs, isCut } = found
  const variable = chosenOf(variables, given)
  if (!variable) return <p class="muted">{words.noVariable}</p>
  if (runs.length === 0) return <p class="muted">{words.noLot}</p>
  const keys = query.getAll('lot')
  const isGiven = runs.some(({ key }) => keys.includes(key))
  const drawn = runs
    .filter(({ key }, at) => (isGiven ? keys.includes(key) : at < USUAL_RUNS))
    .slice(0, MAX_DRAWN_RUNS)
  const toggle = (run: DrawnRun): void => {
    const next = drawn.includes(run) ? drawn.filter((one) => one !== run) : [...drawn, run]
    setQuery({ lot: next.map(({ key }) => key) })
  }
  return (
    <>
      <p class="muted">{words.help}</p>
      <div class="panel-head">
        <label class="inline-field">
          <span>{words.variable}</span>
          <select
            value={variable.id}
            onChange={({ currentTarget }) => setQuery({ runs: currentTarget.value })}
          >
            {variables.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <CsvButton
          name={`runs-${variable.name}`}
          rows={drawn.flatMap((run) => run.times.map((_, at) => ({ run, at })))}
          columns={CSV}
        />
      </div>
      {isCut && <p class="notice">{words.cut}</p>}
      <RunPlot runs={drawn} name={variable.name} pointer={pointer} />
      <RunTable runs={runs} drawn={drawn} most={MAX_DRAWN_RUNS} toggle={toggle} pointer={pointer} />
    </>
  )
}
