import { Flags } from '@oclif/core'
import type { endpoints } from '../../contract/endpoints.js'
import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { optional } from '../input/arguments.js'
import { TRANSACTION_FLAGS } from '../messages/transaction-flags.js'
import { ServiceCommand } from '../service-command.js'

/** Enables or disables collection events. */
export abstract class EventSwitchCommand extends ServiceCommand {
  // oclif looks for these no further up than to the first class without statics.
  static override baseFlags = ServiceCommand.baseFlags
  static override strict = false
  static override args = { equipment: TARGET_ARGUMENT, event: optional('Ids or names.') }
  static override flags = {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    all: Flags.boolean({ default: false, summary: 'All events of the equipment.' }),
  }

  protected override readonly words = { '/events': 'EVENT', '/CEID': 'EVENT' }
  protected abstract readonly endpoint:
    | typeof endpoints.enableCollectionEvents
    | typeof endpoints.disableCollectionEvents

  protected async one(): Promise<void> {
    const { argv, flags } = await this.parse(EventSwitchCommand)
    const [given = '', ...events] = argv.map(String)
    if (flags.all === events.length > 0)
      throw wrongUsage(flags.all ? '--all takes no events' : 'name events, or add --all')
    const body = flags.all ? { all: true } : { events }
    this.printVerdict('ERACK', await this.ask(this.endpoint, given, flags, { body }))
  }
}
