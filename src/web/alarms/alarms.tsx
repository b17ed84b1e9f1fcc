import { useSignal } from '@preact/signals'
import { SEVERITIES } from '../../contract/alarm-severity.js'
import { Choice } from '../parts/choice.js'
import { CsvButton } from '../parts/csv-button.js'
import { LabelFilter } from '../parts/label-filter.js'
import { selectorOf } from '../parts/labels.js'
import { namesOf } from '../parts/names-of.js'
import type { PageProps } from '../shell/page-props.js'
import { place, setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { ALARM_CSV } from './alarm-csv.js'
import { ALARM_SORTS, type AlarmFilter, filteredAlarms, SHOWN_ALARMS } from './alarm-filter.js'
import { groupedAlarms } from './alarm-groups.js'
import { type Select, useSelection } from './alarm-selection.js'
import { AlarmTable } from './alarm-table.js'
import { useHeldRows } from './held-rows.js'
import { useOpenAlarms } from './listed-alarms.js'
import { Pareto } from './pareto.js'
import { useShelving } from './shelving.js'

const words = texts.alarms
/** Rows that are rendered at first, and with each press of the button for more. */
const ROWS = 150

type Selected = ReturnType<typeof useSelection>

interface SelectionProps extends Pick<Selected, 'open' | 'chosen' | 'acknowledge' | 'result'> {
  readonly select: NonNullable<Select>
}

function Selection({ open, chosen, select, acknowledge, result }: SelectionProps) {
  return (
    <div class="selection">
      <label>
        <input
          type="checkbox"
          checked={open.length > 0 && chosen.length === open.length}
          indeterminate={chosen.length > 0 && chosen.length < open.length}
          disabled={open.length === 0}
          onChange={({ currentTarget }) =>
            select(
              open.map(({ id }) => id),
              currentTarget.checked,
            )
          }
        />{' '}
        {words.selectAll(open.length)}
      </label>
      <button
        type="button"
        class="primary"
        disabled={chosen.length === 0}
        onClick={() => acknowledge(chosen)}
      >
        {chosen.length === 0 ? words.acknowledge : words.acknowledgeThese(chosen.length)}
      </button>
      <span role="status">{result}</span>
    </div>
  )
}

function filterOf(query: URLSearchParams): AlarmFilter {
  const show = query.get('show')
  const severity = query.get('severity')
  return {
    show: SHOWN_ALARMS.find((known) => known === show) ?? 'open',
    search: query.get('q') ?? '',
    selector: selectorOf(query.get('labels') ?? '').selector,
    severity: SEVERITIES.find((known) => known === severity),
    sort: query.get('sort') === 'severity' ? 'severity' : 'time',
  }
}

function Filters({ filter: { show, search, severity, sort = 'time' } }: { readonly filter: AlarmFilter }) {
  return (
    <>
      <Choice
        legend={words.show}
        name="show"
        options={SHOWN_ALARMS.map((kind) => [kind, words.shown[kind]] as const)}
        value={show}
        choose={(kind) => setQuery({ show: kind === 'open' ? '' : kind })}
      />
      <Choice
        legend={words.sort}
        name="sort"
        options={ALARM_SORTS.map((by) => [by, words.sorts[by]] as const)}
        value={sort}
        choose={(by) => setQuery({ sort: by === 'time' ? '' : by })}
      />
      <select
        aria-label={words.severity}
        value={severity ?? ''}
        onChange={({ currentTarget }) => setQuery({ severity: currentTarget.value })}
      >
        <option value="">{words.anySeverity}</option>
        {SEVERITIES.map((one) => (
          <option key={one} value={one}>
            {texts.severities[one]}
          </option>
        ))}
      </select>
      <input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={search}
        onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
      />
    </>
  )
}

/** The open alarms of the site, to be acknowledged one by one or together, and what came most often today. */
export function Alarms({ live }: PageProps) {
  const { query } = place.value
  const rows = useSignal(ROWS)
  const { list, leftOut, isKnown } = useOpenAlarms(live)
  const incomplete = live.site.incomplete.value
  const filter = filterOf(query)
  const shown = filteredAlarms(list, filter, live.site)
  const groups = groupedAlarms(shown)
  const selection = useSelection(live, shown)
  const { shelving, shelvingProblem, shelfDialog } = useShelving(live)
  const table = useHeldRows(
    groups.slice(0, rows.value).flatMap(({ all }) => all),
    list,
    `${rows.value} ${query}`,
  )
  return (
    <div class="alarms-page">
      <div class="toolbar">
        <h1>{texts.pages.alarms}</h1>
        <Filters filter={filter} />
        <LabelFilter tools={live.site.tools.value} />
        <CsvButton name="alarms" rows={shown} columns={ALARM_CSV} />
        <span class="toolbar-count" role="status">
          {table.fresh > 0 && <b>{words.fresh(table.fresh)}. </b>}
          {words.count(shown.length, selection.open.length)}
        </span>
      </div>
      <div class="alarms-columns">
        <section aria-label={words.list}>
          {selection.select ? (
            <Selection {...selection} select={selection.select} />
          ) : (
            <p class="muted selection">{words.readOnly}</p>
          )}
          {incomplete.length > 0 && <p class="notice">{words.incomplete(namesOf(incomplete, live))}</p>}
          {shelvingProblem !== '' && (
            <p class="problem" role="alert">
              {shelvingProblem}
            </p>
          )}
          {leftOut > 0 && <p class="notice">{words.leftOut(leftOut)}</p>}
          <div onPointerEnter={table.hold} onPointerLeave={table.release}>
            <AlarmTable today={live.calls.date()} alarms={table.alarms} {...selection} shelving={shelving} />
          </div>
          {shown.length === 0 && isKnown && (
            <p class="empty">{list.length === 0 ? words.none : words.noMatch}</p>
          )}
          {groups.length > rows.value && (
            <button
              type="button"
              onClick={() => {
                rows.value += ROWS
              }}
            >
              {words.moreRows(groups.length - rows.value)}
            </button>
          )}
        </section>
        <Pareto live={live} />
      </div>
      {selection.dialog}
      {shelfDialog}
    </div>
  )
}
