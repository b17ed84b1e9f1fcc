import { Flags } from '@oclif/core'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'
import { CLEARING_FLAGS, cleared, SINK_FLAGS, SINK_WORDS, sinkGiven } from '../../src/cli/sinks/sink-flags.js'
import { TARGET_NAMES } from '../../src/cli/sinks/target-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { defined } from '../../src/kit/defined.js'

export default class SinksUpdate extends SinkCommand {
  static override summary = 'Change a sink; what is left out stays.'
  static override description =
    `With ${TARGET_NAMES} the target is replaced as a whole. --start moves the sink: events after that are delivered, again if need be. Needs the role admin.`
  static override examples = [
    'secsctl sinks update mes --secret-file new.key',
    'secsctl sinks update mes --type alarm --no-selector',
    'secsctl sinks update lake --start 2h --reason "the lake lost them"',
  ]
  static override args = { sink: required('Its name or id.') }
  static override flags = {
    ...REASON_FLAG,
    ...SINK_FLAGS,
    ...CLEARING_FLAGS,
    rename: Flags.string({ helpValue: 'NAME', summary: 'A new name.' }),
  }

  protected override readonly words = { ...SINK_WORDS, '/name': '--rename' }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SinksUpdate)
    const given = await sinkGiven(flags, { stdin: this.environment.stdin, now: this.clock.date() })
    const body = { ...given, ...cleared(flags), ...defined({ name: flags.rename }) }
    if (Object.keys(body).length === 0) throw wrongUsage('nothing to change: add a flag')
    const { id } = await this.sinkNamed(args.sink)
    await this.printOne(await this.call(endpoints.updateSink, { params: { id }, body }), this.columns)
  }
}
