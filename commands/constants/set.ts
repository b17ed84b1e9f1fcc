import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../../src/cli/equipment/equipment-targets.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { required } from '../../src/cli/input/arguments.js'
import { parseParameters } from '../../src/cli/input/parameters.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { ServiceCommand } from '../../src/cli/service-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

function valuesGiven(texts: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const text of texts) {
    for (const [name, value] of Object.entries(parseParameters([text]))) {
      if (Object.hasOwn(values, name)) throw wrongUsage(`${name} takes one value`)
      values[name] = value
    }
  }
  return values
}

export default class ConstantsSet extends ServiceCommand {
  static override summary = 'Change equipment constants (S2F15); exit code 8 when the equipment refuses.'
  static override description =
    'All or none of them are changed. A value is sent in the format that the constant has now (asked with S2F13); several bytes are written 0x01ff; NAME:=JSON gives several values, such as [1,2], or a typed item, such as {"U2":1200}, which is sent as it is.'
  static override strict = false
  static override usage = 'constants set EQUIPMENT CONSTANT=VALUE...'
  static override examples = [
    'secsctl constants set etcher RFPowerLimit=1200',
    "secsctl constants set etcher 2002=1300 OperatorMessage='CHECK GAS'",
  ]
  static override args = {
    equipment: TARGET_ARGUMENT,
    constant: required('NAME=VALUE or ID=VALUE, any number of them.'),
  }
  static override flags = { ...TRANSACTION_FLAGS, ...CHANGE_FLAGS }

  protected override readonly words = { '/values/': '*' }

  protected async one(): Promise<void> {
    const { args, argv, flags } = await this.parse(ConstantsSet)
    const values = valuesGiven(argv.slice(1).map(String))
    const result = await this.ask(endpoints.writeConstants, args.equipment, flags, { body: { values } })
    this.printVerdict('EAC', result)
  }
}
