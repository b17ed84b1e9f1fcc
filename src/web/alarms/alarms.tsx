import { useSignal } from '@preact/signals'
import { parseSelector, type Selector } from '../../contract/selector.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import { systemClock } from '../../kit/clock.js'
import { Choice } from '../parts/choice.js'
import { LabelFilter } from '../parts/label-filter.js'
import { namesOf } from '../parts/names-of.js'
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

interface SelectionProps {
  /** How many alarms can be selected, and how many are. */
  readonly open: number
  readonly chosen: number
  readonly selectAll: (isOn: boolean) => void
  readonly acknowledge: () => void
  readonly result: string
}

function Selection({ open, chosen, selectAll, acknowledge, result }: SelectionProps) {
  return (
    <div class="selection">
      <label>
        <input
          type="checkbox"
          checked={open > 0 && chosen === open}
          indeterminate={chosen > 0 && chosen < open}
          disabled={open === 0}
          onChange={({ currentTarget }) => selectAll(currentTarget.checked)}
        />{' '}
        {words.selectAll(open)}
      </label>
      <button type="button" class="primary" disabled={chosen === 0} onClick={acknowledge}>
        {chosen === 0 ? words.acknowledge : words.acknowledgeThese(chosen)}
      </button>
      <span role="status">{result}</span>
    </div>
  )
}

interface TableProps {
  readonly alarms: readonly Alarm[]
  readonly selected: ReadonlySet<string>
  /** Undefined for who may not acknowledge. */
  readonly select: ((ids: readonly string[], isOn: boolean) => void) | undefined
  readonly acknowledge: (alarm: Alarm) => void
}

function Table({ alarms, selected, select, acknowledge }: TableProps) {
  const today = systemClock.date()
  return (
    <div class="table-place">
      <table class="alarm-table">
        <thead>
          <tr>
            {select && (
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
          {alarms.map((alarm) => (
            <AlarmRow
              key={alarm.id}
              alarm={alarm}
              today={today}
              isSelected={selected.has(alarm.id)}
              select={select}
              acknowledge={() => acknowledge(alarm)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Filters({ show, search }: { readonly show: ShownAlarms; readonly search: string }) {
  return (
    <>
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
    </>
  )
}

/** The open alarms of the site, to be acknowledged one by one or together, and what came most often today. */
export function Alarms({ live }: PageProps) {
  const { query } = place.value
  const rows = useSignal(ROWS)
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const asked = useSignal<readonly Alarm[]>([])
  const result = useSignal('')
  const { list, leftOut, incomplete } = live.site.alarms
  const given = query.get('show')
  const show: ShownAlarms = SHOWN_ALARMS.find((known) => known === given) ?? 'open'
  const search = query.get('q') ?? ''
  const shown = filteredAlarms(list.value, show, search, selectorOf(query.get('labels') ?? ''), live.site)
  const mayAcknowledge = may('operator')
  const open = shown.filter(({ acknowledged }) => !acknowledged)
  // What somebody else has acknowledged meanwhile is no longer selected.
  const chosen = open.filter(({ id }) => selected.value.has(id))

  const select = (ids: readonly string[], isOn: boolean): void => {
    const next = new Set(chosen.map(({ id }) => id))
    for (const id of ids) {
      if (isOn) next.add(id)
      else next.delete(id)
    }
    selected.value = next
  }
  const ask = (alarms: readonly Alarm[]): void => {
    asked.value = alarms
  }

  return (
    <div class="alarms-page">
      <div class="toolbar">
        <h1>{texts.pages.alarms}</h1>
        <Filters show={show} search={search} />
        <LabelFilter tools={live.site.tools.value} />
        <span class="toolbar-count" role="status">
          {words.count(shown.length, open.length)}
        </span>
      </div>
      <div class="alarms-columns">
        <section aria-label={words.list}>
          {mayAcknowledge ? (
            <Selection
              open={open.length}
              chosen={chosen.length}
              selectAll={(isOn) =>
                select(
                  open.map(({ id }) => id),
                  isOn,
                )
              }
              acknowledge={() => ask(chosen)}
              result={result.value}
            />
          ) : (
            <p class="muted selection">{words.readOnly}</p>
          )}
          {incomplete.value.length > 0 && (
            <p class="notice">{words.incomplete(namesOf(incomplete.value, live))}</p>
          )}
          {leftOut.value > 0 && <p class="notice">{words.leftOut(leftOut.value)}</p>}
          <Table
            alarms={shown.slice(0, rows.value)}
            selected={selected.value}
            select={mayAcknowledge ? select : undefined}
            acknowledge={(alarm) => ask([alarm])}
          />
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
