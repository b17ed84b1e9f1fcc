import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class SinksPause extends SinkCommand {
  static override summary = 'Stop the delivery of a sink; it keeps its position.'
  static override description =
    'Retention waits for it up to the limits of the daemon (--sinks-keep, --sinks-keep-size). For events that are removed after that it gets a gap message.'
  static override examples = ['secsctl sinks pause mes']
  static override args = { sink: required('Its name or id.') }
  static override flags = REASON_FLAG

  async run(): Promise<void> {
    const { args } = await this.parse(SinksPause)
    const { id } = await this.sinkNamed(args.sink)
    await this.printOne(await this.call(endpoints.pauseSink, { params: { id } }), this.columns)
  }
}
