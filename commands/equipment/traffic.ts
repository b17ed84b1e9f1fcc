import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENTS, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { TRAFFIC_COLUMNS, trafficFields, trafficRows } from '../../src/cli/equipment/traffic-output.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class EquipmentTraffic extends EquipmentCommand {
  static override summary = 'Count what passed between the gateway and an equipment, and what went wrong.'
  static override description =
    'Since the gateway started, or since the equipment was registered. The same counts are in /metrics.'
  static override strict = false
  static override examples = ['secsctl equipment traffic etcher', 'secsctl equipment traffic etcher --json']
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = TARGET_FLAGS

  protected async one(): Promise<void> {
    const { args } = await this.parse(EquipmentTraffic)
    const traffic = await this.ask(endpoints.getTraffic, args.equipment)
    this.printRecord(traffic, trafficFields(traffic, this.formatTime))
    if (this.format === 'json') return
    if (this.format === 'table') this.print('')
    await this.printList(trafficRows(traffic), TRAFFIC_COLUMNS, 'Nothing has passed yet.')
  }
}
