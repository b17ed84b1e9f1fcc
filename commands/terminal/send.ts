import { Flags } from '@oclif/core'
import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../../src/cli/equipment/equipment-targets.js'
import { required } from '../../src/cli/input/arguments.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { ServiceCommand } from '../../src/cli/service-command.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class TerminalSend extends ServiceCommand {
  static override summary =
    'Show text to the operator at an equipment (S10F3, S10F5); exit code 8 when it refuses.'
  static override description = 'Several texts are several lines, which is S10F5.'
  static override strict = false
  static override usage = 'terminal send EQUIPMENT TEXT...'
  static override examples = [
    "secsctl terminal send etcher 'Lot L1 is on hold.'",
    "secsctl terminal send etcher 'Lot L1 is on hold.' 'Call engineering.'",
  ]
  static override args = { equipment: TARGET_ARGUMENT, text: required('What to show.') }
  static override flags = {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    tid: Flags.integer({
      min: 0,
      max: 255,
      default: 0,
      helpValue: 'N',
      summary: 'Terminal; 0 is the main one.',
    }),
  }

  protected override readonly words = { '/text': 'TEXT', '/lines': 'TEXT' }

  protected async one(): Promise<void> {
    const { args, argv, flags } = await this.parse(TerminalSend)
    const lines = argv.slice(1).map(String)
    const result = await this.ask(endpoints.sendTerminalText, args.equipment, flags, {
      body: { tid: flags.tid, ...(lines.length > 1 ? { lines } : { text: args.text }) },
    })
    this.printVerdict('ACKC10', result)
  }
}
