import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class SinksResume extends SinkCommand {
  static override summary = 'Resume a sink that is paused, or repeat a failed attempt now.'
  static override examples = ['secsctl sinks resume mes']
  static override args = { sink: required('Its name or id.') }
  static override flags = REASON_FLAG

  async run(): Promise<void> {
    const { args } = await this.parse(SinksResume)
    const { id } = await this.sinkNamed(args.sink)
    await this.printOne(await this.call(endpoints.resumeSink, { params: { id } }), this.columns)
  }
}
