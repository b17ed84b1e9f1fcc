import { cut, shown, widthOf } from '../kit/text/columns.js'
import { durationWords, type LadderMessage, newDates, type Rung, rungsOf, timeOf } from './rungs.js'

export interface TextSize {
  /** Columns of the terminal, 40 or more. */
  readonly width: number
  /** Draws with characters of ASCII alone. */
  readonly ascii: boolean
}

/** `10:00:00.123` and a space. */
const TIME_WIDTH = 13
/** A wider ladder is hard to read. */
const MAX_WIDTH = 120

const UNICODE = { side: '│', line: '─', right: '▶', left: '◀', from: '├', to: '┤', pause: '┊', end: '✕' }
const ASCII: typeof UNICODE = {
  side: '|',
  line: '-',
  right: '>',
  left: '<',
  from: '|',
  to: '|',
  pause: ':',
  end: 'x',
}

/** A ladder diagram in lines of text: the host is at the left, the equipment at the right, its name above. */
export function textLadder(messages: readonly LadderMessage[], equipment: string, size: TextSize): string[] {
  const rungs = rungsOf(messages)
  const ids = Math.max(2, ...messages.map(({ id }) => id.length))
  const width = Math.min(size.width, MAX_WIDTH) - TIME_WIDTH - ids - 3
  const name = cut(shown(equipment, size.ascii), width - 5, size.ascii)
  const head = `${' '.repeat(TIME_WIDTH)}host${' '.repeat(width - 2 - widthOf(name))}${name} ID`
  const dates = newDates(rungs)
  return [
    head,
    ...rungs.flatMap((rung, at) => [...(dates[at] ? [dates[at]] : []), rungLine(rung, width, size.ascii)]),
  ]
}

function rungLine(rung: Rung, width: number, ascii: boolean): string {
  const { side, line, right, left, from, to, pause, end } = ascii ? ASCII : UNICODE
  const fitted = (text: string, room: number): string => cut(shown(text, ascii), room, ascii)
  const padded = (text: string): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))
  const time = rung.kind === 'pause' ? ' '.repeat(TIME_WIDTH) : `${timeOf(rung.at)} `
  if (rung.kind === 'pause') {
    const text = fitted(`${durationWords(rung.milliseconds)} without messages`, width - 1)
    return `${time}${pause}${padded(` ${text}`)}${pause}`
  }
  if (rung.kind === 'end') {
    const text = fitted(`${end} ${rung.text}`, width - 2)
    const space = ' '.repeat(width - 1 - widthOf(text))
    const body = rung.isSent ? ` ${text}${space}` : `${space}${text} `
    return `${time}${side}${body}${side} ${rung.id}`
  }
  const took = rung.latency === undefined ? '' : ` (${durationWords(rung.latency)})`
  const words = `${fitted([rung.isFailure && end, rung.label, rung.detail].filter(Boolean).join(' '), width - 6 - took.length)}${took}`
  const rest = line.repeat(Math.max(1, width - 4 - widthOf(words)))
  const arrow = rung.isSent ? `${line} ${words} ${rest}${right}` : `${left}${rest} ${words} ${line}`
  return `${time}${rung.isSent ? from : side}${arrow}${rung.isSent ? side : to} ${rung.id}`
}
