import { wrongUsage } from '../../src/cli/errors/failure.js'
import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'
import { SINK_FLAGS, SINK_WORDS, sinkGiven } from '../../src/cli/sinks/sink-flags.js'
import { TARGET_NAMES } from '../../src/cli/sinks/target-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { SINK_KINDS } from '../../src/contract/topics/sinks/targets.js'

export default class SinksAdd extends SinkCommand {
  static override summary = 'Add a sink, to which events are delivered from now on.'
  static override description =
    'Each event is delivered at least once, in order for each equipment; a repeated one has the same id. A secret comes from a file or standard input, and is not shown again. Needs the role admin.'
  static override examples = [
    'secsctl sinks add mes --webhook https://mes.example --secret-file mes.key',
    'secsctl sinks add lake --webhook https://lake.example --format flat',
    'secsctl sinks add uns --mqtt mqtt://broker --topic fab/{equipment}/{name}',
    'secsctl sinks add scada --sparkplug mqtt://broker --group fab1',
    'secsctl sinks add bus --kafka kafka-1:9092,kafka-2:9092 --topic secs',
    "secsctl sinks add etch --file etch.ndjson --equipment 'etch-*'",
  ]
  static override args = { name: required('Letters, digits, dots, underscores and hyphens.') }
  static override flags = { ...REASON_FLAG, ...SINK_FLAGS }

  protected override readonly words = SINK_WORDS

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SinksAdd)
    if (SINK_KINDS.every((kind) => flags[kind] === undefined))
      throw wrongUsage(`a sink needs a target: ${TARGET_NAMES}`)
    const given = await sinkGiven(flags, { stdin: this.environment.stdin, now: this.clock.date() })
    const body = { ...given, name: args.name }
    await this.printOne(await this.call(endpoints.createSink, { body }), this.columns)
    this.note(`Try it: secsctl sinks test ${args.name}`)
  }
}
