import { required, YES } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class SinksRemove extends SinkCommand {
  static override summary = 'Remove a sink, with its position and its dead letters.'
  static override examples = ['secsctl sinks remove mes --yes']
  static override args = { sink: required('Its name or id.') }
  static override flags = { ...REASON_FLAG, yes: YES }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SinksRemove)
    const { id, name } = await this.sinkNamed(args.sink)
    await this.confirmed(`Remove the sink ${name}?`, flags.yes)
    await this.call(endpoints.deleteSink, { params: { id } })
    this.printDone({ removed: id }, `removed ${name}`)
  }
}
