import { BaseCommand, outputFlag } from '../../src/cli/base-command.js'
import { modelSchema } from '../../src/simulator/file/schema.js'

export default class SimulatorSchema extends BaseCommand {
  static override summary = 'Print the JSON Schema of model files, for editors.'
  static override description =
    'With the schema an editor completes and checks a model while you type: the first line of a model names model.schema.json in the same folder.'
  static override examples = ['secsctl simulator schema > model.schema.json']

  static override flags = { output: outputFlag(['json']) }

  async run(): Promise<void> {
    await this.parse(SimulatorSchema)
    this.printAsIs(JSON.stringify(modelSchema(), undefined, 2))
  }
}
