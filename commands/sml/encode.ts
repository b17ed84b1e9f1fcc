import { SmlCommand } from '../../src/cli/sml/sml-command.js'

export default class SmlEncode extends SmlCommand {
  static override summary = 'Print the bytes of SML or typed JSON, as hex: of each message its body.'
  static override examples = [
    "secsctl sml encode 'S1F3 W <L <U4 1>>.'",
    "echo '<L <U4 1>>' | secsctl sml encode",
    `echo '{"L":[{"U4":[1]}]}' | secsctl sml encode`,
    'secsctl sml encode start.sml --to json',
  ]

  protected override readonly fallback = 'hex'
}
