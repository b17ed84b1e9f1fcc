import { GLOBAL_FLAGS } from '../base-command.js'
import { tsv } from '../output/output.js'
import { SessionCommand } from '../session-command.js'
import { verb } from '../verb.js'
import { exitOf, FINDING_COLUMNS, findingsInWords, inOrder, summaryOf } from './doctor-output.js'
import { examine } from './examination.js'

export const doctorCommand = verb(SessionCommand, {
  baseFlags: GLOBAL_FLAGS,
  summary: 'Show what is configured, what answers, and the command that mends what does not.',
  description:
    'Changes nothing, asks nothing, and waits a few seconds at most. Exits with 0 when nothing is wrong, else with the exit code of the first thing that is (`secsctl explain exit 6`); notes do not count. The speed of the disk is measured only while no daemon runs on it.',
  examples: ['secsctl doctor', 'secsctl doctor --profile local', 'secsctl doctor --json'],
  async run(on) {
    const program = { version: on.config.version, root: on.config.root }
    const findings = await on.during('looking', () => examine(on.session, program, on.formatTime))
    const exit = exitOf(findings)
    on.environment.exitCode = exit
    if (on.format === 'json') return on.printJson({ ok: exit === 0, exit, findings })
    if (on.format === 'tsv') on.print(tsv(inOrder(findings), FINDING_COLUMNS))
    else on.printPainted(findingsInWords(findings, on.sink.width))
    on.note(`${on.format === 'tsv' ? '' : '\n'}${summaryOf(findings)}`)
  },
})
