import type { WireRecord } from '../../contract/topics/wire.js'
import { wireLines } from '../../contract/wire-text.js'
import { visible, visibleLines } from '../../kit/text/visible-text.js'
import { paint } from '../output/highlight.js'
import { jsonText } from '../output/json-text.js'
import { type Column, type Format, tsv } from '../output/output.js'

export interface WirePrinting {
  readonly format: Format
  /** With the bytes of each message. */
  readonly hex: boolean
  readonly formatTime: (at: string) => string
  /** The name of its equipment, where several are watched. */
  readonly equipment?: string
}

/** A line in the colour of its direction, which its arrow shows, too. */
function painted(record: WireRecord, line: string): string {
  if (record.kind === 'frame') return record.direction === 'out' ? paint.cyan(line) : paint.green(line)
  return record.kind === 'unreadable' || record.kind === 'gap' ? paint.red(line) : paint.dim(line)
}

const ofFrame =
  (text: (record: WireRecord & { readonly kind: 'frame' }) => string) =>
  (record: WireRecord): string =>
    record.kind === 'frame' ? text(record) : ''

/** The text of a record that is no message. */
function remark(record: WireRecord): string {
  switch (record.kind) {
    case 'frame':
      return record.detail ?? ''
    case 'unreadable':
    case 'closed':
      return record.detail
    case 'gap':
      return `${record.lost} lost`
    case 'line':
      return record.name
    default:
      return record.remote === null ? '' : `${record.local} ${record.remote}`
  }
}

const columns = ({ hex, formatTime, equipment }: WirePrinting): readonly Column<WireRecord>[] => [
  ...(equipment === undefined ? [] : [{ title: 'EQUIPMENT', text: () => equipment }]),
  { title: 'AT', text: ({ at }) => formatTime(at) },
  { title: 'KIND', text: ({ kind }) => kind },
  { title: 'WAY', text: (record) => ('direction' in record ? record.direction : '') },
  { title: 'MESSAGE', text: ofFrame(({ name }) => name) },
  { title: 'W', text: ofFrame(({ header }) => (header.w_bit ? 'W' : '')) },
  { title: 'SESSION', text: ofFrame(({ header }) => String(header.session_id)) },
  { title: 'SYSTEM', text: ofFrame(({ header }) => String(header.system_bytes)) },
  { title: 'LENGTH', text: (record) => ('length' in record ? String(record.length) : '') },
  { title: 'WHAT', text: remark },
  { title: 'FROM', text: ofFrame(({ from }) => from ?? '') },
  { title: 'TO', text: ofFrame(({ to }) => to ?? '') },
  ...(hex ? [{ title: 'HEX', text: (record: WireRecord) => ('hex' in record ? record.hex : '') }] : []),
]

/** A record as text; empty when the format has nothing to say of it. */
export function printedWire(record: WireRecord, printing: WirePrinting): string {
  const { format, equipment } = printing
  if (format === 'json') return `${jsonText(equipment === undefined ? record : { equipment, ...record })}\n`
  if (format === 'tsv') return tsv([record], columns(printing))
  if (format === 'sml') return visibleLines(sml(record, equipment))
  const [head = '', ...rest] = wireLines(record, printing).map((line) => visible(line))
  const first = painted(record, equipment === undefined ? head : `${visible(equipment)}  ${head}`)
  return `${[first, ...rest].join('\n')}\n`
}

function sml(record: WireRecord, equipment = ''): string {
  // A name may hold the end of a comment.
  const of = equipment === '' ? '' : ` ${equipment.replaceAll('*/', '* /')}`
  if (record.kind === 'gap') return `/* ${record.at}${of} ${record.lost} lost */\n`
  if (record.kind !== 'frame' || record.sml === null) return ''
  const peer = record.from === 'gateway' || record.to === 'gateway' ? 'G' : 'H'
  const way = `${peer}${record.direction === 'out' ? '->' : '<-'}E`
  return `/* ${record.at}${of} ${way}${record.cut ? ', cut' : ''} */\n${record.sml}\n`
}
