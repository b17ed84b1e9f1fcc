import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../../src/cli/equipment/equipment-targets.js'
import { required } from '../../src/cli/input/arguments.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { ServiceCommand } from '../../src/cli/service-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class TracesEnd extends ServiceCommand {
  static override summary = 'End a trace in an equipment (S2F23); exit code 8 when it refuses.'
  static override examples = ['secsctl traces end etcher 1']
  static override args = { equipment: TARGET_ARGUMENT, trace: required('TRID.') }
  static override flags = { ...TRANSACTION_FLAGS, ...CHANGE_FLAGS }

  protected override readonly words = { '/trid': 'TRACE', '/TRID': 'TRACE' }

  protected async one(): Promise<void> {
    const { args, flags } = await this.parse(TracesEnd)
    const result = await this.ask(endpoints.endTrace, args.equipment, flags, { params: { trid: args.trace } })
    this.printVerdict('TIAACK', result, [['trace', result.trid]])
  }
}
