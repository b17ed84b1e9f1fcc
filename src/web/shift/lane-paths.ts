import { E10_WORDS, type E10Word } from './e10.js'
import type { Span, Stretch } from './timeline.js'

/** Units of the width of a lane; its height is 1. */
export const WIDTH = 1000
/** The least width of a stretch, so that a short one can be seen. */
const MIN_WIDTH = 0.8

const box = (x: number, width: number): string => {
  const [at, wide] = [x.toFixed(1), width.toFixed(1)]
  return `M${at} 0h${wide}v1h-${wide}z`
}

/**
 * The paths of a lane, one for each word that it has: a wall of lanes would have tens of thousands of boxes. Time
 * that is unknown has no path, so the hatched background is visible there; `future` covers the time after now.
 */
export function lanePaths(
  timeline: readonly Pick<Stretch, 'from' | 'to' | 'word'>[],
  { from, to }: Span,
): readonly (readonly [kind: E10Word | 'future', path: string])[] {
  const scale = WIDTH / (to - from)
  const paths = new Map<E10Word, string>()
  for (const one of timeline) {
    if (one.word === 'unknown') continue
    const x = (one.from - from) * scale
    const width = Math.min(Math.max(MIN_WIDTH, (one.to - one.from) * scale), WIDTH - x)
    paths.set(one.word, (paths.get(one.word) ?? '') + box(x, width))
  }
  const end = ((timeline.at(-1)?.to ?? from) - from) * scale
  return [
    // A short time down is above the longer times beside it.
    ...E10_WORDS.flatMap((word) => {
      const path = paths.get(word)
      return path === undefined ? [] : [[word, path] as const]
    }),
    ...(WIDTH - end > 0.05 ? [['future', box(end, WIDTH - end)] as const] : []),
  ]
}
