import { Flags } from '@oclif/core'
import type { endpoints } from '../../contract/endpoints.js'
import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { optional } from '../input/arguments.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { ASKING_FLAGS } from '../messages/transaction-flags.js'
import { type Verdict, verdictOf, verdictWord } from '../messages/verdict.js'
import type { Column } from '../output/output.js'
import { ServiceCommand } from '../service-command.js'

/** S5F3 names one alarm or all: several are asked for one after the other. */
type Switched = Verdict & { readonly alid: string }

const COLUMNS: readonly Column<Switched>[] = [
  { title: 'ALID', text: ({ alid }) => alid },
  { title: 'RESULT', text: verdictWord },
  { title: 'ACKC5', text: ({ code, text }) => `${code} ${text}` },
  { title: 'MESSAGE', text: ({ message_id }) => message_id },
]

/** Enables or disables alarms. */
export abstract class AlarmSwitchCommand extends ServiceCommand {
  // oclif looks for these no further up than to the first class without statics.
  static override baseFlags = ServiceCommand.baseFlags
  static override strict = false
  static override args = {
    equipment: TARGET_ARGUMENT,
    alarm: optional('ALIDs, as `equipment alarms` prints them.'),
  }
  static override flags = {
    ...ASKING_FLAGS,
    ...REASON_FLAG,
    ...CHANGE_FLAGS,
    all: Flags.boolean({ default: false, summary: 'All alarms of the equipment.' }),
  }

  protected override readonly words = { '/alid': 'ALARM', '/ALID': 'ALARM' }
  protected abstract readonly endpoint: typeof endpoints.enableAlarms | typeof endpoints.disableAlarms

  protected async one(): Promise<void> {
    const { argv, flags } = await this.parse(AlarmSwitchCommand)
    const [given = '', ...alids] = argv.map(String)
    if (flags.all === alids.length > 0)
      throw wrongUsage(flags.all ? '--all takes no ALIDs' : 'name alarms, or add --all')
    const equipment = await this.equipment(given)
    const results: ({ readonly alid: string | null } & object)[] = []
    const switched: Switched[] = []
    for (const alid of flags.all ? [undefined] : alids) {
      const body = alid === undefined ? { all: true } : { alid }
      const result = await this.ask(this.endpoint, equipment, flags, { body })
      results.push({ alid: alid ?? null, ...result })
      switched.push({ ...verdictOf('ACKC5', result), alid: alid ?? 'all' })
    }
    if (this.format === 'json') this.printJson(results)
    else await this.printList(switched, COLUMNS, '')
    const refused = switched.find(({ accepted }) => !accepted)
    if (refused) this.refused(refused)
  }
}
