import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENT, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { Failure } from '../../src/cli/errors/failure.js'
import { optional } from '../../src/cli/input/arguments.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { missingValues, VALUE_COLUMNS } from '../../src/cli/output/value-output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { argumentWord } from '../../src/kit/shell-word.js'

export default class ConstantsRead extends EquipmentCommand {
  static override summary = 'Read equipment constants, all or those that are named (S2F13).'
  static override description =
    'Exit code 3 when the equipment does not have one of them: of a name nothing is read, of an id the others are printed.'
  static override strict = false
  static override usage = 'constants read EQUIPMENT [CONSTANT...]'
  static override examples = ['secsctl constants read etcher', 'secsctl constants read etcher RFPowerLimit']
  static override args = {
    equipment: TARGET_ARGUMENT,
    constant: optional('Ids or names; all when left out.'),
  }
  static override flags = { ...ASKING_FLAGS, ...TARGET_FLAGS }

  protected override readonly words = { '/id': 'CONSTANT' }

  protected async one(): Promise<void> {
    const { args, argv, flags } = await this.parse(ConstantsRead)
    const given = argv.slice(1).map(String)
    const { id, name } = await this.equipment(args.equipment)
    const { items } = await this.ask(endpoints.readConstants, id, flags, {
      query: { ...(given.length > 0 && { id: given }) },
    })
    await this.printList(items, VALUE_COLUMNS, 'No constants.')
    const missing = missingValues(name, 'constant', items)
    if (missing !== undefined)
      throw new Failure('missing', missing, `secsctl constants list ${argumentWord(name)}`)
  }
}
