import { useComputed } from '@preact/signals'
import { Fragment } from 'preact'
import type { Live } from '../gateway/live.js'
import type { Tile, Tool } from '../gateway/site.js'
import type { ToolState } from '../gateway/tool-state.js'
import { isMinor, SeverityMark } from '../parts/severity.js'
import { Sparkline } from '../parts/sparkline.js'
import { StateMark } from '../parts/state-mark.js'
import { span, texts } from '../texts.js'
import type { Size } from './sizes.js'
import { isLong, linesOf, shownName, type TileNames } from './tile-names.js'

const words = texts.wall

/** States in which the control state and the job of an equipment are not known. */
const UNREACHABLE: readonly ToolState[] = ['disconnected', 'disabled', 'connecting']

/** What the word of the state does not say already: the control state, and the health. */
function further({ state, control, health, tap }: Tile): string {
  if (UNREACHABLE.includes(state))
    return (tap && words.taps[tap]) || (health === 'failing' ? texts.health.failing : '')
  const isOther = state === 'failing' || state === 'degraded'
  return [isOther && texts.controlWord[control], health !== 'ok' && state !== health && texts.health[health]]
    .filter(Boolean)
    .join(', ')
}

interface Props {
  readonly tool: Tool
  readonly live: Live
  readonly size: Size
  readonly names: TileNames
}

/** One equipment of the wall. While the gateway is silent, it shows that nothing is known. */
export function ToolTile({ tool, live, size, names }: Props) {
  const tile = tool.tile.value
  const isStale = live.isStale.value
  const shown = isStale ? 'nodata' : tile.state
  const isLarge = size === 'l' || size === 'm'
  const name = shownName(tile.name, names, size)
  // The smallest tile has room for one text: which alarm it is says more than that it is one.
  const isNamed = size === 'xs' && shown === 'alarm' && Boolean(tile.alarm)
  return (
    <li
      class={`tile state-${shown} ${isLong(name, size) ? 'tile-long' : ''} ${shown === 'alarm' && isMinor(tile.severity) ? 'is-minor' : ''}`}
      title={[tile.name, tile.alarm, tile.healthReason].filter(Boolean).join('\n')}
    >
      <p class="tile-name">
        {shown === 'alarm' && tile.severity ? (
          <SeverityMark severity={tile.severity} />
        ) : (
          <StateMark state={shown} />
        )}
        <a href={`/equipment/${encodeURIComponent(tool.id)}`}>
          {name !== tile.name && <span class="unseen">{tile.name}</span>}
          <span class="tile-text" dir="auto" aria-hidden={name !== tile.name}>
            {linesOf(name, size).map((line, at) => (
              <Fragment key={line}>
                {at > 0 && <br />}
                {line}
              </Fragment>
            ))}
          </span>
        </a>
      </p>
      <p class="tile-state">
        <strong class={shown === 'alarm' && (size === 's' || isNamed) ? 'unseen' : undefined}>
          {shown === 'alarm' && tile.severity ? words.alarmWords[tile.severity] : texts.states[shown]}
        </strong>
        {isNamed && <span class="tile-what">{tile.alarm}</span>}
        {!isStale && size !== 'xs' && (
          <>
            {' '}
            <span class="tile-what">{tile.state === 'alarm' ? tile.alarm : further(tile)}</span>{' '}
            <Since tool={tool} live={live} />
          </>
        )}
        {tile.tap && isLarge && !isStale && <TapSign />}
        {tile.shelved > 0 && !isStale && <ShelvedSign count={tile.shelved} hasWord={isLarge} />}
        {tile.activeAlarms > 0 && !isStale && <Badge tile={tile} />}
      </p>
      {size !== 'xs' && <JobLines tile={tile} isKnown={!isStale && !UNREACHABLE.includes(tile.state)} />}
      {isLarge && (
        <div class="tile-traffic">
          <Sparkline traffic={tool.traffic} beat={tool.beat} />
          <Rate tool={tool} />
        </div>
      )}
    </li>
  )
}

function Badge({ tile: { activeAlarms, unacknowledged } }: { readonly tile: Tile }) {
  return (
    <b class="badge" title={words.notAcknowledged(unacknowledged)}>
      <span aria-hidden="true">{activeAlarms > 99 ? '99+' : activeAlarms}</span>
      <span class="unseen">{words.activeAlarms(activeAlarms)}</span>
    </b>
  )
}

/** Says that the equipment is shared with its own host. */
function TapSign() {
  return (
    <span class="tile-tap" title={words.tapTitle}>
      {words.tapSign}
    </span>
  )
}

/** Says that some alarms are shelved, in whatever state the equipment is. */
function ShelvedSign({ count, hasWord }: { readonly count: number; readonly hasWord: boolean }) {
  return (
    <span class="tile-shelved" title={texts.shelving.count(count)}>
      <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
        <path fill="currentColor" d="M3 1.5h3.6v13H3zm6.4 0H13v13H9.4z" />
      </svg>
      <span aria-hidden="true">{hasWord ? texts.shelving.short(count) : count}</span>
      <span class="unseen">{texts.shelving.count(count)}</span>
    </span>
  )
}

/** For how long the alarm has been active, or the equipment has been silent. */
function Since({ tool, live }: Pick<Props, 'tool' | 'live'>) {
  const { state, alarmSince, lastMessage } = tool.tile.value
  const since = { alarm: alarmSince, disconnected: lastMessage }[state as string]
  tool.beat.value
  if (!since) return null
  const seconds = Math.max(0, Math.floor((live.calls.date().getTime() - Date.parse(since)) / 1000))
  return <span class="since">{state === 'alarm' ? span(seconds) : words.silentFor(seconds)}</span>
}

function JobLines({ tile: { job }, isKnown }: { readonly tile: Tile; readonly isKnown: boolean }) {
  return (
    <p class="tile-job">
      {isKnown && job.ppid && (
        <span title={job.ppid}>
          <i>{words.ppid}</i> {job.ppid}
        </span>
      )}
      {isKnown && job.lot && (
        <span title={job.lot}>
          <i>{words.lot}</i> {job.lot}
        </span>
      )}
    </p>
  )
}

function Rate({ tool }: { readonly tool: Tool }) {
  const rate = useComputed(() => {
    tool.beat.value
    return tool.traffic.perMinute
  })
  const { value } = rate
  return <span class="rate">{value === undefined ? '' : words.perMinute(value)}</span>
}
