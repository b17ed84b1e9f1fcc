import { CONTROL_ARGS, CONTROL_FLAGS, ControlCommand } from '../../src/cli/equipment/control-command.js'
import { timeoutGiven } from '../../src/cli/messages/transaction-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class EquipmentOffline extends ControlCommand {
  static override summary = 'Have equipment go offline (S1F15); exit code 8 when it refuses.'
  static override description =
    'It answers the gateway with aborts from then on, until `equipment online` or its operator has it online again.'
  static override strict = false
  static override examples = ['secsctl equipment offline etcher', 'secsctl equipment offline --all']
  static override args = CONTROL_ARGS
  static override flags = CONTROL_FLAGS

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(EquipmentOffline)
    const query = timeoutGiven(flags.timeout)
    await this.control(
      await this.chosen(argv.map(String), flags.all),
      (client, id) => client.call(endpoints.goOffline, { params: { id }, query }),
      ({ oflack, oflack_text }) => `OFLACK ${oflack}, ${oflack_text}`,
    )
  }
}
