/** The demo's output as a picture of a terminal that scrolls from step to step: docs/demo.svg. */

const COLUMNS = 84
const ROWS = 26
const LINE = 18
const CHARACTER = 8.4
const SECONDS_PER_STEP = 3

/** What differs from run to run, as the picture shows it. */
const SAME_EACH_RUN: readonly (readonly [RegExp, string])[] = [
  [/(?<=127\.0\.0\.1:)\d+(?=\n|␛)/g, '5000'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:7327'],
  [/(?<=HSMS on port )\d+/g, '5000'],
  [/eq_\w{10}/g, 'eq_7fazxq55b4'],
  [/(?<=alarm |ack )\d+/g, '43'],
  [/\d+(?= messages are recorded)/g, '28'],
  [/\d+(?= events are recorded)/g, '48'],
  [/[\d.]+(?= s\.)/g, '4'],
]

const CLASSES: Readonly<Record<string, string>> = { '1': 'b', '2': 'd', '32': 'g', '36': 'c' }

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** @param line with the escape sequences of colours, which begin with ␛ */
function spans(line: string): string {
  let style = ''
  let shown = ''
  for (const part of line.split(/(␛\[\d+m)/)) {
    const [, code] = /^␛\[(\d+)m$/.exec(part) ?? []
    if (code !== undefined) style = CLASSES[code] ?? ''
    else if (part !== '')
      shown += style === '' ? escaped(part) : `<tspan class="${style}">${escaped(part)}</tspan>`
  }
  return shown
}

/** The line at the top of the picture during each step: the step's own, as long as lines follow. */
function stops(lines: readonly string[]): number[] {
  const last = Math.max(0, lines.length - ROWS)
  const steps = lines.flatMap((line, row) => (/^␛\[1m\d+\. /.test(line) ? [Math.min(row, last)] : []))
  return [...new Set(steps)]
}

/** Each stop as a moment of the animation: it stays there, then scrolls to the next in half a second. */
function keyframes(tops: readonly number[]): string {
  const share = 100 / tops.length
  const scroll = share * (0.5 / SECONDS_PER_STEP)
  return tops
    .map((top, stop) => {
      const from = (stop * share).toFixed(2)
      const to = ((stop + 1) * share - (stop + 1 < tops.length ? scroll : 0)).toFixed(2)
      return `${from}%,${to}%{transform:translateY(${-top * LINE}px)}`
    })
    .join('')
}

/** @param output what `secsctl demo` prints on a terminal with colours */
export function demoPicture(output: string): string {
  const same = SAME_EACH_RUN.reduce(
    (text, [what, instead]) => text.replaceAll(what, instead),
    output.replaceAll('\x1b', '␛'),
  )
  const lines = ['␛[2m$␛[22m ␛[36msecsctl demo␛[39m', ...same.trimEnd().split('\n')]
  const tops = stops(lines)
  const [width, height] = [COLUMNS * CHARACTER + 32, ROWS * LINE + 32]
  const rows = lines
    .map((line, row) => (line === '' ? '' : `<text y="${row * LINE}">${spans(line)}</text>\n`))
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="secsctl demo in a terminal">
<style>
text{font:14px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d6dde6;white-space:pre}
.b{font-weight:700;fill:#fff}.d{fill:#8592a3}.g{fill:#56c271}.c{fill:#5cc5d6}
#lines{animation:steps ${tops.length * SECONDS_PER_STEP}s infinite}
@keyframes steps{${keyframes(tops)}}
@media (prefers-reduced-motion:reduce){#lines{animation:none}}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#10161e"/>
<svg x="16" y="16" width="${width - 32}" height="${height - 32}" aria-hidden="true"><g id="lines"><g transform="translate(0 14)">
${rows}</g></g></svg>
</svg>
`
}
