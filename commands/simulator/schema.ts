import { BaseCommand, outputFlag } from '../../src/cli/base-command.js'
import { modelSchema } from '../../src/simulator/file/schema.js'

export default class SimulatorSchema extends BaseCommand {
  static override summary = 'Print the JSON Schema of model files, for editors.'
  static override description =
    'An editor that is given it completes and checks a model while it is typed: models begin with a line that names model.schema.json beside them.'
  static override examples = ['<%= config.bin %> simulator schema > model.schema.json']

  static override flags = { output: outputFlag(['json']) }

  async run(): Promise<void> {
    await this.parse(SimulatorSchema)
    this.printAsIs(JSON.stringify(modelSchema(), undefined, 2))
  }
}
