import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { systemClock } from '../../kit/clock.js'
import type { Live } from '../gateway/live.js'
import { Choice } from '../parts/choice.js'
import type { CsvColumn } from '../parts/csv.js'
import { CsvButton } from '../parts/csv-button.js'
import { place, setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { AlarmsSince, type ParetoBar, startOfDay } from './alarms-since.js'

const words = texts.pareto
const SHOWN = 8
/** Milliseconds between two looks whether a new day has begun. */
const DAY_CHECK_MS = 30_000

const CSV: readonly CsvColumn<ParetoBar>[] = [
  ['name', ({ label }) => label],
  ['detail', ({ detail }) => detail],
  ['count', ({ count }) => count],
]

const SPANS = ['today', 'week'] as const
type ParetoSpan = (typeof SPANS)[number]
const DAYS_BEFORE: Readonly<Record<ParetoSpan, number>> = { today: 0, week: 6 }

/** The alarms of today or of seven days with it, those that came most often first. `pareto` in the address says which. */
export function Pareto({ live }: { readonly live: Live }) {
  const span = SPANS.find((known) => known === place.value.query.get('pareto')) ?? 'today'
  const looks = useSignal(0)
  looks.value
  const by = useSignal<'alarm' | 'equipment'>('alarm')
  const problem = useSignal('')
  const from = startOfDay(live.calls.date(), DAYS_BEFORE[span]).getTime()
  const alarms = useMemo(() => new AlarmsSince(new Date(from)), [from, live, live.gaps.value])
  useEffect(() => {
    const left = new AbortController()
    const unfollow = live.follow((event) => alarms.take(event))
    problem.value = ''
    alarms.load(live.calls, live.scope, left.signal).catch((error: unknown) => {
      if (!left.signal.aborted) problem.value = error instanceof Error ? error.message : ''
    })
    let cancel = systemClock.at(systemClock.now() + DAY_CHECK_MS, function look() {
      looks.value++
      cancel = systemClock.at(systemClock.now() + DAY_CHECK_MS, look)
    })
    return () => {
      left.abort()
      unfollow()
      cancel()
    }
  }, [alarms])
  alarms.version.value
  const bars = alarms.pareto(by.value)
  const most = bars[0]?.count ?? 1
  return (
    <section class="pareto" aria-labelledby="pareto-heading">
      <header>
        <h2 id="pareto-heading">{words.spans[span]}</h2>
        <span class="muted">{words.total(alarms.count, alarms.isCut.value)}</span>
        <CsvButton name={`alarms-${span}`} rows={bars} columns={CSV} />
      </header>
      <Choice
        legend={words.span}
        name="pareto-span"
        options={SPANS.map((one) => [one, words.spans[one]] as const)}
        value={span}
        choose={(one) => setQuery({ pareto: one === 'today' ? '' : one })}
      />
      <Choice
        legend={words.by}
        name="pareto-by"
        options={[
          ['alarm', words.byAlarm],
          ['equipment', words.byEquipment],
        ]}
        value={by.value}
        choose={(value) => {
          by.value = value
        }}
      />
      {problem.value && <p class="problem">{texts.failed(problem.value)}</p>}
      <ol>
        {bars.slice(0, SHOWN).map(({ key, label, detail, count, cumulative }) => (
          <li key={key}>
            <button
              type="button"
              class="bar-label"
              title={words.search(label)}
              onClick={() => setQuery({ q: label })}
            >
              {label} {detail && <small>{detail}</small>}
            </button>
            <span class="bar-count">
              {count.toLocaleString()}
              <small title={words.cumulative}> {words.percent(cumulative)}</small>
            </span>
            <span class="bar" style={{ width: `${(100 * count) / most}%` }} />
          </li>
        ))}
      </ol>
      <a href="/alarm-rates">{words.byHour}</a>
      {bars.length > SHOWN && <p class="muted">{words.more(bars.length - SHOWN)}</p>}
    </section>
  )
}
