import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { variableEndpoints } from '../../contract/topics/variables.js'
import type { GatewayCalls } from '../gateway/call.js'
import type { Live } from '../gateway/live.js'
import { texts } from '../texts.js'
import { Chart } from './chart.js'
import { numberOf, type Variable } from './recorded-series.js'

const words = texts.equipment
/** The newest values, which are searched for variables that are numbers. */
const SEARCHED = 1000
/** Charts that are shown at once. */
const MAX_CHARTS = 4
/** Charts that are shown while none is chosen. */
const USUAL_CHARTS = 2
/** Variables with a button of their own; all others are in a list. */
const MAX_BUTTONS = 12

interface Props {
  readonly live: Live
  readonly id: string
  readonly hours: number
}

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

/** Charts of the numbers that an equipment has reported. */
export function VariableCharts({ live, id, hours }: Props) {
  const { recent, others, isLoading, problem } = useVariables(live, id)
  const chosen = useSignal<readonly Variable[] | undefined>(undefined)
  const shown = chosen.value ?? recent.slice(0, USUAL_CHARTS)
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
                onChange={({ currentTarget }) => {
                  chosen.value = currentTarget.checked
                    ? [...shown, variable]
                    : shown.filter((one) => one.id !== variable.id)
                }}
              />
              <span>{variable.name}</span>
            </label>
          ))}
        </fieldset>
        {listed.length > 0 && (
          <OtherVariables
            listed={listed}
            isFull={isFull}
            choose={(variable) => {
              chosen.value = [...shown, variable]
            }}
          />
        )}
      </div>
      {problem && <p class="problem">{texts.failed(problem)}</p>}
      {shown.length === 0 && !isLoading && <p class="muted">{words.noValues}</p>}
      <div class="charts">
        {shown.map((variable) => (
          <Chart
            key={`${variable.id} ${hours}`}
            live={live}
            equipmentId={id}
            variable={variable}
            hours={hours}
          />
        ))}
      </div>
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
