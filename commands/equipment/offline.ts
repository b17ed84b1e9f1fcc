import { ControlCommand } from '../../src/cli/equipment/control-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class EquipmentOffline extends ControlCommand {
  static override summary = 'Have equipment go offline (S1F15); exit code 8 when it refuses.'
  static override description =
    'It answers the gateway with aborts from then on, until `equipment online` or its operator has it online again. It asks before it does this to more than one; --yes answers.'
  static override examples = [
    'secsctl equipment offline etcher',
    'secsctl equipment offline -l area=etch --dry-run',
    'secsctl equipment offline --all --yes',
  ]

  protected readonly endpoint = endpoints.goOffline
  protected readonly item = 'OFLACK'
}
