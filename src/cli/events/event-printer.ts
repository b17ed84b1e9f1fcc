import type { Event } from '../../contract/topics/events.js'
import { padded, widthOf } from '../../kit/text/columns.js'
import { visible, visibleLines } from '../../kit/text/visible-text.js'
import { shownName } from '../equipment/shown-name.js'
import { jsonText } from '../output/json-text.js'
import type { FormatTime } from '../output/local-time.js'
import { type Format, tsv } from '../output/output.js'
import { wrapped } from '../output/terminal-text.js'
import { eventColumns, eventSml } from './event-output.js'

export interface Printing {
  readonly format: Format
  /** Columns of the terminal. */
  readonly width: number
  readonly nameOf: (id: string) => string
  readonly formatTime: FormatTime
}

/** How wide the columns of a stream are on a terminal: it cannot wait for the widest. The last takes the rest. */
const WIDTHS = [6, 8, 9, 19] as const
const GAP = '  '

/** One event of a stream as text; empty when the format has nothing to say of it. */
export function printedEvent(event: Event, { format, width, nameOf, formatTime }: Printing): string {
  if (format === 'json') return `${jsonText(event)}\n`
  if (format === 'sml') {
    const sml = eventSml(event, shownName(nameOf, event))
    return sml === undefined ? '' : `${visibleLines(sml)}\n`
  }
  if (format === 'tsv') return tsv([event], eventColumns(nameOf, formatTime, false))
  const texts = eventColumns(nameOf, formatTime, true).map(({ text }) =>
    visible(text(event).replace(/\s+/g, ' ')),
  )
  const before = texts.slice(0, -1).map((text, at) => padded(text, WIDTHS[at] ?? 0) + GAP)
  const indent = WIDTHS.reduce((sum, column) => sum + column + GAP.length, 0)
  const [what = '', ...more] = wrapped(texts.at(-1) ?? '', width - Math.max(indent, widthOf(before.join(''))))
  const lines = [before.join('') + what, ...more.map((line) => ' '.repeat(indent) + line)]
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}
