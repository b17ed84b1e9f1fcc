import { CONTROL_ARGS, CONTROL_FLAGS, ControlCommand } from '../../src/cli/equipment/control-command.js'
import { timeoutGiven } from '../../src/cli/messages/transaction-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'

/** ONLACK: the equipment does not let its host decide. */
const NOT_ALLOWED = 1

export default class EquipmentOnline extends ControlCommand {
  static override summary = 'Have equipment go online (S1F17); exit code 8 when it refuses.'
  static override description =
    'It is then online, local or remote as its operator has set it; `control` shows which, where the equipment reports it. An equipment whose operator keeps it offline refuses.'
  static override strict = false
  static override examples = ['secsctl equipment online etcher', 'secsctl equipment online --all']
  static override args = CONTROL_ARGS
  static override flags = CONTROL_FLAGS

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(EquipmentOnline)
    const query = timeoutGiven(flags.timeout)
    await this.control(
      await this.chosen(argv.map(String), flags.all),
      (client, id) => client.call(endpoints.goOnline, { params: { id }, query }),
      ({ onlack, onlack_text }) => `ONLACK ${onlack}, ${onlack_text}`,
      ({ onlack }) => (onlack === NOT_ALLOWED ? 'its operator has to set it online there.' : undefined),
    )
  }
}
