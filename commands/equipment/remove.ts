import { wrongUsage } from '../../src/cli/errors/failure.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { required, YES } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class EquipmentRemove extends GatewayCommand {
  static override summary = 'Disconnect and remove an equipment; its history stays.'
  static override examples = ['secsctl equipment remove etcher --yes']
  static override args = { equipment: required('Its name, its id, or a beginning; with --yes no beginning.') }
  static override flags = { ...REASON_FLAG, yes: YES }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EquipmentRemove)
    const { id, name } = await this.equipment(args.equipment)
    // A script that runs twice must not take the next one whose name begins alike.
    if (flags.yes && args.equipment !== id && args.equipment !== name)
      throw wrongUsage(`"${args.equipment}" only begins ${name} (${id}): with --yes, give all of it`)
    await this.confirmed(`Remove the equipment ${name} (${id})?`, flags.yes)
    await this.call(endpoints.deleteEquipment, { params: { id } })
    this.printDone({ removed: id }, `removed ${name} (${id})`)
  }
}
