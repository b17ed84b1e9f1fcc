import { outputFlag, RECORD_FORMATS } from '../../src/cli/base-command.js'
import { required } from '../../src/cli/input/arguments.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class SinksShow extends SinkCommand {
  static override summary = 'Show a sink: its target, its position, its last error.'
  static override examples = ['secsctl sinks show mes', 'secsctl sinks show mes -o yaml']
  static override args = { sink: required('Its name or id.') }
  static override flags = { output: outputFlag(RECORD_FORMATS) }

  async run(): Promise<void> {
    const { args } = await this.parse(SinksShow)
    const { id } = await this.sinkNamed(args.sink)
    this.printSink(await this.call(endpoints.getSink, { params: { id } }))
  }
}
