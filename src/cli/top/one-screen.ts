import { delay } from '../../kit/clock.js'
import { Feed, type FeedOptions } from './feed.js'
import { withNews } from './news.js'
import { shownEquipment } from './shown-equipment.js'
import { beginning, type TopState } from './top-state.js'

/** The state after two looks at all traffic, one interval apart: what `top --once` prints. */
export async function oneState(
  options: Omit<FeedOptions, 'tell' | 'looking'>,
  start: (state: TopState) => TopState,
  signal: AbortSignal,
): Promise<TopState> {
  const { clock, client, interval } = options
  let state = start(beginning(client.options.url, clock.date()))
  const feed = new Feed({
    ...options,
    tell: (news) => {
      state = withNews(state, news)
    },
    looking: () => ({ onScreen: shownEquipment(state).map(({ id }) => id), opened: undefined }),
  })
  await feed.load()
  await feed.look()
  await delay(clock, interval, signal)
  await feed.look()
  return withNews(state, { kind: 'time', now: clock.date() })
}
