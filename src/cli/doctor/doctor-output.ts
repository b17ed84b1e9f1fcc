import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { folded } from '../output/explanation-output.js'
import { paint } from '../output/highlight.js'
import type { Column } from '../output/output.js'
import { visible } from '../output/visible-text.js'
import { AREAS, type Finding, type Mark } from './finding.js'

const SIGNS: Readonly<Record<Mark, string>> = { ok: '+ ok   ', note: '! note ', wrong: 'x WRONG' }
const COLOURS: Readonly<Record<Mark, (text: string) => string>> = {
  ok: (text) => paint.green(text),
  note: (text) => paint.yellow(text),
  wrong: (text) => paint.red(text),
}

/** Names are no longer than this, so that details have room in 80 columns. */
const NAME_WIDTH = 20

function findingInWords({ mark, name, detail, mend }: Finding, nameWidth: number, width: number): string {
  const indent = ' '.repeat(2 + SIGNS[mark].length + 2 + nameWidth + 2)
  const text = folded(visible(detail), width, indent).slice(indent.length)
  const lines = [`  ${COLOURS[mark](SIGNS[mark])}  ${visible(name).padEnd(nameWidth)}  ${text}`]
  if (mend !== undefined) lines.push(`${indent}-> ${visible(mend)}`)
  return lines.join('\n')
}

/** All findings for a person, area by area. */
export function findingsInWords(findings: readonly Finding[], width: number): string {
  const nameWidth = Math.min(NAME_WIDTH, Math.max(...findings.map(({ name }) => name.length)))
  return AREAS.flatMap((area) => {
    const here = findings.filter((finding) => finding.area === area)
    if (here.length === 0) return []
    return [[paint.bold(area), ...here.map((one) => findingInWords(one, nameWidth, width))].join('\n')]
  }).join('\n\n')
}

export const FINDING_COLUMNS: readonly Column<Finding>[] = [
  { title: 'MARK', text: ({ mark }) => mark },
  { title: 'AREA', text: ({ area }) => area },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'DETAIL', text: ({ detail }) => detail },
  { title: 'COMMAND', text: ({ mend }) => mend ?? '' },
]

/** The exit code: of the first thing that is wrong, which is often why the others are. */
export function exitOf(findings: readonly Finding[]): number {
  const first = findings.find(({ mark }) => mark === 'wrong')
  return first ? EXIT_CODES[first.kind ?? 'unexpected'] : 0
}

/** In a few words, for people. */
export function summaryOf(findings: readonly Finding[]): string {
  const wrong = findings.filter(({ mark }) => mark === 'wrong').length
  if (wrong === 0) return 'Nothing is wrong.'
  return wrong === 1 ? '1 thing is wrong.' : `${wrong} things are wrong. Begin with the first.`
}
