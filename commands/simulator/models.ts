import { BaseCommand } from '../../src/cli/base-command.js'
import { SHIPPED_MODELS, shippedModel } from '../../src/simulator/shipped-models.js'

export default class SimulatorModels extends BaseCommand {
  static override summary = 'List the models that come with the simulator.'
  static override examples = ['secsctl simulator models']

  async run(): Promise<void> {
    await this.parse(SimulatorModels)
    const models = SHIPPED_MODELS.map((name) => ({
      name,
      description: shippedModel(name)?.description ?? '',
    }))
    await this.printList(
      models,
      [
        { title: 'NAME', text: ({ name }) => name },
        { title: 'DESCRIPTION', text: ({ description }) => description },
      ],
      'there are none',
    )
  }
}
