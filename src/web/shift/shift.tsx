import { useMemo } from 'preact/hooks'
import { SelectorError } from '../../contract/selector.js'
import type { Tool } from '../gateway/site.js'
import { Choice } from '../parts/choice.js'
import { CsvButton } from '../parts/csv-button.js'
import { GroupBy } from '../parts/group-by.js'
import { LabelFilter } from '../parts/label-filter.js'
import { addressTime, localTime } from '../parts/local-time.js'
import type { PageProps } from '../shell/page-props.js'
import { place, setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { choiceOf, grouped, matching, usualGroup } from '../wall/selection.js'
import { mappingOf } from './e10.js'
import { MappingPanel } from './mapping-panel.js'
import { hasProductive, rowsOf, SHARES_CSV, STATES_CSV } from './rows.js'
import { ShiftTable } from './shift-table.js'
import { useSiteChanges } from './use-site-changes.js'
import { HOURS, type ShiftWindow, spanOf, windowOf } from './window.js'

const words = texts.shift

/** The choice of the address; everything where its selector cannot be read. */
function shownOf(query: URLSearchParams, tools: readonly Tool[]) {
  const usual = usualGroup(tools)
  try {
    const choice = choiceOf(query, usual)
    return { choice, shown: matching(tools, choice) }
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error
    return { choice: choiceOf(new URLSearchParams(), usual), shown: tools }
  }
}

function WindowChoice({ window, begin }: { readonly window: ShiftWindow; readonly begin: number }) {
  return (
    <>
      <Choice
        legend={words.span}
        name="hours"
        options={HOURS.map(
          (hours) => [hours, (window.begin === undefined ? words.last : words.hours)(Number(hours))] as const,
        )}
        value={window.hours}
        choose={(hours) => setQuery({ hours: hours === '8' ? '' : hours })}
      />
      <label class="inline-field">
        <span>{words.begin}</span>
        <input
          type="datetime-local"
          value={localTime(window.begin ?? begin)}
          onChange={({ currentTarget }) => setQuery({ from: addressTime(currentTarget.value) })}
        />
      </label>
      {window.begin !== undefined && (
        <button type="button" onClick={() => setQuery({ from: '' })}>
          {words.now}
        </button>
      )}
    </>
  )
}

/** The states of all equipment over a shift, in the words of SEMI E10, and what share of the time they took. */
export function Shift({ live }: PageProps) {
  // Labels decide about groups and about the mapping.
  live.site.version.value
  const tools = live.site.tools.value
  const { query } = place.value
  const window = windowOf(query)
  const { found, problem, now } = useSiteChanges(live, window)
  const mapping = mappingOf(query.getAll('e10'))
  const { choice, shown } = shownOf(query, tools)
  const span = spanOf(window, now.value)
  const read = found.value
  const groups = useMemo(
    () => (read ? rowsOf(grouped(shown, choice.groupBy), read, span, now.value, mapping) : []),
    [read, now.value, tools, live.site.version.value, String(query)],
  )
  const rows = groups.flatMap((group) => group.rows)
  const isCut =
    read !== undefined && (read.known.from > span.from || read.known.to < Math.min(span.to, now.value))
  return (
    <>
      <div class="toolbar">
        <h1>{texts.pages.shift}</h1>
        <WindowChoice window={window} begin={span.from} />
        <input
          type="search"
          aria-label={texts.wall.search}
          placeholder={texts.wall.search}
          value={choice.search}
          onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
        />
        <LabelFilter tools={tools} />
        <GroupBy tools={tools} value={choice.groupBy} />
        <span class="toolbar-count" role="status">
          {texts.wall.shown(shown.length, tools.length)}
        </span>
        <CsvButton name="shift" rows={rows} columns={SHARES_CSV} />
        <CsvButton
          name="shift-states"
          rows={rows.flatMap((row) => row.timeline.map((stretch) => ({ ...stretch, row })))}
          columns={STATES_CSV}
          text={words.csvStates}
        />
      </div>
      {problem.value && (
        <p class="problem" role="alert">
          {texts.failed(problem.value)}
        </p>
      )}
      <MappingPanel mapping={mapping} />
      {isCut && <p class="notice">{words.cut}</p>}
      {!read && !problem.value && <p class="empty">{texts.live.connecting}</p>}
      {read && rows.length > 0 && (
        <ShiftTable
          groups={groups}
          groupBy={choice.groupBy}
          span={span}
          hasProductive={hasProductive(rows, mapping)}
        />
      )}
      {read && rows.length === 0 && <p class="empty">{words.none}</p>}
    </>
  )
}
