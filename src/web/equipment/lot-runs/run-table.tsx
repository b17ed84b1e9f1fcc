import type { Signal } from '@preact/signals'
import { TablePlace } from '../../parts/table-place.js'
import { Time } from '../../parts/time.js'
import { texts } from '../../texts.js'
import { type DrawnRun, valueAt } from './runs.js'

const words = texts.lotRuns
const number = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 5 })

interface Props {
  /** All runs, the newest first. */
  readonly runs: readonly DrawnRun[]
  readonly drawn: readonly DrawnRun[]
  /** So many can be drawn. */
  readonly most: number
  readonly toggle: (run: DrawnRun) => void
  readonly pointer: Signal<number | undefined>
}

/** The runs with their figures; a check draws one. The sample of its line is beside it. */
export function RunTable({ runs, drawn, most, toggle, pointer }: Props) {
  return (
    <TablePlace name={words.lots}>
      <table class="run-table">
        <thead>
          <tr>
            {words.columns.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow
              key={run.key}
              run={run}
              at={drawn.indexOf(run)}
              isFull={drawn.length >= most}
              {...{ toggle, pointer }}
            />
          ))}
        </tbody>
      </table>
    </TablePlace>
  )
}

interface RowProps extends Pick<Props, 'toggle' | 'pointer'> {
  readonly run: DrawnRun
  /** Its place among those that are drawn; -1 for none. */
  readonly at: number
  readonly isFull: boolean
}

function RunRow({ run, at, isFull, toggle, pointer }: RowProps) {
  const { values } = run
  const sum = values.reduce((all, value) => all + value, 0)
  const shown = (value: number | undefined): string =>
    value === undefined || values.length === 0 ? '–' : number.format(value)
  const read = at >= 0 && pointer.value !== undefined ? valueAt(run, pointer.value) : undefined
  return (
    <tr>
      <th scope="row">
        <label>
          <input type="checkbox" checked={at >= 0} disabled={at < 0 && isFull} onChange={() => toggle(run)} />
          <svg class={`run-line run-sample run-${at}`} viewBox="0 0 28 10" aria-hidden="true">
            {at >= 0 && <path d="M0 5h28" />}
          </svg>
          <b>{words.lot(run.lot, run.repeat)}</b>
        </label>
      </th>
      <td>{shown(read)}</td>
      <td>
        <Time at={new Date(run.from).toISOString()} />
      </td>
      <td>{words.clock((run.to - run.from) / 1000)}</td>
      <td>{values.length.toLocaleString()}</td>
      <td>{shown(values.reduce((best, value) => Math.min(best, value), Number.POSITIVE_INFINITY))}</td>
      <td>{shown(sum / values.length)}</td>
      <td>{shown(values.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY))}</td>
    </tr>
  )
}
