import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class SinksResume extends SinkCommand {
  static override summary = 'Resume a sink that is paused, or repeat a failed attempt now.'
  static override examples = ['secsctl sinks resume mes', "secsctl sinks resume mes 'lake-*'"]
  static override args = {
    sink: required('Its name or id, or a pattern such as lake-*; several may follow.'),
  }
  static override strict = false
  static override flags = REASON_FLAG

  async run(): Promise<void> {
    const { argv } = await this.parse(SinksResume)
    await this.changeEach(argv as string[], endpoints.resumeSink)
  }
}
