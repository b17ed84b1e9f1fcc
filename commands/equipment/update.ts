import { Flags } from '@oclif/core'
import {
  EQUIPMENT_FLAGS,
  EQUIPMENT_WORDS,
  equipmentGiven,
  parseAddress,
} from '../../src/cli/equipment/equipment-flags.js'
import { EQUIPMENT_COLUMNS } from '../../src/cli/equipment/equipment-output.js'
import { labelChange } from '../../src/cli/equipment/label-flags.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { EQUIPMENT_ARGUMENT } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { defined } from '../../src/kit/defined.js'

export default class EquipmentUpdate extends GatewayCommand {
  static override summary = 'Change what is registered of an equipment; what is left out stays.'
  static override examples = [
    'secsctl equipment update etcher --name etcher-1',
    'secsctl equipment update etcher --address 10.0.0.9:5000 --timer t3=20s',
    'secsctl equipment update etcher --label bay=4 --label spare-',
  ]
  static override args = { equipment: EQUIPMENT_ARGUMENT }
  static override flags = {
    ...REASON_FLAG,
    name: Flags.string({ helpValue: 'NAME', summary: 'A new name.' }),
    address: Flags.string({ helpValue: 'HOST:PORT', summary: 'A new address and port.' }),
    ...EQUIPMENT_FLAGS,
    label: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'KEY=VALUE',
      summary: 'A label, such as bay=4; KEY- removes one. May be repeated; other labels stay.',
    }),
  }

  protected override readonly words = EQUIPMENT_WORDS

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EquipmentUpdate)
    const body = {
      ...defined({ name: flags.name }),
      ...(flags.address !== undefined && parseAddress(flags.address, '--address')),
      ...equipmentGiven(flags),
      ...(flags.label && { labels: labelChange(flags.label) }),
    }
    if (Object.keys(body).length === 0) throw wrongUsage('nothing to change: add a flag')
    const { id } = await this.equipment(args.equipment)
    await this.printOne(
      await this.call(endpoints.updateEquipment, { params: { id }, body }),
      EQUIPMENT_COLUMNS,
    )
  }
}
