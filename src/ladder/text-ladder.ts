import { durationWords } from '../kit/duration-text.js'
import { cut, padded, shown, widthOf } from '../kit/text/columns.js'
import { haveOtherHost, type LadderMessage, newDates, type Rung, rungsOf, timeOf } from './rungs.js'

export interface TextSize {
  /** Columns of the terminal, 40 or more. */
  readonly width: number
  /** Draws with characters of ASCII alone. */
  readonly ascii: boolean
}

/** `10:00:00.123` and a space. */
const TIME_WIDTH = 13
/** From the line of the host of tapped equipment to that of the gateway. */
const GATEWAY_AT = 8
/** A wider ladder is hard to read. */
const MAX_WIDTH = 120

const UNICODE = {
  side: '│',
  line: '─',
  right: '▶',
  left: '◀',
  from: '├',
  to: '┤',
  pause: '┊',
  end: '✕',
  cross: '┼',
}
const ASCII: typeof UNICODE = {
  side: '|',
  line: '-',
  right: '>',
  left: '<',
  from: '|',
  to: '|',
  pause: ':',
  end: 'x',
  cross: '+',
}

/**
 * A ladder diagram in lines of text: the host is at the left, the equipment at the right, its name above. The gateway has
 * a line of its own between the two where the equipment is tapped.
 */
export function textLadder(messages: readonly LadderMessage[], equipment: string, size: TextSize): string[] {
  const rungs = rungsOf(messages)
  const ids = Math.max(2, ...messages.map(({ id }) => id.length))
  const isTapped = haveOtherHost(messages)
  const whole = Math.min(size.width, MAX_WIDTH) - TIME_WIDTH - ids - 3
  const width = isTapped ? whole - GATEWAY_AT : whole
  const sides = isTapped ? `host${' '.repeat(GATEWAY_AT - 4)}gateway` : 'host'
  const room = whole + 2 - sides.length
  const name = cut(shown(equipment, size.ascii), room - 1, size.ascii)
  const head = `${' '.repeat(TIME_WIDTH)}${sides}${' '.repeat(room - widthOf(name))}${name} ID`
  const dates = newDates(rungs)
  return [
    head,
    ...rungs.flatMap((rung, at) => [
      ...(dates[at] ? [dates[at]] : []),
      timeText(rung) +
        (isTapped ? hostSide(rung, size.ascii) : '') +
        rungText(rung, width, isTapped, size.ascii),
    ]),
  ]
}

const timeText = (rung: Rung): string =>
  rung.kind === 'pause' ? ' '.repeat(TIME_WIDTH) : `${timeOf(rung.at)} `

/** The part of an arrow, or the space, between the line of the host and that of the gateway. */
function hostSide(rung: Rung, ascii: boolean): string {
  const { side, line, left, from, pause } = ascii ? ASCII : UNICODE
  const gap = GATEWAY_AT - 1
  if (rung.kind === 'pause') return pause + ' '.repeat(gap)
  if (rung.kind === 'end' || rung.isOfGateway) return side + ' '.repeat(gap)
  return rung.isSent ? from + line.repeat(gap) : side + left + line.repeat(gap - 1)
}

function rungText(rung: Rung, width: number, isTapped: boolean, ascii: boolean): string {
  const { side, line, right, left, from, to, pause, end, cross } = ascii ? ASCII : UNICODE
  const fitted = (text: string, room: number): string => cut(shown(text, ascii), room, ascii)
  if (rung.kind === 'pause') {
    const text = fitted(`${durationWords(rung.milliseconds)} without messages`, width - 1)
    return `${pause}${padded(` ${text}`, width)}${pause}`
  }
  if (rung.kind === 'end') {
    const text = fitted(`${end} ${rung.text}`, width - 2)
    const space = ' '.repeat(width - 1 - widthOf(text))
    const body = rung.isSent ? ` ${text}${space}` : `${space}${text} `
    return `${side}${body}${side} ${rung.id}`
  }
  const took = rung.latency === undefined ? '' : ` (${durationWords(rung.latency)})`
  const words = `${fitted([rung.isFailure && end, rung.label, rung.detail].filter(Boolean).join(' '), width - 6 - took.length)}${took}`
  const rest = line.repeat(Math.max(1, width - 4 - widthOf(words)))
  const isThrough = isTapped && !rung.isOfGateway
  const tip = isThrough ? line : left
  const arrow = rung.isSent ? `${line} ${words} ${rest}${right}` : `${tip}${rest} ${words} ${line}`
  const begin = isThrough ? cross : rung.isSent ? from : side
  return `${begin}${arrow}${rung.isSent ? side : to} ${rung.id}`
}
