import { Flags } from '@oclif/core'
import {
  EQUIPMENT_FLAGS,
  EQUIPMENT_WORDS,
  equipmentGiven,
  parseAddress,
} from '../../src/cli/equipment/equipment-flags.js'
import { equipmentColumns } from '../../src/cli/equipment/equipment-output.js'
import { newLabels } from '../../src/cli/equipment/label-flags.js'
import { sharedAddressNotes } from '../../src/cli/equipment/shared-address.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { required } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { whoDials } from '../../src/inspection/dialling.js'
import { argumentWord } from '../../src/kit/shell-word.js'

export default class EquipmentAdd extends GatewayCommand {
  static override summary = 'Register equipment.'
  static override examples = [
    'secsctl equipment add etcher --address 10.0.0.5:5000',
    'secsctl equipment add coater --address 10.0.0.6:5001 --mode active',
    'secsctl equipment add oven --address 10.0.0.7:5000 --timer t3=20s',
    'secsctl equipment add etch-17 --address 10.0.0.8:5000 --label area=etch',
    'secsctl equipment add prober --address 10.0.0.9:4001 --transport secs1-tcp',
    'secsctl equipment add bonder --serial-port /dev/ttyUSB0 --baud-rate 19200',
  ]
  static override args = { name: required('Its name, 1 to 64 characters.') }
  static override flags = {
    ...REASON_FLAG,
    address: Flags.string({
      exactlyOne: ['address', 'serial-port'],
      helpValue: 'HOST:PORT',
      summary: 'Where it listens (passive), or its address and the port it dials (active).',
    }),
    ...EQUIPMENT_FLAGS,
  }

  protected override readonly words = EQUIPMENT_WORDS

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EquipmentAdd)
    const body = {
      name: args.name,
      ...(flags.address !== undefined && parseAddress(flags.address, '--address')),
      ...equipmentGiven(flags),
      ...(flags.label && { labels: newLabels(flags.label) }),
    }
    const added = await this.call(endpoints.createEquipment, { body })
    await this.printOne(added, equipmentColumns(this.formatTime))
    this.note(whoDials(added))
    if (this.format !== 'json')
      for (const note of sharedAddressNotes([added.name], await this.allEquipment())) this.note(note)
    this.note(`Next: secsctl equipment connect ${argumentWord(added.name)}`)
  }
}
