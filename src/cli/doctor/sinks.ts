import type { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Sink } from '../../contract/topics/sinks/sink.js'
import { type Finding, inArea } from './finding.js'
import { askedTwice } from './patience.js'

const area = inArea('sinks')
/** A sink that delivers may have this many seconds to catch up without a note. */
const MAX_LAG_S = 60

function finding({ name, state, lag_entries, lag_seconds, dead, last_error }: Sink): Finding {
  const show = `secsctl sinks show ${name}`
  const lag = `${lag_entries} entries to go, the oldest of ${Math.round(lag_seconds)} s ago`
  if (state === 'failing') return area.wrong('unreachable', name, `${last_error?.detail}; ${lag}`, show)
  if (state === 'blocked')
    return area.wrong(
      'state',
      name,
      `${dead} dead letters, so it delivers nothing more; ${lag}`,
      `secsctl sinks dead ${name}`,
    )
  if (state === 'paused') return area.note(name, `paused; ${lag}`, `secsctl sinks resume ${name}`)
  if (dead > 0) return area.note(name, `${dead} dead letters; ${lag}`, `secsctl sinks dead ${name}`)
  return lag_seconds > MAX_LAG_S ? area.note(name, lag, show) : area.ok(name, 'delivers')
}

/** Of each sink whether it delivers. A caller who may not see sinks gets no findings. */
export async function sinkFindings(client: GatewayClient): Promise<readonly Finding[]> {
  try {
    const { items } = await askedTwice(() => client.call(endpoints.listSinks, { query: {} }))
    return items.map(finding)
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    // A gateway of an earlier version has none.
    return code === 'forbidden' || code === 'not_found' ? [] : [area.failed('list', error)]
  }
}
