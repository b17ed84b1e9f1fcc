import { Failure } from '../../src/cli/errors/failure.js'
import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class SinksTest extends SinkCommand {
  static override summary = 'Send a test message to the target of a sink.'
  static override description =
    'One attempt, with a message of the type secsctl.test. Ends with an error where the target does not accept it.'
  static override examples = ['secsctl sinks test mes']
  static override args = { sink: required('Its name or id.') }
  static override flags = REASON_FLAG

  async run(): Promise<void> {
    const { args } = await this.parse(SinksTest)
    const { id, name } = await this.sinkNamed(args.sink)
    const result = await this.call(endpoints.testSink, { params: { id } })
    if (this.format === 'json') this.printJson(result)
    if (!result.delivered) throw new Failure('unreachable', `the target does not accept it: ${result.detail}`)
    if (this.format !== 'json') this.note(`${name} accepts messages: ${result.message.id}`)
  }
}
