import { cut, type Look, shown, widthOf } from './text-cell.js'

/** Columns and rows of a terminal. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** A piece of a line, and how it is coloured once it has been cut. */
export interface Span {
  readonly text: string
  readonly tint?: ((text: string) => string) | undefined
}

/** Pieces beside each other with a space between, as far as they fit. */
export function line(spans: readonly Span[], width: number, look: Look): string {
  let left = width
  const drawn: string[] = []
  for (const { text, tint = (plain: string) => plain } of spans) {
    if (left <= 0) break
    const kept = cut(text, left, look)
    left -= widthOf(kept) + 1
    drawn.push(tint(kept))
  }
  return drawn.join(' ')
}

/** One text at the left and one at the right edge; the left one gives way. */
export function edges(left: Span, end: Span, width: number, look: Look): string {
  const right = { ...end, text: cut(end.text, width, look) }
  const kept = cut(shown(left.text, look), Math.max(0, width - widthOf(right.text) - 1), look)
  const gap = Math.max(1, width - widthOf(kept) - widthOf(right.text))
  const paintedLeft = left.tint ? left.tint(kept) : kept
  if (kept === '') return right.tint ? right.tint(right.text) : right.text
  return `${paintedLeft}${' '.repeat(gap)}${right.tint ? right.tint(right.text) : right.text}`
}
