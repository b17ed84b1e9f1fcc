import { useComputed } from '@preact/signals'
import type { Live } from '../gateway/live.js'
import type { Tile, Tool } from '../gateway/site.js'
import type { ToolState } from '../gateway/tool-state.js'
import { Sparkline } from '../parts/sparkline.js'
import { StateMark } from '../parts/state-mark.js'
import { texts } from '../texts.js'
import type { Size } from './sizes.js'

const words = texts.wall

/** States in which the control state and the job of an equipment are not known. */
const UNREACHABLE: readonly ToolState[] = ['disconnected', 'disabled', 'connecting']

/** What the word of the state does not say already: the control state, and the health. */
function further({ state, control, health }: Tile): string {
  if (UNREACHABLE.includes(state)) return health === 'failing' ? texts.health.failing : ''
  const isOther = state === 'alarm' || state === 'failing' || state === 'degraded'
  return [isOther && texts.controlWord[control], health !== 'ok' && state !== health && texts.health[health]]
    .filter(Boolean)
    .join(', ')
}

interface Props {
  readonly tool: Tool
  readonly live: Live
  readonly size: Size
}

/** One equipment of the wall. While the gateway is silent, it shows that nothing is known. */
export function ToolTile({ tool, live, size }: Props) {
  const tile = tool.tile.value
  const isStale = live.isStale.value
  const shown = isStale ? 'nodata' : tile.state
  const isLarge = size === 'l' || size === 'm'
  return (
    <li class={`tile state-${shown}`} title={tile.healthReason ?? undefined}>
      <p class="tile-name">
        <StateMark state={shown} />
        <a href={`/equipment/${encodeURIComponent(tool.id)}`}>{tile.name}</a>
        {tile.activeAlarms > 0 && !isStale && (
          <b class="badge" title={words.notAcknowledged(tile.unacknowledged)}>
            <span aria-hidden="true">{tile.activeAlarms > 99 ? '99+' : tile.activeAlarms}</span>
            <span class="unseen">{words.activeAlarms(tile.activeAlarms)}</span>
          </b>
        )}
      </p>
      <p class="tile-state">
        <strong>{texts.states[shown]}</strong>
        {!isStale && size !== 'xs' && <span> {further(tile)}</span>}
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
