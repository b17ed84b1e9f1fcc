import { EXIT_CODES } from '../../explanation/exit-codes.js'
import type { Mark } from '../../inspection/finding.js'
import { padded, widthOf } from '../../kit/text/columns.js'
import { visible } from '../../kit/text/visible-text.js'
import { GLOBAL_FLAGS } from '../base-command.js'
import { byName } from '../equipment/equipment-name.js'
import { builtVersion } from '../installation.js'
import { folded } from '../output/explanation-output.js'
import { paint } from '../output/highlight.js'
import { type Column, tsv } from '../output/output.js'
import { SessionCommand } from '../session-command.js'
import { verb } from '../verb.js'
import { examine } from './examination.js'
import { AREAS, type Area, type Finding } from './finding.js'

/** In the order in which they are printed. */
const MARKS: Readonly<Record<Mark, (name: string) => string>> = {
  wrong: (name) => `${paint.red('x WRONG')}  ${name}`,
  note: (name) => `${paint.yellow('! note ')}  ${name}`,
  ok: (name) => `${paint.green('+ ok   ')}  ${name}`,
}
const MARK_WIDTH = 7
/** Names are no longer than this, so that details have room in 80 columns. */
const NAME_WIDTH = 20
/** More equipment than this that is ok is one line. */
const MAX_ALIKE = 3

function findingInWords({ mark, name, detail, mend }: Finding, nameWidth: number, width: number): string {
  const indent = ' '.repeat(2 + MARK_WIDTH + 2 + nameWidth + 2)
  const text = folded(visible(detail), width, indent).slice(indent.length)
  const lines = [`  ${MARKS[mark](padded(visible(name), nameWidth))}  ${text}`]
  if (mend !== undefined) lines.push(`${indent}-> ${visible(mend)}`)
  return lines.join('\n')
}

/** Much equipment that is ok is one finding, with how many are so in which way. */
function grouped(findings: readonly Finding[]): readonly Finding[] {
  const counts = new Map<string, number>()
  const isPlain = ({ area, mark }: Finding): boolean => area === 'equipment' && mark === 'ok'
  for (const { detail } of findings.filter(isPlain)) counts.set(detail, (counts.get(detail) ?? 0) + 1)
  const plain = findings.filter(isPlain).length
  if (plain <= MAX_ALIKE) return findings
  const ways = [...counts].sort(([, one], [, other]) => other - one)
  const shown = ways
    .slice(0, MAX_ALIKE)
    .map(([detail, count]) => (ways.length === 1 ? detail : `${count} ${detail}`))
  const detail = [...shown, ...(ways.length > MAX_ALIKE ? ['...'] : [])].join('; ')
  const line: Finding = { area: 'equipment', name: `${plain} equipment`, mark: 'ok', detail }
  return [...findings.filter((one) => !isPlain(one)), line]
}

/** In the order of reading: areas with something wrong first, then those with a note; in each area the same, by name. */
export function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const rank = ({ mark }: Finding): number => Object.keys(MARKS).indexOf(mark)
  const here = (area: Area) => findings.filter((one) => one.area === area)
  const worst = (area: Area): number => Math.min(...here(area).map(rank))
  const named = (area: Area) => (area === 'equipment' ? byName(here(area)) : here(area))
  return AREAS.toSorted((one, other) => worst(one) - worst(other)).flatMap((area) =>
    named(area).toSorted((one, other) => rank(one) - rank(other)),
  )
}

/** All findings for a person. */
export function findingsInWords(all: readonly Finding[], width: number): string {
  const findings = inOrder(grouped(all))
  const nameWidth = Math.min(NAME_WIDTH, Math.max(...findings.map(({ name }) => widthOf(visible(name)))))
  return [...new Set(findings.map(({ area }) => area))]
    .map((area) => {
      const lines = findings.filter((one) => one.area === area)
      return [paint.bold(area), ...lines.map((one) => findingInWords(one, nameWidth, width))].join('\n')
    })
    .join('\n\n')
}

const FINDING_COLUMNS: readonly Column<Finding>[] = [
  { title: 'MARK', text: ({ mark }) => mark },
  { title: 'AREA', text: ({ area }) => area },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'DETAIL', text: ({ detail }) => detail },
  { title: 'COMMAND', text: ({ mend }) => mend ?? '' },
]

/** The exit code of the first fault, which is often the cause of the others. */
export function exitOf(findings: readonly Finding[]): number {
  const first = findings.find(({ mark }) => mark === 'wrong')
  return first ? EXIT_CODES[first.kind ?? 'unexpected'] : 0
}

export function summaryOf(findings: readonly Finding[]): string {
  const wrong = findings.filter(({ mark }) => mark === 'wrong').length
  if (wrong === 0) {
    const hasHistory = findings.some(({ area, name }) => area === 'daemon' && name === 'journal')
    return `Nothing is wrong.${hasHistory ? ' The recorded history was not read: secsctl journal verify' : ''}`
  }
  return wrong === 1 ? '1 thing is wrong.' : `${wrong} things are wrong. Begin with the first.`
}

export const doctorCommand = verb(SessionCommand, {
  baseFlags: GLOBAL_FLAGS,
  summary: 'Check configuration, gateway and equipment, and name a command for each fault.',
  description:
    'Changes nothing, asks you no question, sends no message to equipment, and waits a few seconds, for a gateway that is busy half a minute at most. Exits with 0 if nothing is wrong, otherwise with the exit code of the first fault (`secsctl explain exit 6`); notes do not count. Measures the speed of the disk only while no daemon uses it. Does not read the recorded history, which `secsctl journal verify` does, but names damage that the gateway has found in it.',
  examples: ['secsctl doctor', 'secsctl doctor --profile local', 'secsctl doctor --json'],
  async run(on) {
    const { version, root } = on.config
    const program = { version, built: await builtVersion(root, version), root }
    const findings = await on.during('looking', () => examine(on.session, program, on.formatTime))
    const exit = exitOf(findings)
    on.environment.exitCode = exit
    if (on.format === 'json') return on.printJson({ ok: exit === 0, exit, findings })
    if (on.format === 'tsv') on.print(tsv(inOrder(findings), FINDING_COLUMNS))
    else on.printPainted(findingsInWords(findings, on.sink.width))
    on.note(`${on.format === 'tsv' ? '' : '\n'}${summaryOf(findings)}`)
  },
})
