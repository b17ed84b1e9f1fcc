import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENTS, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import type { Column } from '../../src/cli/output/output.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { EquipmentAlarm } from '../../src/contract/topics/alarms.js'

const COLUMNS: readonly Column<EquipmentAlarm>[] = [
  { title: 'ALID', text: ({ alid }) => alid },
  { title: 'TEXT', text: ({ text }) => text },
  { title: 'STATE', text: ({ set }) => (set ? 'set' : 'clear') },
  { title: 'ENABLED', text: ({ enabled }) => (enabled === null ? 'unknown' : enabled ? 'yes' : 'no') },
  { title: 'CATEGORY', text: ({ category_text }) => category_text, spare: true },
]

export default class EquipmentAlarms extends EquipmentCommand {
  static override summary =
    'List the alarms that an equipment has, and which of them it reports (S5F5, S5F7).'
  static override description = '`alarms list` shows the alarms that it has reported.'
  static override strict = false
  static override examples = ['secsctl equipment alarms etcher', 'secsctl equipment alarms etcher --json']
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = { ...ASKING_FLAGS, ...TARGET_FLAGS }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(EquipmentAlarms)
    const { items } = await this.ask(endpoints.listEquipmentAlarms, args.equipment, flags)
    await this.printList(items, COLUMNS, 'No alarms.')
  }
}
