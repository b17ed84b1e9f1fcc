import type { Variables } from '../environment.js'
import { knowsUnicode } from './locale.js'

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const
const PLAIN_BLOCKS = ['.', '.', ':', ':', '|', '|', '#', '#'] as const

/** Eighths of a line that a block may fill. */
const EIGHTHS = BLOCKS.length

/** Characters for a scale: the largest and the smallest value. */
const SCALE_WIDTH = 10

export interface ChartSize {
  /** Columns, scale and all. */
  readonly width: number
  /** Lines. */
  readonly height: number
  /** ASCII alone. */
  readonly isPlain: boolean
}

/** Whether the terminal shows more than ASCII, as its environment says. */
export const isPlainTerminal = (env: Variables): boolean => env['TERM'] === 'dumb' || !knowsUnicode(env)

/** The newest values as bars, the scale at the right; values that are no numbers leave a gap. */
export function chartLines(values: readonly number[], { width, height, isPlain }: ChartSize): string[] {
  const columns = Math.max(1, width - SCALE_WIDTH)
  const shown = values.slice(-columns)
  const numbers = shown.filter(Number.isFinite)
  const low = Math.min(...numbers)
  const high = Math.max(...numbers)
  const blocks = isPlain ? PLAIN_BLOCKS : BLOCKS
  const eighths = shown.map((value) => filled(value, low, high, height * EIGHTHS))
  return Array.from({ length: height }, (_, line) => {
    const below = (height - 1 - line) * EIGHTHS
    const bars = eighths.map((level) => {
      const here = Math.min(EIGHTHS, level - below)
      return here <= 0 ? ' ' : (blocks[here - 1] ?? ' ')
    })
    return `${bars.join('').padEnd(columns)} ${scaleAt(line, height, low, high)}`.trimEnd()
  })
}

/** How much of a bar a value fills: the smallest one eighth, so that it is seen. */
function filled(value: number, low: number, high: number, whole: number): number {
  if (!Number.isFinite(value)) return 0
  if (high === low) return 1
  return 1 + Math.round(((value - low) / (high - low)) * (whole - 1))
}

function scaleAt(line: number, height: number, low: number, high: number): string {
  if (!Number.isFinite(low)) return ''
  const text = (value: number): string => String(Number(value.toPrecision(5))).slice(0, SCALE_WIDTH - 1)
  if (line === height - 1 && (low === high || height > 1)) return text(low)
  return line === 0 && low !== high ? text(high) : ''
}
