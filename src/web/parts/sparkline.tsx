import type { Signal } from '@preact/signals'
import { BARS, type TrafficWindow } from '../gateway/traffic-window.js'

const HEIGHT = 20

/** Bars from the bottom line, the newest at the right edge; as one path, since a wall has a thousand of them. */
export function barsPath(bars: readonly number[]): string {
  const highest = Math.max(1, ...bars)
  return bars
    .map((count, at) => {
      const height = count === 0 ? 0 : Math.max(1, Math.round((count / highest) * HEIGHT))
      return height === 0 ? '' : `M${BARS - bars.length + at} ${HEIGHT}v-${height}h.8v${height}z`
    })
    .join('')
}

/** Messages of the last minutes. `beat` says when a bar is over. */
export function Sparkline({
  traffic,
  beat,
}: {
  readonly traffic: TrafficWindow
  readonly beat: Signal<number>
}) {
  beat.value
  return (
    <svg class="sparkline" viewBox={`0 0 ${BARS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={barsPath(traffic.bars)} />
    </svg>
  )
}
