import { BaseCommand, outputFlag } from '../../src/cli/base-command.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { required } from '../../src/cli/input/arguments.js'
import { SHIPPED_MODELS, shippedText } from '../../src/simulator/shipped-models.js'

export default class SimulatorShow extends BaseCommand {
  static override summary = 'Print the file of a model, as a starting point for your own.'
  static override examples = [
    'secsctl simulator show etcher > my-equipment.yaml',
    'secsctl simulator show furnace',
  ]
  static override args = { model: required('A model that comes with the simulator.') }
  static override flags = { output: outputFlag(['yaml', 'json']) }

  async run(): Promise<void> {
    const { args } = await this.parse(SimulatorShow)
    const text = shippedText(args.model)
    if (text === undefined)
      throw new Failure('missing', `there is no model "${args.model}": ${SHIPPED_MODELS.join(', ')}`)
    if (this.format === 'json') this.printJson({ model: args.model, text })
    else this.environment.stdout.isTTY ? this.print(text) : this.printAsIs(text)
  }
}
