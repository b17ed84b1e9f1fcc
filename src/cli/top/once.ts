import { delay } from '../../kit/clock.js'
import { Feed, type FeedOptions } from './feed.js'
import type { View } from './line.js'
import { onScreen } from './list-frame.js'
import { shownEquipment } from './shown-equipment.js'
import { beginning, type TopState, withNews } from './top-state.js'

/** Equipment whose rates are printed, where they do not decide the order: each takes two calls, and no list has them. */
export const MAX_RATES = 200

/** What `--once` prints: a screen of this size, or all counts. */
export type Printed = { readonly sizeOf: (state: TopState) => Pick<View, 'columns' | 'rows'> } | 'counts'

export interface OnceOptions extends Omit<FeedOptions, 'report' | 'shown' | 'background'> {
  readonly printed: Printed
  /** Puts sort and filter into the first state. */
  readonly start: (state: TopState) => TopState
  readonly signal: AbortSignal
}

/** The equipment whose traffic is read: all that the filter leaves, for its counts or its order; else what is on the screen. */
function readOf(state: TopState, printed: Printed): readonly string[] {
  if (printed === 'counts' || state.sort === 'rate') return shownEquipment(state).map(({ id }) => id)
  return onScreen(state, { ...printed.sizeOf(state), ascii: true }).slice(0, MAX_RATES)
}

/** Whether some equipment on the screen has no rate, since there is too much. */
export const lacksRates = (state: TopState, view: View): boolean =>
  state.sort !== 'rate' && onScreen(state, view).length > MAX_RATES

/** The state that `top --once` prints. Rates need two readings of the traffic, one interval apart. */
export async function stateOnce({ printed, start, signal, ...options }: OnceOptions): Promise<TopState> {
  const { clock, client, interval } = options
  let state = start(beginning(client.options.url, clock.date()))
  const feed = new Feed({
    ...options,
    background: 0,
    report: (news) => {
      state = withNews(state, news)
    },
    shown: () => ({ onScreen: readOf(state, printed), opened: undefined }),
  })
  await feed.load()
  await feed.readTraffic()
  if (printed !== 'counts' || state.sort === 'rate') {
    await delay(clock, interval, signal)
    await feed.readTraffic()
  }
  return withNews(state, { kind: 'time', now: clock.date() })
}
