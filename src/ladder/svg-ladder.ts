import { durationWords } from '../kit/duration-text.js'
import { cut, shown, widthOf } from '../kit/text/columns.js'
import { haveOtherHost, type LadderMessage, newDates, type Rung, rungsOf, timeOf } from './rungs.js'

export interface SvgOptions {
  /** The address of a message, which its arrow leads to; no link where left out. */
  readonly href?: (id: string) => string
  /** False inside a page that has `LADDER_STYLE` already. */
  readonly isStandalone?: boolean
  /** True for a place that is as narrow as a phone. */
  readonly isNarrow?: boolean
}

/** Where the lines of host and equipment are, and the whole width, in pixels. */
interface Layout {
  readonly left: number
  readonly right: number
  readonly width: number
  /** Of the gateway between the two. */
  readonly gateway?: number
}
/** From the line of the host of tapped equipment to that of the gateway. */
const GATEWAY_AT = { wide: 90, narrow: 60 }
const WIDE: Layout = { left: 120, right: 800, width: 900 }
const NARROW: Layout = { left: 100, right: 392, width: 400 }
const [TOP, ROW] = [46, 30]
/** Pixels of a character in 12 px of a monospaced font, rounded up. */
const CHARACTER = 7.3
/** Characters that an arrow has room for. */
const columnsOf = ({ left, right, gateway = left }: Layout): number =>
  Math.floor((right - gateway - 24) / CHARACTER)

/** Colours for light and dark, as classes; a page may have them in its own style sheet. */
export const LADDER_STYLE = `
.ladder { color-scheme: light dark; font: 12px ui-monospace, Menlo, Consolas, monospace; max-width: 100%; height: auto; }
.ladder text { fill: light-dark(#1c242c, #dfe6ee); }
.ladder .ladder-quiet { fill: light-dark(#55606c, #9aa7b5); }
.ladder line, .ladder path { stroke: light-dark(#2a6fbd, #6fb1f5); stroke-width: 1.5; fill: none; }
.ladder .ladder-received { stroke: light-dark(#23854c, #5cc98a); }
.ladder .ladder-side { stroke: light-dark(#97a2ae, #55616e); stroke-width: 2; }
.ladder .ladder-pause { stroke-dasharray: 3 4; }
.ladder .ladder-failed { stroke: light-dark(#c4161f, #ff8d8d); }
.ladder text.ladder-failed { fill: light-dark(#a3121a, #ff9c9c); stroke: none; font-weight: bold; }
.ladder a:hover text, .ladder a:focus text { text-decoration: underline; }
@media print { .ladder { color-scheme: light; } }
`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Any text of equipment for XML and HTML: no markup, no control character, no half of a surrogate pair. */
export const escapedText = (text: string): string =>
  shown(text, false)
    .replace(/\p{Cs}|[\uFFFE\uFFFF]/gu, '?')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] as string)

/**
 * A ladder diagram as one SVG element: the host is at the left, the equipment at the right, its name above; of tapped
 * equipment, the gateway between the two.
 */
export function svgLadder(
  messages: readonly LadderMessage[],
  equipment: string,
  { href, isStandalone = true, isNarrow = false }: SvgOptions = {},
): string {
  const { left, right, width } = isNarrow ? NARROW : WIDE
  const gateway = haveOtherHost(messages)
    ? left + (isNarrow ? GATEWAY_AT.narrow : GATEWAY_AT.wide)
    : undefined
  const layout: Layout = { left, right, width, ...(gateway !== undefined && { gateway }) }
  const rungs = rungsOf(messages)
  const height = TOP + rungs.length * ROW + 16
  const head = `<svg xmlns="http://www.w3.org/2000/svg" class="ladder" role="${href ? 'group' : 'img'}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`
  const name = escapedText(cut(shown(equipment, false), isNarrow ? (gateway ? 20 : 34) : 40, false))
  const side = (x: number): string =>
    `<line class="ladder-side" x1="${x}" y1="${TOP - 18}" x2="${x}" y2="${height - 8}"/>`
  const dates = newDates(rungs)
  const drawn = rungs.map((rung, at) => rungDrawn(rung, TOP + at * ROW, dates[at] ?? '', { ...layout, href }))
  return [
    head,
    `<title>Messages of ${name}</title>`,
    isStandalone ? `<style>${LADDER_STYLE}</style>` : '',
    `<text x="${left}" y="18" text-anchor="middle">host</text>`,
    ...(gateway ? [`<text x="${gateway}" y="18" text-anchor="middle">gateway</text>`, side(gateway)] : []),
    `<text x="${isNarrow ? width : right}" y="18" text-anchor="${isNarrow ? 'end' : 'middle'}">${name}</text>`,
    side(left),
    side(right),
    ...drawn,
    '</svg>',
  ].join('\n')
}

const text = (x: number, y: number, words: string, more = ''): string =>
  `<text x="${x}" y="${y}"${more}>${escapedText(words)}</text>`

function rungDrawn(
  rung: Rung,
  y: number,
  day: string,
  { href, ...layout }: Layout & { readonly href: SvgOptions['href'] | undefined },
): string {
  const { left, right, gateway = left } = layout
  const middle = (gateway + right) / 2
  const quiet = ' class="ladder-quiet" text-anchor="end"'
  if (rung.kind === 'pause') {
    const words = `${durationWords(rung.milliseconds)} without messages`
    return `<path class="ladder-side ladder-pause" d="M${left + 12} ${y + 8}H${right - 12}"/>${text(middle, y + 2, words, ' class="ladder-quiet" text-anchor="middle"')}`
  }
  const time = `${day && text(left - 10, y - 6, day, quiet)}${text(left - 10, y + 8, timeOf(rung.at), quiet)}`
  if (rung.kind === 'end') {
    const [x, anchor] = rung.isSent ? [gateway + 12, 'start'] : [right - 12, 'end']
    return time + text(x, y + 12, `✕ ${rung.text}`, ` class="ladder-failed" text-anchor="${anchor}"`)
  }
  const { isSent, isFailure, latency, label, detail, id } = rung
  const took = latency === undefined ? '' : ` (${durationWords(latency)})`
  const room = columnsOf(layout) - widthOf(took)
  const words =
    cut(shown([isFailure && '✕', label, detail].filter(Boolean).join(' '), false), room, false) + took
  const kind = isFailure ? ' class="ladder-failed"' : isSent ? '' : ' class="ladder-received"'
  const begin = rung.isOfGateway ? gateway : left
  const [tip, back] = isSent ? [right - 2, right - 10] : [begin + 2, begin + 10]
  const arrow = `<path${kind} d="M${begin + 2} ${y + 10}H${right - 2}M${back} ${y + 5}L${tip} ${y + 10}L${back} ${y + 15}"/>`
  const drawn = `${text(middle, y + 4, words, `${isFailure ? ' class="ladder-failed"' : ''} text-anchor="middle"`)}${arrow}`
  return time + (href ? `<a href="${escapedText(href(id))}">${drawn}</a>` : drawn)
}
