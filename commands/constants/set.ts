import { Args } from '@oclif/core'
import { EQUIPMENT_ARGUMENT } from '../../src/cli/equipment-argument.js'
import { Failure } from '../../src/cli/failure.js'
import { parseParameters } from '../../src/cli/parameters.js'
import { ServiceCommand } from '../../src/cli/service-command.js'
import { subject } from '../../src/cli/subject.js'
import { TRANSACTION_FLAGS, timeoutGiven } from '../../src/cli/transaction-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class ConstantsSet extends ServiceCommand {
  static override summary = 'Change equipment constants (S2F15); exit code 8 when the equipment refuses.'
  static override description =
    'All or none of them are changed. A value is sent in the format that the constant has now (S2F13 tells it); NAME:=JSON gives a typed item, such as {"U2":1200}, which is sent as it is.'
  static override hiddenAliases = ['constant:set']
  static override strict = false
  static override usage = 'constants set EQ NAME=VALUE...'
  static override examples = [
    '<%= config.bin %> constants set etcher RFPowerLimit=1200',
    "<%= config.bin %> constants set etcher 2002=1300 OperatorMessage='CHECK GAS'",
  ]
  static override args = {
    equipment: EQUIPMENT_ARGUMENT,
    constant: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'NAME=VALUE or ID=VALUE, any number of them.',
    }),
  }
  static override flags = TRANSACTION_FLAGS

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(ConstantsSet)
    const values = parseParameters(argv.slice(1).map(String))
    const twice = Object.entries(values).find(([, value]) => Array.isArray(value))
    if (twice) throw new Failure('usage', `${twice[0]} takes one value`)
    subject.words = { '/values/': '' }
    const { id, name } = await this.equipment(args.equipment)
    const client = await this.client()
    const result = await client.call(
      endpoints.writeConstants,
      { params: { id }, query: timeoutGiven(flags.timeout), body: { values } },
      { idempotencyKey: flags['idempotency-key'] },
    )
    this.printVerdict(name, result, { ...result, item: 'EAC', code: result.eac, text: result.eac_text })
  }
}
