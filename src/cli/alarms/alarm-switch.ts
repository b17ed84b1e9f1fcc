import { Args, Flags } from '@oclif/core'
import type { endpoints } from '../../contract/endpoints.js'
import { EQUIPMENT_ARGUMENT } from '../equipment/equipment-argument.js'
import { Failure } from '../errors/failure.js'
import { ASKING_FLAGS, timeoutGiven } from '../messages/transaction-flags.js'
import { type Verdict, verdictWord } from '../messages/verdict.js'
import type { Column } from '../output/output.js'
import { ServiceCommand } from '../service-command.js'

/** What `alarms enable` and `disable` take. */
export const ALARM_SWITCH = {
  args: {
    equipment: EQUIPMENT_ARGUMENT,
    alarm: Args.string({ ignoreStdin: true, description: 'ALIDs, as `equipment alarms` prints them.' }),
  },
  flags: { ...ASKING_FLAGS, all: Flags.boolean({ default: false, summary: 'Every alarm there is.' }) },
}

interface SwitchFlags {
  readonly all: boolean
  readonly timeout?: string | undefined
}

/** S5F3 names one alarm or all: several are asked for one after the other. */
type Switched = Verdict & { readonly alid: string }

const COLUMNS: readonly Column<Switched>[] = [
  { title: 'ALID', text: ({ alid }) => alid },
  { title: 'RESULT', text: verdictWord },
  { title: 'ACKC5', text: ({ code, text }) => `${code} ${text}` },
  { title: 'MESSAGE', text: ({ message_id }) => message_id },
]

/** Turns alarms on or off. */
export abstract class AlarmSwitchCommand extends ServiceCommand {
  protected override readonly words = { '/alid': 'ALARM', '/ALID': 'ALARM' }

  protected async switch(
    endpoint: typeof endpoints.enableAlarms | typeof endpoints.disableAlarms,
    [given = '', ...alids]: readonly string[],
    flags: SwitchFlags,
  ): Promise<void> {
    if (flags.all === alids.length > 0)
      throw new Failure('usage', flags.all ? '--all takes no ALIDs' : 'name alarms, or add --all')
    const { id, name } = await this.equipment(given)
    const client = await this.client()
    const query = timeoutGiven(flags.timeout)
    const results: ({ readonly alid: string | null } & object)[] = []
    const switched: Switched[] = []
    for (const alid of flags.all ? [undefined] : alids) {
      const body = alid === undefined ? { all: true } : { alid }
      const result = await client.call(endpoint, { params: { id }, query, body })
      const verdict = { ...result, item: 'ACKC5', code: result.ackc5, text: result.ackc5_text }
      results.push({ alid: alid ?? null, ...result })
      switched.push({ ...verdict, alid: alid ?? 'all' })
    }
    if (this.format === 'json') this.printJson(results)
    else await this.printList(switched, COLUMNS, '')
    const refused = switched.find(({ accepted }) => !accepted)
    if (refused) this.refused(name, refused)
  }
}
