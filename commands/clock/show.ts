import { outputFlag, RECORD_FORMATS } from '../../src/cli/base-command.js'
import { EquipmentCommand } from '../../src/cli/equipment/equipment-command.js'
import { TARGET_ARGUMENTS, TARGET_FLAGS } from '../../src/cli/equipment/equipment-targets.js'
import { ASKING_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { differenceOf } from '../../src/inspection/clock-difference.js'

export default class ClockShow extends EquipmentCommand {
  static override summary = 'Read the clock of an equipment (S2F17), and how far it is off.'
  static override description = "TIME has no time zone: it is compared with the gateway's local time."
  static override strict = false
  static override examples = [
    'secsctl clock show etcher',
    'secsctl clock show etcher --json | jq .difference_seconds',
  ]
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = { ...ASKING_FLAGS, ...TARGET_FLAGS, output: outputFlag(RECORD_FORMATS) }

  protected async one(): Promise<void> {
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
