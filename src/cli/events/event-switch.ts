import { Args, Flags } from '@oclif/core'
import type { endpoints } from '../../contract/endpoints.js'
import { EQUIPMENT_ARGUMENT } from '../equipment/equipment-argument.js'
import { Failure } from '../errors/failure.js'
import { TRANSACTION_FLAGS, timeoutGiven } from '../messages/transaction-flags.js'
import { ServiceCommand } from '../service-command.js'

/** What `collection-events enable` and `disable` take. */
export const EVENT_SWITCH = {
  args: {
    equipment: EQUIPMENT_ARGUMENT,
    event: Args.string({ ignoreStdin: true, description: 'Ids or names.' }),
  },
  flags: { ...TRANSACTION_FLAGS, all: Flags.boolean({ default: false, summary: 'Every event there is.' }) },
}

interface SwitchFlags {
  readonly all: boolean
  readonly timeout?: string | undefined
  readonly 'idempotency-key'?: string | undefined
}

type Switch = typeof endpoints.enableCollectionEvents | typeof endpoints.disableCollectionEvents

/** Turns collection events on or off. */
export abstract class EventSwitchCommand extends ServiceCommand {
  protected override readonly words = { '/events': 'EVENT', '/CEID': 'EVENT' }

  protected async switch(
    endpoint: Switch,
    [given = '', ...events]: readonly string[],
    flags: SwitchFlags,
  ): Promise<void> {
    if (flags.all === events.length > 0)
      throw new Failure('usage', flags.all ? '--all takes no events' : 'name events, or add --all')
    const { id, name } = await this.equipment(given)
    const client = await this.client()
    const result = await client.call(
      endpoint,
      {
        params: { id },
        query: timeoutGiven(flags.timeout),
        body: flags.all ? { all: true } : { events },
      },
      { idempotencyKey: flags['idempotency-key'] },
    )
    this.printVerdict(name, result, { ...result, item: 'ERACK', code: result.erack, text: result.erack_text })
  }
}
