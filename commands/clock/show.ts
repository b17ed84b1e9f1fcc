import { GatewayCommand } from '../../src/cli/gateway-command.js'
import { EQUIPMENT_ARGUMENT } from '../../src/cli/input/arguments.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { differenceOf } from '../../src/inspection/clock-difference.js'

export default class ClockShow extends GatewayCommand {
  static override summary = 'Read the clock of an equipment (S2F17), and how far it is off.'
  static override description = "TIME has no time zone: it is compared with the gateway's local time."
  static override examples = [
    'secsctl clock show etcher',
    'secsctl clock show etcher --json | jq .difference_seconds',
  ]
  static override args = { equipment: EQUIPMENT_ARGUMENT }
  static override flags = ASKING_FLAGS

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ClockShow)
    const clock = await this.ask(endpoints.getClock, args.equipment, flags)
    const off = clock.difference_seconds
    this.printRecord(clock, [
      ['time', clock.time ?? 'not known'],
      ['TIME', clock.raw],
      ['off', off === null ? 'not known' : differenceOf(off * 1000).text],
      ['reply', clock.reply_id],
    ])
  }
}
