import { Flags } from '@oclif/core'
import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class SinksRetry extends SinkCommand {
  static override summary = 'Send the dead letters of a sink again.'
  static override description =
    'All of them, or those of --id. They come later than the events that followed them. --drop gives them up instead.'
  static override examples = ['secsctl sinks retry mes', 'secsctl sinks retry mes --id 38 --drop']
  static override args = { sink: required('Its name or id.') }
  static override flags = {
    ...REASON_FLAG,
    id: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ID',
      summary: 'Only the event with this id. May be repeated.',
    }),
    drop: Flags.boolean({ summary: 'Remove them from the list instead; they are not sent.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SinksRetry)
    const { id } = await this.sinkNamed(args.sink)
    const body = { ...(flags.id && { ids: flags.id }), ...(flags.drop && { drop: true }) }
    await this.printOne(await this.call(endpoints.retryDeadLetters, { params: { id }, body }), this.columns)
  }
}
