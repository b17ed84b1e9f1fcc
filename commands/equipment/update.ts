import { Flags } from '@oclif/core'
import { settledAtOnce } from '../../src/cli/equipment/calls-at-once.js'
import {
  EQUIPMENT_FLAGS,
  EQUIPMENT_WORDS,
  equipmentGiven,
  parseAddress,
} from '../../src/cli/equipment/equipment-flags.js'
import { equipmentColumns } from '../../src/cli/equipment/equipment-output.js'
import { CHANGE_FLAGS, mayBeSeveral, wordsAboutAll } from '../../src/cli/equipment/equipment-targets.js'
import { labelChange } from '../../src/cli/equipment/label-flags.js'
import { namesOf, withUnreached } from '../../src/cli/equipment/unreached.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { SEVERAL_EQUIPMENT } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { defined } from '../../src/kit/defined.js'

export default class EquipmentUpdate extends GatewayCommand {
  static override summary = 'Change what is registered of an equipment; what is left out stays.'
  static override examples = [
    'secsctl equipment update etcher --name etcher-1',
    'secsctl equipment update etcher --address 10.0.0.9:5000 --timer t3=20s',
    'secsctl equipment update etcher --label bay=4 --label spare-',
    "secsctl equipment update 'etch-*' --timer t3=60s",
    'secsctl equipment update -l area=etch --label bay=4 --yes',
  ]
  static override description =
    'Of several, for which it asks, each is changed alike; a name, an address and a serial port are for one.'
  static override strict = false
  static override args = { equipment: SEVERAL_EQUIPMENT }
  static override flags = {
    ...REASON_FLAG,
    ...CHANGE_FLAGS,
    name: Flags.string({ helpValue: 'NAME', summary: 'A new name.' }),
    address: Flags.string({ helpValue: 'HOST:PORT', summary: 'A new address and port.' }),
    ...EQUIPMENT_FLAGS,
    label: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'KEY=VALUE',
      summary: 'A label, such as bay=4; KEY- removes one. May be repeated; other labels stay.',
    }),
  }

  protected override readonly words = EQUIPMENT_WORDS

  async run(): Promise<void> {
    const { argv, flags, raw } = await this.parse(EquipmentUpdate)
    const body = {
      ...defined({ name: flags.name }),
      ...(flags.address !== undefined && parseAddress(flags.address, '--address')),
      ...equipmentGiven(flags),
      ...(flags.label && { labels: labelChange(flags.label) }),
    }
    if (Object.keys(body).length === 0) throw wrongUsage('nothing to change: add a flag')
    const given = argv.map(String)
    const chosen = await this.chosen(given, flags.all, flags.selector)
    const [own] = (['name', 'address', 'serial-port'] as const).filter((flag) => flags[flag] !== undefined)
    if (chosen.length > 1 && own !== undefined)
      throw wrongUsage(`--${own} is for one equipment, and ${chosen.length} are meant`)
    const what = wordsAboutAll(raw, EquipmentUpdate)
    if (!(await this.goesOn(chosen, flags, chosen.length > 1, what))) return
    const client = await this.client()
    const { done, failure } = await settledAtOnce(chosen, ({ id }) =>
      client.call(endpoints.updateEquipment, { params: { id }, body }),
    )
    const isOne = given.length === 1 && !mayBeSeveral(given[0] ?? '')
    const [only] = done
    if (isOne && only) await this.printOne(only, equipmentColumns(this.formatTime))
    else if (done.length > 0) await this.printList(done, equipmentColumns(this.formatTime), '')
    if (chosen.length > 1) {
      const changed = new Set(done.map(({ id }) => id))
      const left = chosen.filter(({ id }) => !changed.has(id))
      const rest = left.length === 0 ? '' : ` Not changed: ${namesOf(left)}.`
      this.note(`${done.length} of ${chosen.length} changed.${rest}`)
    }
    if (failure !== undefined) throw withUnreached(failure, 'Not changed', chosen, done)
  }
}
