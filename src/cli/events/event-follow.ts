import type { GatewayClient } from '../../client/client.js'
import { type FollowOptions, followEvents } from '../../client/events.js'
import type { Event, EventType } from '../../contract/topics/events.js'
import type { Clock } from '../../kit/clock.js'
import { defined } from '../../kit/defined.js'
import { IdleTimeout } from '../input/idle-timeout.js'

export interface Following {
  readonly equipment_id?: string | readonly string[]
  readonly label_selector?: string
  readonly type?: EventType[]
  /** A SECS message such as `S6F11`, or a stream. */
  readonly message?: string
  /** A further condition for events that match the query. */
  readonly where?: (event: Event) => boolean
  /** Begins after the event with this id. */
  readonly after?: string
  /** UTC; from now on when left out. */
  readonly since?: string
  /** Ends after so many events. */
  readonly count?: number
  /** Ends after so many milliseconds without an event, or without the first when `count` is 1. */
  readonly idle?: number
  /** While the gateway is away, nothing can come: `idle` counts anew once it is there again. */
  readonly waitsForGateway?: boolean
  readonly onLoss?: FollowOptions['onLoss']
  readonly renew?: FollowOptions['renew']
}

export type Ending = 'enough' | 'idle' | 'stopped'

/** Follows events until there are enough of them, none came for a while, or `signal` aborts. `seen` is called in turn. */
export async function follow(
  client: GatewayClient,
  {
    where = () => true,
    since,
    count = Number.POSITIVE_INFINITY,
    idle,
    waitsForGateway = false,
    onLoss,
    renew,
    ...filters
  }: Following,
  world: { readonly clock: Clock; readonly signal: AbortSignal },
  seen: (event: Event) => void | Promise<void>,
): Promise<Ending> {
  const { clock, signal } = world
  const idleTimeout = new IdleTimeout(clock, idle, signal)
  let left = count
  try {
    if (signal.aborted) return 'stopped'
    idleTimeout.begin()
    const options: FollowOptions = {
      ...client.options,
      clock,
      ...defined({ renew }),
      onOpen: () => waitsForGateway && idleTimeout.begin(),
      onLoss: (error, wait) => {
        if (waitsForGateway) idleTimeout.rest()
        onLoss?.(error, wait)
      },
    }
    const query = { ...filters, ...defined({ from: since }) }
    for await (const event of followEvents(options, query, idleTimeout.signal)) {
      if (!where(event)) continue
      idleTimeout.rest()
      await seen(event)
      left--
      if (left <= 0) return 'enough'
      // What was read already is not handled any more.
      if (signal.aborted) return 'stopped'
      idleTimeout.begin()
    }
    return idleTimeout.over ? 'idle' : 'stopped'
  } catch (error) {
    if (!idleTimeout.signal.aborted) throw error
    return idleTimeout.over ? 'idle' : 'stopped'
  } finally {
    idleTimeout.end()
  }
}
