import { settledAtOnce } from '../../src/cli/equipment/calls-at-once.js'
import { CHANGE_FLAGS, mayBeSeveral } from '../../src/cli/equipment/equipment-targets.js'
import { namesOf, withUnreached } from '../../src/cli/equipment/unreached.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { SEVERAL_EQUIPMENT } from '../../src/cli/input/arguments.js'
import { REASON_FLAG } from '../../src/cli/input/reason-flag.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class EquipmentRemove extends GatewayCommand {
  static override summary = 'Disconnect and remove equipment; its history stays.'
  static override description =
    'It asks first; --yes answers. With --yes, a beginning of a name is not enough.'
  static override strict = false
  static override examples = [
    'secsctl equipment remove etcher --yes',
    "secsctl equipment remove 'old-*' --dry-run",
    'secsctl equipment remove -l area=scrap --yes',
  ]
  static override args = { equipment: SEVERAL_EQUIPMENT }
  static override flags = { ...REASON_FLAG, ...CHANGE_FLAGS }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(EquipmentRemove)
    const given = argv.map(String)
    const chosen = await this.chosen(given, flags.all, flags.selector)
    // A script that runs twice must not take the next one whose name begins alike.
    const words = given.flatMap((text) => text.split(',')).filter((word) => !mayBeSeveral(word))
    const begun = words.find((word) => !chosen.some(({ id, name }) => word === id || word === name))
    if (flags.yes && begun !== undefined && !chosen.some(({ name }) => given.includes(name)))
      throw wrongUsage(`"${begun}" only begins ${namesOf(chosen)}: with --yes, give all of it`)
    if (!(await this.goesOn(chosen, flags, false))) return
    const [only] = chosen
    const isOne = given.length === 1 && !mayBeSeveral(given[0] ?? '')
    const question =
      isOne && only
        ? `Remove the equipment ${only.name} (${only.id})?`
        : `Remove ${chosen.length} equipment (${namesOf(chosen)})?`
    await this.confirmed(question, flags.yes)
    const client = await this.client()
    const { done, failure } = await settledAtOnce(chosen, async (one) => {
      await client.call(endpoints.deleteEquipment, { params: { id: one.id } })
      return one
    })
    if (isOne && only && failure === undefined)
      return this.printDone({ removed: only.id }, `removed ${only.name} (${only.id})`)
    const removed = done.map(({ id }) => id)
    if (failure === undefined || done.length > 0)
      this.printDone({ removed }, `removed ${done.length} of ${chosen.length}: ${namesOf(done)}`)
    if (failure !== undefined) throw withUnreached(failure, 'Not removed', chosen, done)
  }
}
