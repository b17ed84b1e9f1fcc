import { settledAtOnce } from '../../src/cli/equipment/calls-at-once.js'
import { equipmentColumns } from '../../src/cli/equipment/equipment-output.js'
import { CHANGE_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { withUnreached } from '../../src/cli/equipment/unreached.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { SEVERAL_EQUIPMENT } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class EquipmentDisconnect extends GatewayCommand {
  static override summary = 'End the connection to equipment and do not try again.'
  static override description = 'It asks before it does this to more than one; --yes answers.'
  static override strict = false
  static override examples = [
    'secsctl equipment disconnect etcher',
    "secsctl equipment disconnect 'etch-*'",
    'secsctl equipment disconnect --all --yes',
  ]
  static override args = { equipment: SEVERAL_EQUIPMENT }
  static override flags = { ...REASON_FLAG, ...CHANGE_FLAGS }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(EquipmentDisconnect)
    const chosen = await this.chosen(argv.map(String), flags.all, flags.selector)
    if (!(await this.goesOn(chosen, flags, chosen.length > 1))) return
    const client = await this.client()
    const { done, failure } = await settledAtOnce(chosen, ({ id }) =>
      client.call(endpoints.disconnectEquipment, { params: { id } }),
    )
    if (failure === undefined || done.length > 0)
      await this.printList(done, equipmentColumns(this.formatTime), 'No equipment to disconnect.')
    if (failure !== undefined) throw withUnreached(failure, 'Not disconnected', chosen, done)
  }
}
