import { required } from '../../src/cli/input/arguments.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class SinksShow extends SinkCommand {
  static override summary = 'Show a sink: its target, its position, its last error.'
  static override examples = ['secsctl sinks show mes']
  static override args = { sink: required('Its name or id.') }

  async run(): Promise<void> {
    const { args } = await this.parse(SinksShow)
    const { id } = await this.sinkNamed(args.sink)
    this.printSink(await this.call(endpoints.getSink, { params: { id } }))
  }
}
