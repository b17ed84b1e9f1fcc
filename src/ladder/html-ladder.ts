import { limitedText } from '../kit/text/limited-text.js'
import { visibleLines } from '../kit/text/visible-text.js'
import { haveOtherHost, type LadderMessage, labelOf, rungsOf, timeOf } from './rungs.js'
import { escapedText, LADDER_STYLE, svgLadder } from './svg-ladder.js'

/** Colours, and what a printer needs, of a page that needs nothing from elsewhere. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  background: light-dark(#ffffff, #0f141a); color: light-dark(#1c242c, #dfe6ee); }
h1 { font-size: 1.5rem; } h2 { font-size: 1rem; margin: 1.4rem 0 0.3rem; }
p { color: light-dark(#55606c, #9aa7b5); }
pre { overflow-x: auto; padding: 0.6rem 0.8rem; border-radius: 0.4rem; background: light-dark(#edf0f4, #1a212a); }
section:target > h2 { text-decoration: underline; }
@media print { :root { color-scheme: light; } body { margin: 0; max-width: none; } pre { white-space: pre-wrap; }
  section { break-inside: avoid; } }
`

/**
 * A ladder diagram as a page of its own, with the SML of each message below. It needs nothing from elsewhere, follows
 * the colour scheme of the reader, and can be printed.
 */
export function htmlLadder(messages: readonly LadderMessage[], equipment: string): string {
  const title = `Messages of ${escapedText(equipment)}`
  const arrows = rungsOf(messages).flatMap((rung) => (rung.kind === 'message' ? [rung] : []))
  const isTapped = haveOtherHost(messages)
  const byId = new Map(messages.map((message) => [message.id, message]))
  const [first, last] = [arrows[0], arrows.at(-1)]
  const range =
    first && last ? `, ${new Date(first.at).toISOString()} to ${new Date(last.at).toISOString()}` : ''
  const sections = arrows.flatMap(({ id }) => {
    const message = byId.get(id)
    return message ? [smlSection(message, 'message-', isTapped)] : []
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${PAGE_STYLE}${LADDER_STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${arrows.length} messages${range}. Times in the diagram are those of the computer that made it.</p>
${svgLadder(messages, equipment, { href: (id) => `#message-${id}`, isStandalone: false })}
${sections.join('\n')}
</main>
</body>
</html>
`
}

/**
 * A message with its SML, as a section whose id is `prefix` and that of the message. `isTapped`: it has three sides.
 * `most`: characters of SML; a longer one is cut.
 */
export function smlSection(
  message: LadderMessage,
  prefix: string,
  isTapped = false,
  most = Number.POSITIVE_INFINITY,
): string {
  const { id, at, from, to, direction, sml = null, raw = '' } = message
  const body = visibleLines(limitedText(sml ?? `/* not valid SECS-II: ${raw} */`, most))
    .split('\n')
    .map(escapedLine)
    .join('\n')
  const twoSided = direction === 'sent' ? 'host → equipment' : 'equipment → host'
  const way = isTapped && from && to ? `${from} → ${to}` : twoSided
  return `<section id="${prefix}${escapedText(id)}">
<h2>${timeOf(Date.parse(at))} ${escapedText(labelOf(message))} (${way}), message ${escapedText(id)}</h2>
<pre>${body}</pre>
</section>`
}

/** A line of SML keeps its spaces. */
const escapedLine = (line: string): string => {
  const [indent = ''] = /^ */.exec(line) ?? []
  return indent + escapedText(line.slice(indent.length))
}
