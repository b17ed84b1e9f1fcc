import type { GatewayClient } from '../client/client.js'
import { followEvents } from '../client/events.js'
import { endpoints } from '../contract/endpoints.js'
import type { Event, EventType } from '../contract/events.js'
import type { Cancel, Clock } from '../kit/clock.js'

export interface Following {
  readonly equipment_id?: string
  readonly type?: EventType[]
  /** A last look at events that match all else. */
  readonly where?: (event: Event) => boolean
  /** UTC; from now on when left out. */
  readonly since?: string
  /** Ends after so many events. */
  readonly count?: number
  /** Ends after so many milliseconds without an event, or without the first when `count` is 1. */
  readonly idle?: number
  readonly onLoss?: (error: Error, retryIn: number) => void
}

export type Ending = 'enough' | 'idle' | 'stopped'

/** Follows events until there are enough of them, none came for a while, or `signal` aborts. */
export async function follow(
  client: GatewayClient,
  { where = () => true, since, count = Number.POSITIVE_INFINITY, idle, onLoss, ...filters }: Following,
  world: { readonly clock: Clock; readonly signal: AbortSignal },
  seen: (event: Event) => void,
): Promise<Ending> {
  const { clock, signal } = world
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  signal.addEventListener('abort', stop)
  let silent = false
  let cancel: Cancel = () => {}
  const listen = (): void => {
    cancel()
    if (idle === undefined) return
    cancel = clock.at(clock.now() + idle, () => {
      silent = true
      stopped.abort()
    })
  }
  let left = count
  try {
    if (signal.aborted) return 'stopped'
    listen()
    const after = await startOf(client, since)
    const options = { ...client.options, clock, ...(onLoss && { onLoss }) }
    for await (const event of followEvents(
      options,
      { ...filters, ...(after !== undefined && { after }) },
      stopped.signal,
    )) {
      if (!where(event)) continue
      listen()
      seen(event)
      left--
      if (left <= 0) return 'enough'
    }
    return silent ? 'idle' : 'stopped'
  } catch (error) {
    if (!stopped.signal.aborted) throw error
    return silent ? 'idle' : 'stopped'
  } finally {
    cancel()
    signal.removeEventListener('abort', stop)
    stopped.abort()
  }
}

/** The id behind which to begin, so that everything since `since` comes and nothing before it. */
async function startOf(client: GatewayClient, since: string | undefined): Promise<string | undefined> {
  if (since === undefined) return undefined
  // Asked for in this order: an event that comes between the two is not missed.
  const newest = await client.call(endpoints.listEvents, { query: { limit: 1 } })
  const first = await client.call(endpoints.listEvents, { query: { from: since, order: 'asc', limit: 1 } })
  const [event] = first.items
  return event ? String(Number(event.id) - 1) : newest.items[0]?.id
}
