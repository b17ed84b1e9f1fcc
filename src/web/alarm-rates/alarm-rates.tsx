import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Tool } from '../gateway/site.js'
import { Choice } from '../parts/choice.js'
import type { CsvColumn } from '../parts/csv.js'
import { CsvButton } from '../parts/csv-button.js'
import { LabelFilter } from '../parts/label-filter.js'
import type { PageProps } from '../shell/page-props.js'
import { place, setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { choiceOf, matching } from '../wall/selection.js'
import { HeatMap } from './heat-map.js'
import { HourAlarms } from './hour-alarms.js'
import { hoursUntil, type RateRow, ratesOf } from './rates.js'
import { useAlarmsSince } from './use-alarms-since.js'

const words = texts.alarmRates
const SPANS = ['day', 'week'] as const
const HOURS = { day: 24, week: 168 } as const
/** Rows that are rendered at first, and with each press of the button for more. */
const ROWS = 50
const dayTime = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

interface CsvRow {
  readonly equipment: string
  readonly hour: number
  readonly count: number
}

const CSV: readonly CsvColumn<CsvRow>[] = [
  ['equipment', ({ equipment }) => equipment],
  ['hour', ({ hour }) => new Date(hour).toISOString()],
  ['alarms', ({ count }) => count],
]

const csvRows = (rows: readonly RateRow[], hours: readonly number[]): readonly CsvRow[] =>
  rows.flatMap(({ name, counts }) =>
    hours.flatMap((hour, at) =>
      (counts[at] ?? 0) > 0 ? [{ equipment: name, hour, count: counts[at] ?? 0 }] : [],
    ),
  )

/** The equipment that the filters of the address leave; everything where its selector cannot be read. */
function shownIds(query: URLSearchParams, tools: readonly Tool[]): ReadonlySet<string> | undefined {
  if (!query.has('q') && !query.has('labels')) return undefined
  try {
    return new Set(matching(tools, choiceOf(query, '')).map(({ id }) => id))
  } catch {
    return undefined
  }
}

/** How many alarms equipment set in each hour, and the alarms of one hour. */
export function AlarmRates({ live }: PageProps) {
  const { query } = place.value
  const tools = live.site.tools.value
  const span = SPANS.find((known) => known === query.get('span')) ?? 'day'
  const rows = useSignal(ROWS)
  const present = hoursUntil(live.calls.date().getTime(), HOURS[span])
  const { alarms, problem, now, version, isLoaded } = useAlarmsSince(live, present[0] ?? 0)
  const hours = hoursUntil(now.value, HOURS[span])
  const shown = shownIds(query, tools)
  const found = useMemo(
    () => ratesOf(alarms.all, hours, (id) => shown?.has(id) ?? true),
    [alarms, version.value, isLoaded.value, hours[0], tools, String(query)],
  )
  const total = found.reduce((sum, row) => sum + row.total, 0)
  const oldest = alarms.isCut.value
    ? [...alarms.all].reduce((least, { set_at }) => (set_at < least ? set_at : least), '9')
    : undefined
  return (
    <>
      <div class="toolbar">
        <h1>{texts.pages.alarmRates}</h1>
        <Choice
          legend={words.span}
          name="span"
          options={SPANS.map((one) => [one, words.spans[one]] as const)}
          value={span}
          choose={(one) => setQuery({ span: one === 'day' ? '' : one })}
        />
        <input
          type="search"
          aria-label={texts.wall.search}
          placeholder={texts.wall.search}
          value={query.get('q') ?? ''}
          onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
        />
        <LabelFilter tools={tools} />
        <span class="toolbar-count" role="status">
          {words.count(total, found.length)}
        </span>
        <CsvButton name="alarm-rates" rows={csvRows(found, hours)} columns={CSV} />
      </div>
      {problem.value && (
        <p class="problem" role="alert">
          {texts.failed(problem.value)}
        </p>
      )}
      {oldest !== undefined && <p class="notice">{words.cut(dayTime.format(new Date(oldest)))}</p>}
      <div class="heat-columns">
        {found.length > 0 ? (
          <div>
            <HeatMap rows={found.slice(0, rows.value)} all={found} hours={hours} />
            {found.length > rows.value && (
              <button
                type="button"
                onClick={() => {
                  rows.value += ROWS
                }}
              >
                {words.more(found.length - rows.value)}
              </button>
            )}
          </div>
        ) : (
          <p class="empty">{isLoaded.value ? words.noAlarm : texts.live.connecting}</p>
        )}
        <HourAlarms alarms={alarms.all} isShown={(id) => shown?.has(id) ?? true} />
      </div>
    </>
  )
}
