import { Args } from '@oclif/core'
import { EQUIPMENT_ARGUMENT } from '../../src/cli/equipment/equipment-argument.js'
import { TRANSACTION_FLAGS, timeoutGiven } from '../../src/cli/messages/transaction-flags.js'
import { ServiceCommand } from '../../src/cli/service-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class TracesEnd extends ServiceCommand {
  static override summary = 'End a trace in an equipment (S2F23); exit code 8 when it refuses.'
  static override hiddenAliases = ['trace:end']
  static override examples = ['<%= config.bin %> traces end etcher 1']
  static override args = {
    equipment: EQUIPMENT_ARGUMENT,
    trace: Args.string({ required: true, ignoreStdin: true, description: 'TRID.' }),
  }
  static override flags = TRANSACTION_FLAGS

  protected override readonly words = { '/trid': 'TRACE', '/TRID': 'TRACE' }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TracesEnd)
    const { id, name } = await this.equipment(args.equipment)
    const client = await this.client()
    const result = await client.call(
      endpoints.endTrace,
      { params: { id, trid: args.trace }, query: timeoutGiven(flags.timeout) },
      { idempotencyKey: flags['idempotency-key'] },
    )
    const { tiaack: code, tiaack_text: text } = result
    this.printVerdict(name, result, { ...result, item: 'TIAACK', code, text }, [['trace', result.trid]])
  }
}
