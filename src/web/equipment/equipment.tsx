import { useEffect } from 'preact/hooks'
import { tapAdvice, tapStanding } from '../../contract/tap-words.js'
import type { Live } from '../gateway/live.js'
import type { Tool } from '../gateway/site.js'
import { Choice } from '../parts/choice.js'
import { CsvButton } from '../parts/csv-button.js'
import { every } from '../parts/every.js'
import { StateMark } from '../parts/state-mark.js'
import { Time } from '../parts/time.js'
import type { PageProps } from '../shell/page-props.js'
import { place, setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { ActionPanel } from './actions/action-panel.js'
import { EquipmentAlarms } from './alarms.js'
import { Explain } from './explain.js'
import { Gem300Panels } from './gem300/gem300-panels.js'
import { LotRunsPanel } from './lot-runs/lot-runs-panel.js'
import { Messages } from './messages.js'
import { useChanges } from './state-changes.js'
import { CHANGE_CSV } from './state-segments.js'
import { States } from './states.js'
import { TapPanel } from './tap-panel.js'
import { TimeButtons } from './time-buttons.js'
import { useTimeView } from './time-view.js'
import { TrafficCounts } from './traffic-counts.js'
import { VariableCharts } from './variable-charts.js'

const words = texts.equipment
const HOURS = ['1', '8', '24'] as const
/** Locks, settings and the removal of equipment have no events. */
const READ_MS = 5000

/** One equipment: its states over a shift, alarms, values, messages, traffic. */
export function Equipment({ live, params: { id = '' } }: PageProps) {
  // Reads the list in any case: the page is rendered again when the equipment is deleted.
  const tools = live.site.tools.value
  const tool = live.site.get(id) ?? tools.find(({ record }) => record.name === id)
  const name = tool?.record.name
  useEffect(() => {
    if (name !== undefined) document.title = texts.title(name)
  }, [name])
  const known = tool?.id
  useEffect(() => {
    if (known === undefined) return
    return every(READ_MS, () => {
      if (!document.hidden) void live.readAgain(known).catch(() => undefined)
    })
  }, [known, live])
  if (!tool) {
    return (
      <div class="empty">
        <h1>{live.isLoaded.value ? words.unknown(id) : texts.live.connecting}</h1>
        <a href="/">{texts.toWall}</a>
      </div>
    )
  }
  return <Known key={tool.id} live={live} tool={tool} />
}

function Known({ live, tool }: { readonly live: Live; readonly tool: Tool }) {
  const { record, tile } = tool
  const shown = live.isStale.value ? 'nodata' : tile.value.state
  const hours = HOURS.find((known) => known === place.value.query.get('hours')) ?? '8'
  const view = useTimeView(live, Number(hours), record.created_at)
  const history = useChanges(live, record.id, view)
  return (
    <div class="equipment-page">
      <header class="equipment-head">
        <h1>
          <bdi>{record.name}</bdi>
        </h1>
        <span class={`state-word state-${shown}`}>
          <StateMark state={shown} /> {texts.states[shown]}
        </span>
        <Facts tool={tool} today={live.calls.date()} />
      </header>

      <ActionPanel live={live} equipment={record} />
      <section class="panel" aria-labelledby="states-heading">
        <div class="panel-head">
          <h2 id="states-heading">{words.states}</h2>
          <Choice
            legend={words.range}
            name="hours"
            options={HOURS.map((count) => [count, words.hours(Number(count))] as const)}
            value={hours}
            choose={(count) => setQuery({ hours: count === '8' ? '' : count, from: '', to: '' })}
          />
          <TimeButtons view={view} of={words.states} />
          <CsvButton name="states" rows={history.changes.value} columns={CHANGE_CSV} />
          <a href={`/events?equipment=${encodeURIComponent(record.id)}`}>{words.allEvents}</a>
        </div>
        <States record={record} view={view} history={history} />
      </section>
      <EquipmentAlarms live={live} id={record.id} />
      <Gem300Panels live={live} equipment={record} view={view} />
      <VariableCharts
        live={live}
        id={record.id}
        view={view}
        changes={history.changes.value}
        now={history.now}
      />
      <LotRunsPanel live={live} id={record.id} view={view} />
      {record.tap && <TapPanel live={live} equipment={record} />}
      <div class="equipment-columns">
        <Messages live={live} id={record.id} isTapped={record.tap !== null} />
        <TrafficCounts live={live} id={record.id} isTapped={record.tap !== null} />
      </div>
    </div>
  )
}

interface FactsProps {
  readonly tool: Tool
  /** By the clock of the gateway. */
  readonly today: Date
}

function Facts({ tool: { record, tile }, today }: FactsProps) {
  const { labels, job, health, healthReason } = tile.value
  return (
    <dl class="facts">
      <Fact name={words.lanes.connection_state} value={record.connection_state} explained />
      <Fact name={words.lanes.communication_state} value={record.communication_state} explained />
      <Fact name={words.lanes.control_state} value={record.control_state} explained />
      <Fact name={words.health} value={texts.health[health]} detail={healthReason} />
      {record.tap && <TapFact record={record} />}
      {record.last_error && (
        <Fact
          name={words.lastError}
          value={record.last_error.code}
          detail={record.last_error.detail}
          explained
        />
      )}
      {job.ppid && <Fact name={texts.wall.ppid} value={job.ppid} />}
      {job.lot && <Fact name={texts.wall.lot} value={job.lot} />}
      <Fact name={words.address} value={record.serial_port ?? `${record.ip_address}:${record.port}`} />
      {record.model && <Fact name={words.model} value={`${record.model.mdln} ${record.model.softrev}`} />}
      {record.connected_since && (
        <div>
          <dt>{words.connectedSince}</dt>
          <dd>
            <Time at={record.connected_since} today={today} />
          </dd>
        </div>
      )}
      {Object.entries(labels).map(([label, value]) => (
        <Fact key={label} name={label} value={value} />
      ))}
    </dl>
  )
}

const timeText = (at: string | null): string => (at === null ? '' : new Date(at).toLocaleString())

/** How the tap stands; why host and equipment do not talk, or what was refused and not recorded. */
function TapFact({ record }: { readonly record: Tool['record'] }) {
  const { tap_link } = record
  const details = [
    tapAdvice(record, timeText)?.text,
    tap_link &&
      tap_link.refused > 0 &&
      words.tapRefused(tap_link.refused, tap_link.last_refused?.address ?? ''),
    tap_link && tap_link.unrecorded > 0 && words.tapUnrecorded(tap_link.unrecorded),
  ].filter(Boolean)
  return (
    <div class="tap-fact">
      <dt>{words.tap}</dt>
      <dd>
        {tapStanding(record)} {tap_link && <Explain word={tap_link.state} />}
        {details.map((detail) => (
          <small key={detail as string}>{detail}</small>
        ))}
      </dd>
    </div>
  )
}

interface FactProps {
  readonly name: string
  readonly value: string
  readonly detail?: string | null
  readonly explained?: boolean
}

function Fact({ name, value, detail, explained = false }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value} {explained && <Explain word={value} />}
        {detail && <small>{detail}</small>}
      </dd>
    </div>
  )
}
