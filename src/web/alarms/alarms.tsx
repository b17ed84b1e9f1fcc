import { useSignal } from '@preact/signals'
import { parseSelector, type Selector } from '../../contract/selector.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import { systemClock } from '../../kit/clock.js'
import { Choice } from '../parts/choice.js'
import { LabelFilter } from '../parts/label-filter.js'
import type { PageProps } from '../shell/page-props.js'
import { place, setQuery } from '../shell/router.js'
import { may } from '../shell/session.js'
import { texts } from '../texts.js'
import { AcknowledgeDialog } from './acknowledge-dialog.js'
import { filteredAlarms, SHOWN_ALARMS, type ShownAlarms } from './alarm-filter.js'
import { AlarmRow } from './alarm-row.js'
import { Pareto } from './pareto.js'

const words = texts.alarms
/** Rows that are rendered at first, and with each press of the button for more. */
const ROWS = 150

function selectorOf(text: string): Selector | undefined {
  try {
    return text.trim() === '' ? undefined : parseSelector(text)
  } catch {
    return undefined
  }
}

/** The open alarms of the site, to be acknowledged one by one or together, and what came most often today. */
export function Alarms({ live }: PageProps) {
  const { query } = place.value
  const rows = useSignal(ROWS)
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const asked = useSignal<readonly Alarm[]>([])
  const result = useSignal('')
  const { list, leftOut } = live.site.alarms
  const given = query.get('show')
  const show: ShownAlarms = SHOWN_ALARMS.find((known) => known === given) ?? 'open'
  const search = query.get('q') ?? ''
  const shown = filteredAlarms(list.value, show, search, selectorOf(query.get('labels') ?? ''), live.site)
  const mayAcknowledge = may('operator')
  const open = shown.filter(({ acknowledged }) => !acknowledged)
  // What somebody else has acknowledged meanwhile is no longer selected.
  const chosen = open.filter(({ id }) => selected.value.has(id))
  const today = systemClock.date()

  const select = (ids: readonly string[], isOn: boolean): void => {
    const next = new Set(chosen.map(({ id }) => id))
    for (const id of ids) {
      if (isOn) next.add(id)
      else next.delete(id)
    }
    selected.value = next
  }

  return (
    <div class="alarms-page">
      <div class="toolbar">
        <h1>{texts.pages.alarms}</h1>
        <Choice
          legend={words.show}
          name="show"
          options={SHOWN_ALARMS.map((kind) => [kind, words.shown[kind]] as const)}
          value={show}
          choose={(kind) => setQuery({ show: kind === 'open' ? '' : kind })}
        />
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={search}
          onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
        />
        <LabelFilter tools={live.site.tools.value} />
        <span class="toolbar-count" role="status">
          {words.count(shown.length, open.length)}
        </span>
      </div>
      <div class="alarms-columns">
        <section aria-label={words.list}>
          {mayAcknowledge ? (
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
                onClick={() => {
                  asked.value = chosen
                }}
              >
                {chosen.length === 0 ? words.acknowledge : words.acknowledgeThese(chosen.length)}
              </button>
              <span role="status">{result.value}</span>
            </div>
          ) : (
            <p class="muted selection">{words.readOnly}</p>
          )}
          {leftOut.value > 0 && <p class="notice">{words.leftOut(leftOut.value)}</p>}
          <div class="table-place">
            <table class="alarm-table">
              <thead>
                <tr>
                  {mayAcknowledge && (
                    <th scope="col">
                      <span class="unseen">{words.select}</span>
                    </th>
                  )}
                  {words.columns.map((column) => (
                    <th scope="col" key={column}>
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.slice(0, rows.value).map((alarm) => (
                  <AlarmRow
                    key={alarm.id}
                    alarm={alarm}
                    today={today}
                    isSelected={selected.value.has(alarm.id)}
                    select={mayAcknowledge ? select : undefined}
                    acknowledge={() => {
                      asked.value = [alarm]
                    }}
                  />
                ))}
              </tbody>
            </table>
          </div>
          {shown.length === 0 && live.isLoaded.value && (
            <p class="empty">{list.value.length === 0 ? words.none : words.noMatch}</p>
          )}
          {shown.length > rows.value && (
            <button
              type="button"
              onClick={() => {
                rows.value += ROWS
              }}
            >
              {words.moreRows(shown.length - rows.value)}
            </button>
          )}
        </section>
        <Pareto live={live} />
      </div>
      {asked.value.length > 0 && (
        <AcknowledgeDialog
          live={live}
          alarms={asked.value}
          close={(said) => {
            asked.value = []
            if (said === undefined) return
            selected.value = new Set()
            result.value = said
          }}
        />
      )}
    </div>
  )
}
