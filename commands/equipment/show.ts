import { outputFlag, RECORD_FORMATS } from '../../src/cli/base-command.js'
import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { equipmentFields } from '../../src/cli/equipment/equipment-output.js'
import { TARGET_ARGUMENTS, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'

export default class EquipmentShow extends EquipmentCommand {
  static override summary = 'Show equipment: who dials, where it stands, and what went wrong last.'
  static override strict = false
  static override examples = [
    'secsctl equipment show etcher',
    'secsctl equipment show etcher --json',
    'secsctl equipment show etcher -o yaml',
    "secsctl equipment show 'etch-*'",
  ]
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = { ...TARGET_FLAGS, output: outputFlag(RECORD_FORMATS) }

  protected override readonly recordsAreTables = false

  protected async one(): Promise<void> {
    const { args } = await this.parse(EquipmentShow)
    const equipment = await this.equipment(args.equipment)
    this.printRecord(equipment, equipmentFields(equipment, this.formatTime))
  }
}
