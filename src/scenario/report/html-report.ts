import { durationWords } from '../../kit/duration-text.js'
import { limitedText } from '../../kit/text/limited-text.js'
import { PAGE_STYLE, smlSection } from '../../ladder/html-ladder.js'
import type { LadderMessage } from '../../ladder/rungs.js'
import { escapedText, LADDER_STYLE, svgLadder } from '../../ladder/svg-ladder.js'
import { countOf, type RunResult, type StepResult } from '../run/result.js'
import { seenWords } from '../run/seen-values.js'
import { embeddedResult } from './embedded-result.js'

const STYLE = `
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem; border-bottom: 1px solid light-dark(#cbd3dc, #2c3744); }
td:first-child, td:last-child { white-space: nowrap; }
.passed { color: light-dark(#15592f, #7fe0a8); } .failed { color: light-dark(#a3121a, #ff9c9c); font-weight: bold; }
.inconclusive, .skipped { color: light-dark(#6b4a00, #ffd778); }
dl { margin: 0.6rem 0 1.2rem; } dl div { display: flex; flex-wrap: wrap; gap: 0 0.6rem; } dt { min-width: 9rem; font-weight: bold; } dd { margin: 0; overflow-wrap: anywhere; }
details { margin: 0.4rem 0; } summary { cursor: pointer; }
`

/** Characters of a title or a reason, and of the SML of a message; the result in the page, and --json, have all. */
const [MAX_TEXT, MAX_SML] = [2000, 20_000]
const shownText = (text: string): string => escapedText(limitedText(text, MAX_TEXT))

/** Steps whose messages are drawn: those of a long run that passed are left out. */
const MAX_DRAWN = 500

/**
 * The result as a page of its own: a table of the steps, and for each step the messages as a ladder diagram and as SML.
 * `messages`: those of the run.
 */
export function htmlReport(result: RunResult, messages: readonly LadderMessage[]): string {
  const { name, equipment, began, ended, steps, verdict } = result
  const title = escapedText(`${name}: ${equipment}`)
  const counts = (['passed', 'failed', 'inconclusive', 'skipped'] as const)
    .map((one) => `${countOf(steps, one)} ${one}`)
    .join(', ')
  const drawn = steps.filter(
    ({ verdict: one }, at) => one !== 'skipped' && (one !== 'passed' || at < MAX_DRAWN),
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${PAGE_STYLE}${STYLE}${LADDER_STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p><strong class="${verdict}">${verdict}</strong>: ${counts}. It took ${durationWords(ended - began)}.</p>
${head(result)}
<table>
<tr><th>Step</th><th>What</th><th>Result</th><th>Time</th></tr>
${steps.map(row).join('\n')}
</table>
${drawn.map((step) => section(step, equipment, messages)).join('\n')}
</main>
${embeddedResult(result)}
</body>
</html>
`
}

/** What was tested, when, and with what. */
function head({ equipment, began, about }: RunResult): string {
  const utc = new Date(began).toISOString()
  const local = about && `${new Date(began).toLocaleString('sv-SE', { timeZone: about.zone })} ${about.zone}`
  const rows = [
    ['Equipment', equipment],
    ['Model', about?.mdln],
    ['Software revision', about?.softrev],
    ['Address', about?.address],
    ['Began', [local, utc].filter(Boolean).join(', ')],
    ['Tested with', about && `secsctl ${about.secsctl}`],
  ].flatMap(([title = '', value]) =>
    value ? [`<div><dt>${title}</dt><dd>${escapedText(value)}</dd></div>`] : [],
  )
  return `<dl>\n${rows.join('\n')}\n</dl>`
}

function row({ number, groups, title, verdict, detail, began, ended, seen }: StepResult): string {
  const what = shownText([...groups, title].join(': '))
  const link = verdict === 'skipped' ? what : `<a href="#step-${number}">${what}</a>`
  const found = detail || seenWords(seen)
  const why = found === '' ? '' : `<br><small>${shownText(found)}</small>`
  return `<tr><td>${number}</td><td>${link}${why}</td><td class="${verdict}">${verdict}</td><td>${durationWords(ended - began)}</td></tr>`
}

function section(step: StepResult, equipment: string, all: readonly LadderMessage[]): string {
  const { number, title, verdict, detail, after, last, place } = step
  const messages = all.filter(({ id }) => Number(id) > after && Number(id) <= last)
  const why = detail === '' ? '' : `<p class="${verdict}">${shownText(detail)}</p>`
  const where = place.line > 0 ? `<p>${escapedText(place.file)}, line ${place.line}</p>` : ''
  const bodies = messages.map((message) => smlSection(message, `step-${number}-`, false, MAX_SML)).join('\n')
  const conversation =
    messages.length === 0
      ? '<p>No messages.</p>'
      : `${svgLadder(messages, equipment, { href: (id) => `#step-${number}-${id}`, isStandalone: false })}
<details${verdict === 'failed' ? ' open' : ''}><summary>Messages as SML</summary>
${bodies}
</details>`
  return `<section id="step-${number}">
<h2>${number} ${shownText(title)}: <span class="${verdict}">${verdict}</span></h2>
${why}${where}${conversation}
</section>`
}
