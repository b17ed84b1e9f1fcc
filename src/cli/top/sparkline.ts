import type { Look } from './text-cell.js'

const BARS = '▁▂▃▄▅▆▇█'
const ASCII_BARS = '_.-:=+*#'

/**
 * The last `width` values as bars, the newest at the right; the highest of them fills its line, and only nothing
 * stands at the lowest.
 */
export function sparkline(values: readonly number[], width: number, { ascii }: Look): string {
  const bars = ascii ? ASCII_BARS : BARS
  const last = width > 0 ? values.slice(-width) : []
  const most = Math.max(...last, 0)
  const level = (value: number): number => (value <= 0 ? 0 : Math.max(1, Math.round((value / most) * 7)))
  return last
    .map((value) => bars[level(value)] ?? '')
    .join('')
    .padStart(width)
}

/** A rate as a person reads it, at most five characters: `0.25`, `9.3`, `250`, `12k`. */
export function rateText(perSecond: number): string {
  if (perSecond === 0) return '0'
  if (perSecond < 1) return perSecond.toFixed(2)
  if (perSecond < 99.95) return perSecond.toFixed(1)
  return perSecond < 9999.5 ? perSecond.toFixed(0) : `${Math.round(perSecond / 1000)}k`
}
