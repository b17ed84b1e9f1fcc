import { Flags } from '@oclif/core'
import { byName } from '../../src/cli/equipment/equipment-name.js'
import { equipmentColumns } from '../../src/cli/equipment/equipment-output.js'
import { SELECTOR_FLAG, selectorGiven } from '../../src/cli/equipment/label-flags.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { LIST_OUTPUT_FLAGS } from '../../src/cli/input/list-output-flags.js'
import { CONNECTION_STATES, HEALTHS } from '../../src/contract/equipment.js'

export default class EquipmentList extends GatewayCommand {
  static override summary = 'List the equipment that is registered.'
  static override examples = [
    'secsctl equipment list',
    'secsctl equipment list -l area=etch,bay!=3',
    'secsctl equipment list --health degraded,failing',
    'secsctl equipment list --columns name,health,labels --sort health',
    'secsctl equipment list --sort health --watch 5s',
    'secsctl equipment list -o csv',
    "secsctl equipment list --json | jq -r '.[].id'",
  ]
  static override flags = {
    ...LIST_OUTPUT_FLAGS,
    state: Flags.option({
      options: CONNECTION_STATES,
      summary: 'Only equipment in this connection state.',
    })(),
    health: Flags.option({
      options: HEALTHS,
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      summary: 'Only equipment with this health; several with commas.',
    })(),
    selector: SELECTOR_FLAG,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(EquipmentList)
    const { state, health } = flags
    const narrowed = {
      ...(state && { connection_state: state }),
      ...(health && { health }),
      ...selectorGiven(flags.selector),
    }
    const none = 'No equipment yet: secsctl equipment add NAME --address HOST:PORT'
    const found = await this.allEquipment(narrowed)
    await this.printList(
      // JSON is what the API answers, in its order.
      this.format === 'json' ? found : byName(found),
      equipmentColumns(this.formatTime),
      Object.keys(narrowed).length === 0 ? none : 'No such equipment.',
    )
  }
}
