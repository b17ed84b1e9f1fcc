import { Flags } from '@oclif/core'
import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { CHANGE_FLAGS, TARGET_ARGUMENTS } from '../../src/cli/equipment/equipment-targets.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class EquipmentUnlock extends EquipmentCommand {
  static override summary = 'Release the lock of equipment before it ends.'
  static override description =
    'Your own lock; with --force, which administrators may use, also the lock of somebody else. Equipment that is not locked is no error.'
  static override strict = false
  static override examples = [
    'secsctl equipment unlock etch-17',
    "secsctl equipment unlock etch-17 --force --reason 'gas alarm'",
  ]
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = {
    force: Flags.boolean({ summary: 'Also break the lock of somebody else; needs --reason.' }),
    ...REASON_FLAG,
    ...CHANGE_FLAGS,
  }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(EquipmentUnlock)
    if (flags.force && flags.reason === undefined) throw wrongUsage('--force needs --reason')
    const equipment = await this.equipment(args.equipment)
    const query = flags.force ? { force: true } : {}
    await this.ask(endpoints.unlockEquipment, equipment, {}, { query })
    const { id, name, lock } = equipment
    this.printDone({ unlocked: id }, lock ? `${name} is not locked any more` : `${name} was not locked`)
  }
}
