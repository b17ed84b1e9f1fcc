import type { Event } from '../contract/events.js'
import { eventColumns, eventSml } from './event-output.js'
import { highlight } from './highlight.js'
import { jsonText } from './json-text.js'
import type { TellTime } from './local-time.js'
import { type Format, tsv } from './output.js'
import { visible, visibleLines } from './visible-text.js'

export interface Printing {
  readonly format: Format
  /** Columns of the terminal. */
  readonly width: number
  readonly nameOf: (id: string) => string
  readonly tellTime: TellTime
}

/** How wide the columns of a stream are on a terminal: it cannot wait for the widest. The last takes the rest. */
const WIDTHS = [6, 8, 10, 14, 20] as const

/** One event of a stream as text; empty when the format has nothing to say of it. */
export function printedEvent(event: Event, { format, width, nameOf, tellTime }: Printing): string {
  if (format === 'json') return `${jsonText(event)}\n`
  if (format === 'sml') {
    const sml = eventSml(event, nameOf(event.equipment_id))
    return sml === undefined ? '' : `${visibleLines(sml)}\n`
  }
  if (format === 'tsv') return tsv([event], eventColumns(nameOf, tellTime))
  const texts = eventColumns(nameOf, tellTime).map(({ text }) => visible(text(event).replace(/\s+/g, ' ')))
  const padded = texts.map((text, at) => text.padEnd(WIDTHS[at] ?? 0))
  const line = padded.join('  ').trimEnd()
  return `${highlight(line.length > width ? `${line.slice(0, Math.max(1, width - 1))}…` : line)}\n`
}
