import { Flags } from '@oclif/core'
import { EQUIPMENT_COLUMNS } from '../../src/cli/equipment-output.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { CONNECTION_STATES } from '../../src/contract/equipment.js'

export default class EquipmentList extends GatewayCommand {
  static override summary = 'List the equipment that is registered.'
  static override aliases = ['eq:list']
  static override examples = [
    '<%= config.bin %> equipment list',
    "<%= config.bin %> equipment list --json | jq -r '.[].id'",
  ]
  static override flags = {
    state: Flags.option({
      options: CONNECTION_STATES,
      summary: 'Only equipment in this connection state.',
    })(),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(EquipmentList)
    const all = await this.allEquipment()
    const shown = flags.state === undefined ? all : all.filter((one) => one.connection_state === flags.state)
    await this.printList(
      shown,
      EQUIPMENT_COLUMNS,
      all.length === 0
        ? 'No equipment yet: secsctl equipment add NAME --address HOST:PORT'
        : 'No equipment in this state.',
    )
  }
}
