import { equipmentFields } from '../../src/cli/equipment/equipment-output.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { EQUIPMENT_ARGUMENT } from '../../src/cli/input/arguments.js'

export default class EquipmentShow extends GatewayCommand {
  static override summary = 'Show one equipment: who dials, where it stands, and what went wrong last.'
  static override examples = ['secsctl equipment show etcher', 'secsctl equipment show etcher --json']
  static override args = { equipment: EQUIPMENT_ARGUMENT }

  async run(): Promise<void> {
    const { args } = await this.parse(EquipmentShow)
    const equipment = await this.equipment(args.equipment)
    this.printRecord(equipment, equipmentFields(equipment, this.formatTime))
  }
}
