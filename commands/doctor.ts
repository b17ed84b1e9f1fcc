import { GLOBAL_FLAGS } from '../src/cli/base-command.js'
import { exitOf, FINDING_COLUMNS, findingsInWords, summaryOf } from '../src/cli/doctor/doctor-output.js'
import { examine } from '../src/cli/doctor/examination.js'
import { tsv } from '../src/cli/output/output.js'
import { SessionCommand } from '../src/cli/session-command.js'

export default class DoctorCommand extends SessionCommand {
  static override summary = 'Show what is configured, what answers, and the command that mends what does not.'
  static override description =
    'Changes nothing, asks nothing, and waits a few seconds at most. Exits with 0 when nothing is wrong, else with the exit code of the first thing that is (`secsctl explain exit 6`); notes do not count. The speed of the disk is measured only while no daemon runs on it.'
  static override examples = ['secsctl doctor', 'secsctl doctor --profile local', 'secsctl doctor --json']

  static override baseFlags = GLOBAL_FLAGS

  async run(): Promise<void> {
    await this.parse(DoctorCommand)
    const program = { version: this.config.version, root: this.config.root }
    const findings = await this.during('looking', () => examine(this.session, program, this.formatTime))
    const exit = exitOf(findings)
    this.environment.exitCode = exit
    if (this.format === 'json') return this.printJson({ ok: exit === 0, exit, findings })
    if (this.format === 'tsv') this.print(tsv(findings, FINDING_COLUMNS))
    else this.printPainted(findingsInWords(findings, this.sink.width))
    this.note(`${this.format === 'tsv' ? '' : '\n'}${summaryOf(findings)}`)
  }
}
