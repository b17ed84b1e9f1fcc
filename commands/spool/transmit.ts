import { CHANGE_FLAGS, TARGET_ARGUMENTS } from '../../src/cli/equipment/equipment-targets.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { ServiceCommand } from '../../src/cli/service-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class SpoolTransmit extends ServiceCommand {
  static override summary =
    'Request the spooled messages of an equipment (S6F23); exit code 8 when it refuses.'
  static override description =
    'The gateway makes this request itself after every connect. The messages come afterwards, marked spooled?; equipment with MaxSpoolTransmit sends so many for each request. RSDA 2, nothing is spooled, is no refusal.'
  static override strict = false
  static override examples = ['secsctl spool transmit track', 'secsctl messages list --equipment track']
  static override args = { equipment: TARGET_ARGUMENTS }
  static override flags = { ...TRANSACTION_FLAGS, ...CHANGE_FLAGS }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(SpoolTransmit)
    this.printVerdict('RSDA', await this.ask(endpoints.transmitSpool, args.equipment, flags))
  }
}
