import { outputFlag } from '../../src/cli/base-command.js'
import { byName, equipmentNamed } from '../../src/cli/equipment/equipment-name.js'
import { exported, fabText } from '../../src/cli/equipment/fab-file.js'
import { SELECTOR_FLAG, selectorGiven } from '../../src/cli/equipment/label-flags.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { SEVERAL_EQUIPMENT } from '../../src/cli/input/arguments.js'

export default class EquipmentExport extends GatewayCommand {
  static override summary = 'Print registered equipment as the file that `equipment apply` reads.'
  static override description =
    'All equipment, or what is named or selected, with its settings and labels; without ids and states. YAML, or JSON with --json.'
  static override strict = false
  static override examples = [
    'secsctl equipment export > fab.yaml',
    "secsctl equipment export -l 'area=etch' > etch.yaml",
    'secsctl equipment export etcher --json',
  ]
  static override args = { equipment: SEVERAL_EQUIPMENT }
  static override flags = { selector: SELECTOR_FLAG, output: outputFlag(['yaml', 'json']) }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(EquipmentExport)
    const found = byName(await this.allEquipment(selectorGiven(flags.selector)))
    const chosen =
      argv.length === 0 ? found : [...new Set(argv.map((name) => equipmentNamed(String(name), found)))]
    if (this.format === 'json') this.printJson(exported(chosen))
    else if (this.environment.stdout.isTTY) this.print(fabText(chosen))
    else this.printAsIs(fabText(chosen))
  }
}
