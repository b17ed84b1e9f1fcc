import { cut, padded, shown, widthOf } from '../../kit/text/columns.js'

/** How large a screen is, and how it is drawn. */
export interface View {
  readonly columns: number
  readonly rows: number
  /** With ASCII alone. */
  readonly ascii: boolean
  /** Without a cursor, for a screen that is printed once. */
  readonly still?: boolean
}

/** A piece of a line. */
export interface Span {
  /** Any text; spaces and control characters in it do no harm. */
  readonly text: string
  /** Columns that it takes, cut or filled with spaces. Without it, as many as the text has. */
  readonly width?: number
  /** The spaces stand before it, and nothing marks where it is cut. */
  readonly isNumber?: boolean
  readonly tint?: ((text: string) => string) | undefined
}

function drawn({ text, width, isNumber }: Span, ascii: boolean): string {
  if (width === undefined) return shown(text, ascii)
  if (isNumber) return text.slice(0, width).padStart(width)
  return padded(cut(shown(text, ascii), width, ascii), width)
}

/** Pieces next to each other with a space between, as far as they fit. */
export function line(spans: readonly Span[], { columns, ascii }: View): string {
  let left = columns
  const pieces: string[] = []
  for (const span of spans) {
    if (left <= 0) break
    const kept = cut(drawn(span, ascii), left, ascii)
    left -= widthOf(kept) + 1
    pieces.push(span.tint ? span.tint(kept) : kept)
  }
  return pieces.join(' ')
}

const BARS = '▁▂▃▄▅▆▇█'
const ASCII_BARS = '_.-:=+*#'

/** The last `width` values as bars, the newest at the right. The highest fills its line; only 0 is the lowest. */
export function sparkline(values: readonly number[], width: number, ascii: boolean): string {
  const bars = ascii ? ASCII_BARS : BARS
  const last = width > 0 ? values.slice(-width) : []
  const max = Math.max(...last, 0)
  const level = (value: number): number => (value <= 0 ? 0 : Math.max(1, Math.round((value / max) * 7)))
  return last
    .map((value) => bars[level(value)])
    .join('')
    .padStart(width)
}

/** A rate as a person reads it, in at most five characters: `0.25`, `9.3`, `250`, `12k`. */
export function rateText(perSecond: number): string {
  if (perSecond === 0) return '0'
  if (perSecond < 1) return perSecond.toFixed(2)
  if (perSecond < 99.95) return perSecond.toFixed(1)
  return perSecond < 9999.5 ? perSecond.toFixed(0) : `${Math.round(perSecond / 1000)}k`
}

/**
 * How long ago a time is, in at most four characters: `<1m`, `12m`, `3h`, `40d`. All equipment is read every 30 s, so
 * nothing finer is known.
 */
export function quietText(at: string | null, now: Date): string {
  if (at === null) return ''
  const minutes = Math.floor((now.getTime() - Date.parse(at)) / 60_000)
  if (minutes < 1) return '<1m'
  if (minutes < 60) return `${minutes}m`
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / (24 * 60))}d`
}
