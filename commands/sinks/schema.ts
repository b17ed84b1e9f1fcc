import { Args } from '@oclif/core'
import { BaseCommand, outputFlag } from '../../src/cli/base-command.js'
import { SINK_FORMATS } from '../../src/contract/topics/sinks/sink-message.js'

export default class SinksSchema extends BaseCommand {
  static override summary = 'Print the JSON Schema of the messages of sinks. Offline.'
  static override description =
    'JSON Schema 2020-12 of the CloudEvent with an event, a gap or a test in it; it refers to nothing outside. The event alone is #/$defs/Event or #/$defs/FlatEvent.'
  static override examples = ['secsctl sinks schema flat > secsctl-flat.schema.json']
  static override args = {
    format: Args.string({
      required: true,
      ignoreStdin: true,
      options: [...SINK_FORMATS],
      description: 'The format of the sink.',
    }),
  }

  static override flags = { output: outputFlag(['json']) }

  async run(): Promise<void> {
    const { args } = await this.parse(SinksSchema)
    const { sinkSchema } = await import('../../src/daemon/schemas/sink-schema.js')
    const format = SINK_FORMATS.find((known) => known === args.format)
    if (format) this.printAsIs(JSON.stringify(sinkSchema(format), undefined, 2))
  }
}
