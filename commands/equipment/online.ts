import { ControlCommand } from '../../src/cli/equipment/control-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

/** ONLACK: the equipment does not let its host decide. */
const NOT_ALLOWED = 1

export default class EquipmentOnline extends ControlCommand {
  static override summary = 'Have equipment go online (S1F17); exit code 8 when it refuses.'
  static override description =
    'It is then online, local or remote as its operator has set it; `control` shows which, where the equipment reports it. An equipment whose operator keeps it offline refuses. It asks before it does this to more than one; --yes answers.'
  static override examples = [
    'secsctl equipment online etcher',
    'secsctl equipment online -l area=etch --dry-run',
    'secsctl equipment online --all --yes',
  ]

  protected readonly endpoint = endpoints.goOnline
  protected readonly item = 'ONLACK'

  protected override advice(code: number): string | undefined {
    return code === NOT_ALLOWED ? 'its operator has to set it online there.' : undefined
  }
}
