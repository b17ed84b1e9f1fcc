import { modelSchema } from '../../simulator/file/schema.js'
import { SHIPPED_MODELS, shippedModel, shippedText } from '../../simulator/shipped-models.js'
import { BaseCommand, outputFlag } from '../base-command.js'
import { Failure } from '../errors/failure.js'
import { required } from '../input/arguments.js'
import { verb } from '../verb.js'

export const simulatorModels = verb(BaseCommand, {
  summary: 'List the models that come with the simulator.',
  examples: ['secsctl simulator models'],
  async run(on) {
    const models = SHIPPED_MODELS.map((name) => ({
      name,
      description: shippedModel(name)?.description ?? '',
    }))
    await on.printList(
      models,
      [
        { title: 'NAME', text: ({ name }) => name },
        { title: 'DESCRIPTION', text: ({ description }) => description },
      ],
      'there are none',
    )
  },
})

export const simulatorSchema = verb(BaseCommand, {
  summary: 'Print the JSON Schema of model files, for editors.',
  description:
    'With the schema an editor completes and checks a model while you type: the first line of a model names model.schema.json in the same folder.',
  examples: ['secsctl simulator schema > model.schema.json'],
  flags: { output: outputFlag(['json']) },
  async run(on) {
    on.printAsIs(JSON.stringify(modelSchema(), undefined, 2))
  },
})

export const simulatorShow = verb(BaseCommand, {
  summary: 'Print the file of a model, as a starting point for your own.',
  examples: ['secsctl simulator show etcher > my-equipment.yaml', 'secsctl simulator show furnace'],
  args: { model: required('A model that comes with the simulator.') },
  flags: { output: outputFlag(['yaml', 'json']) },
  async run(on, { args }) {
    const text = shippedText(args.model)
    if (text === undefined)
      throw new Failure('missing', `there is no model "${args.model}": ${SHIPPED_MODELS.join(', ')}`)
    if (on.format === 'json') on.printJson({ model: args.model, text })
    else on.environment.stdout.isTTY ? on.print(text) : on.printAsIs(text)
  },
})
