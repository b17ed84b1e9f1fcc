import type { WireLine, WireRecord } from './topics/wire.js'

export interface WireTextOptions {
  /** Adds a hex dump of the bytes below each message. */
  readonly hex?: boolean
  /** Formats a time; default: RFC 3339 in UTC. */
  readonly formatTime?: (at: string) => string
}

const INDENT = '  '
const BYTES_A_LINE = 16

/** One record of the wire log as readable text. The first line is a summary: time, direction and message. */
export function wireLines(
  record: WireRecord,
  { hex = false, formatTime = (at) => at }: WireTextOptions = {},
): string[] {
  const head = `${formatTime(record.at)} ${arrowOf(record)} ${headline(record)}`
  if (!('direction' in record)) return [head]
  const lines = [head]
  if (record.kind === 'frame' && record.sml !== null) {
    // The first line of the SML repeats the headline.
    for (const line of record.sml.split('\n').slice(1)) lines.push(INDENT + line)
  }
  if (hex) for (const line of hexLines(record.hex)) lines.push(INDENT + line)
  if (record.kind !== 'line' && record.cut) lines.push(`${INDENT}... cut: ${record.length} bytes in all`)
  return lines
}

function arrowOf(record: WireRecord): string {
  if (!('direction' in record)) return '--'
  if (record.kind === 'frame' && record.from) return `${record.from} -> ${record.to}`
  return record.direction === 'out' ? '->' : '<-'
}

function headline(record: WireRecord): string {
  switch (record.kind) {
    case 'watching':
      return record.remote === null
        ? 'watching; not connected'
        : `watching; connected, ${record.local} to ${record.remote}`
    case 'opened':
      return `opened, ${record.local} to ${record.remote}`
    case 'closed':
      return `closed: ${record.detail}`
    case 'gap':
      return `${record.lost} lost: they came faster than they were taken`
    case 'line':
      return lineText(record)
    case 'unreadable':
      return `${record.length} bytes that are no HSMS: ${record.detail}`
    case 'frame': {
      const { header, name, detail, length } = record
      const [short, ...rest] = name.split(' ')
      const words = [short, header.w_bit ? 'W' : '', ...rest, detail === null ? '' : `(${detail})`]
      const numbers = `session=${header.session_id} system=${header.system_bytes} length=${length}`
      return `${words.filter(Boolean).join(' ')}  ${numbers}`
    }
  }
}

/** A character of SECS-I, or the header of a block. */
function lineText({ name, block, length }: WireLine): string {
  if (name === 'bytes') return `${length} bytes that are no valid block`
  if (!block) return name
  const { stream, function: fn, w_bit, number, e_bit, device_id, system_bytes } = block
  const message = `S${stream}F${fn}${w_bit ? ' W' : ''}`
  return `block ${number}${e_bit ? ' (last)' : ''} of ${message}  device=${device_id} system=${system_bytes} length=${length}`
}

/** A hex dump, 16 bytes a line: offset, bytes in hex, printable ASCII characters. */
function hexLines(hex: string): string[] {
  const lines: string[] = []
  for (let at = 0; at < hex.length; at += 2 * BYTES_A_LINE) {
    const pairs = hex.slice(at, at + 2 * BYTES_A_LINE).match(/../g) ?? []
    const characters = pairs.map((pair) => {
      const code = Number.parseInt(pair, 16)
      return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '.'
    })
    const offset = (at / 2).toString(16).padStart(6, '0')
    lines.push(`${offset}  ${pairs.join(' ').padEnd(3 * BYTES_A_LINE - 1)}  ${characters.join('')}`)
  }
  return lines
}
