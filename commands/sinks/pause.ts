import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class SinksPause extends SinkCommand {
  static override summary = 'Stop the delivery of a sink; it keeps its position.'
  static override description =
    'Retention waits for it up to the limits of the daemon (--sinks-keep, --sinks-keep-size). For events that are removed after that it gets a gap message.'
  static override examples = ['secsctl sinks pause mes', "secsctl sinks pause mes 'lake-*'"]
  static override args = {
    sink: required('Its name or id, or a pattern such as lake-*; several may follow.'),
  }
  static override strict = false
  static override flags = REASON_FLAG

  async run(): Promise<void> {
    const { argv } = await this.parse(SinksPause)
    await this.changeEach(argv as string[], endpoints.pauseSink)
  }
}
