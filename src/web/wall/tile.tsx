import { useComputed } from '@preact/signals'
import type { Live } from '../gateway/live.js'
import type { Tool } from '../gateway/site.js'
import { Sparkline } from '../parts/sparkline.js'
import { StateMark } from '../parts/state-mark.js'
import { texts } from '../texts.js'

const words = texts.wall

/** One equipment of the wall. While the gateway is silent, it shows that nothing is known. */
export function ToolTile({ tool, live }: { readonly tool: Tool; readonly live: Live }) {
  const { name, state, control, health, healthReason, activeAlarms, unacknowledged, job } = tool.tile.value
  const isStale = live.isStale.value
  const shown = isStale ? 'nodata' : state
  const isCommunicating = !['disconnected', 'disabled', 'connecting'].includes(state)
  // What the word of the state does not say already.
  const further = [
    state === 'alarm' && texts.control[control],
    state === 'failing' || state === 'degraded' ? texts.control[control] : '',
    health !== 'ok' && state !== health && texts.health[health],
  ].filter(Boolean)
  return (
    <li class={`tile state-${shown}`} title={healthReason ?? undefined}>
      <h3>
        <StateMark state={shown} />
        <a href={`/equipment/${encodeURIComponent(tool.id)}`}>{name}</a>
        {activeAlarms > 0 && !isStale && (
          <b class="badge" title={words.notAcknowledged(unacknowledged)}>
            <span aria-hidden="true">▲{activeAlarms}</span>
            <span class="unseen">{words.activeAlarms(activeAlarms)}</span>
          </b>
        )}
      </h3>
      <p class="tile-state">
        <strong>{texts.states[shown]}</strong>
        {further.length > 0 && <span> {further.join(', ')}</span>}
      </p>
      <dl class="tile-job">
        <dt class={job.ppid ? '' : 'unseen'}>{words.ppid}</dt>
        <dd>{isCommunicating ? (job.ppid ?? '') : ''}</dd>
        <dt class={job.lot ? '' : 'unseen'}>{words.lot}</dt>
        <dd>{isCommunicating ? (job.lot ?? '') : ''}</dd>
      </dl>
      <div class="tile-traffic">
        <Sparkline traffic={tool.traffic} beat={tool.beat} />
        <Rate tool={tool} />
      </div>
    </li>
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
