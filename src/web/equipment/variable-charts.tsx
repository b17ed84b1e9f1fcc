import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Change } from '../../contract/state-changes.js'
import { variableEndpoints } from '../../contract/topics/variables.js'
import type { GatewayCalls } from '../gateway/call.js'
import type { Live } from '../gateway/live.js'
import { place, setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { Chart } from './chart.js'
import { chartMarks, useAlarmMarks } from './chart-marks.js'
import { numberOf, type Variable } from './recorded-series.js'
import { TimeButtons } from './time-buttons.js'
import type { TimeView } from './time-view.js'

const words = texts.equipment
/** The newest values, which are searched for variables that are numbers. */
const SEARCHED = 1000
/** Milliseconds after which charts of the present move on. */
const BEAT_MS = 2000
/** Charts that are shown at once. */
const MAX_CHARTS = 4
/** Charts that are shown while none is chosen. */
const USUAL_CHARTS = 2
/** Variables with a button of their own; all others are in a list. */
const MAX_BUTTONS = 12

interface Props {
  readonly live: Live
  readonly id: string
  readonly view: TimeView
  readonly changes: readonly Change[]
  /** The present of the gateway, in milliseconds since 1970. */
  readonly now: ReadonlySignal<number>
}

/** In the address, where no variable is shown. */
const NO_VARIABLE = 'none'

/** Variables that reported numbers lately, and all others. */
async function readVariables(calls: GatewayCalls, id: string, signal: AbortSignal) {
  const params = { id }
  const listed = async (kind: 'status' | 'data'): Promise<readonly Variable[]> => {
    const query = { kind, known: true }
    // Equipment need not have such a list.
    const page = await calls
      .call(variableEndpoints.listVariables, { params, query }, signal)
      .catch(() => ({ items: [] }))
    return page.items.map(({ id, name }) => ({ id, name: name || id }))
  }
  const [status, data, { items }] = await Promise.all([
    listed('status'),
    listed('data'),
    calls.call(variableEndpoints.listVariableHistory, { params, query: { limit: SEARCHED } }, signal),
  ])
  const numbers = items
    .filter((one) => numberOf(one) !== undefined)
    .map(({ id, name }) => ({ id: id ?? name ?? '', name: name || (id ?? '') }))
  const seen = new Set(numbers.map((one) => one.id))
  return {
    recent: byName(numbers),
    others: byName([...status, ...data].filter((one) => !seen.has(one.id))),
  }
}

/** The variables of an equipment, read once. */
function useVariables(live: Live, id: string) {
  const recent = useSignal<readonly Variable[]>([])
  const others = useSignal<readonly Variable[]>([])
  const isLoading = useSignal(true)
  const problem = useSignal('')
  useEffect(() => {
    const left = new AbortController()
    readVariables(live.calls, id, left.signal)
      .then((read) => {
        recent.value = read.recent
        others.value = read.others
      })
      .catch((error: Error) => {
        if (!left.signal.aborted) problem.value = error.message
      })
      .finally(() => {
        isLoading.value = false
      })
    return () => left.abort()
  }, [id, live])
  return { recent: recent.value, others: others.value, isLoading: isLoading.value, problem: problem.value }
}

/** The variables that the address names; undefined where it names none. */
function chosenOf(query: URLSearchParams, known: readonly Variable[]): readonly Variable[] | undefined {
  const ids = query.getAll('var')
  if (ids.length === 0) return undefined
  return [...new Set(ids)]
    .filter((id) => id !== NO_VARIABLE)
    .slice(0, MAX_CHARTS)
    .map((id) => known.find((one) => one.id === id) ?? { id, name: id })
}

const choose = (variables: readonly Variable[]): void =>
  setQuery({ var: variables.length === 0 ? NO_VARIABLE : variables.map(({ id }) => id) })

/** Charts of the numbers that an equipment has reported. */
export function VariableCharts({ live, id, view, changes, now }: Props) {
  const { recent, others, isLoading, problem } = useVariables(live, id)
  const alarms = useAlarmMarks(live, id, view).value
  const beat = useComputed(() => Math.floor(now.value / BEAT_MS)).value
  // All charts move on together, also those without a new value.
  const time = useMemo(() => view.shown, [view, beat])
  const marks = useMemo(() => chartMarks(changes, alarms), [changes, alarms])
  const shown = chosenOf(place.value.query, [...recent, ...others]) ?? recent.slice(0, USUAL_CHARTS)
  const isShown = (variable: Variable): boolean => shown.some((one) => one.id === variable.id)
  const buttons = [
    ...recent.slice(0, MAX_BUTTONS),
    ...shown.filter((one) => !recent.slice(0, MAX_BUTTONS).some((known) => known.id === one.id)),
  ]
  const listed = [...recent.slice(MAX_BUTTONS), ...others].filter((one) => !isShown(one))
  const isFull = shown.length >= MAX_CHARTS
  return (
    <section class="panel" aria-labelledby="values-heading">
      <div class="panel-head">
        <h2 id="values-heading">{words.values}</h2>
        <fieldset class="choice">
          <legend class="unseen">{words.variables}</legend>
          {buttons.map((variable) => (
            <label key={variable.id}>
              <input
                type="checkbox"
                checked={isShown(variable)}
                disabled={!isShown(variable) && isFull}
                onChange={({ currentTarget }) =>
                  choose(
                    currentTarget.checked
                      ? [...shown, variable]
                      : shown.filter((one) => one.id !== variable.id),
                  )
                }
              />
              <span>{variable.name}</span>
            </label>
          ))}
        </fieldset>
        {listed.length > 0 && (
          <OtherVariables
            listed={listed}
            isFull={isFull}
            choose={(variable) => choose([...shown, variable])}
          />
        )}
        <TimeButtons view={view} of={words.values} />
      </div>
      {problem && <p class="problem">{texts.failed(problem)}</p>}
      {shown.length === 0 && !isLoading && <p class="muted">{words.noValues}</p>}
      <div class="charts">
        {shown.map((variable) => (
          <Chart
            key={variable.id}
            live={live}
            equipmentId={id}
            variable={variable}
            view={view}
            shown={time}
            marks={marks}
          />
        ))}
      </div>
      {shown.length > 0 && <p class="muted chart-legend">{words.chartLegend}</p>}
    </section>
  )
}

interface OtherProps {
  readonly listed: readonly Variable[]
  readonly isFull: boolean
  readonly choose: (variable: Variable) => void
}

/** A list of the variables that have no button. */
function OtherVariables({ listed, isFull, choose }: OtherProps) {
  return (
    <label class="inline-field">
      <span>{words.otherVariable}</span>
      <select
        value=""
        disabled={isFull}
        onChange={({ currentTarget }) => {
          const variable = listed.find((one) => one.id === currentTarget.value)
          if (variable) choose(variable)
          currentTarget.value = ''
        }}
      >
        <option value="">{words.chooseVariable}</option>
        {listed.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  )
}

const byName = (variables: readonly Variable[]): readonly Variable[] =>
  [...new Map(variables.map((one) => [one.id, one])).values()].sort((a, b) => a.name.localeCompare(b.name))
