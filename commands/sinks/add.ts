import { wrongUsage } from '../../src/cli/errors/failure.js'
import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { SinkCommand } from '../../src/cli/sinks/sink-command.js'
import { SINK_FLAGS, SINK_WORDS, sinkGiven } from '../../src/cli/sinks/sink-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'

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
    const targets = [flags.webhook, flags.mqtt, flags.sparkplug, flags.kafka, flags.file]
    if (targets.every((target) => target === undefined))
      throw wrongUsage('a sink needs a target: --webhook, --mqtt, --sparkplug, --kafka or --file')
    const given = await sinkGiven(flags, { stdin: this.environment.stdin, now: this.clock.date() })
    const body = { ...given, name: args.name }
    await this.printOne(await this.call(endpoints.createSink, { body }), this.columns)
    this.note(`Try it: secsctl sinks test ${args.name}`)
  }
}
