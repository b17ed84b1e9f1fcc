import { Flags } from '@oclif/core'
import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../../src/cli/equipment/equipment-targets.js'
import { wrongUsage } from '../../src/cli/errors/failure.js'
import { optional } from '../../src/cli/input/arguments.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { ServiceCommand } from '../../src/cli/service-command.js'
import { spooledGiven, spooledText } from '../../src/cli/spool/spooled-streams.js'
import { endpoints } from '../../src/contract/endpoints.js'

export default class SpoolSet extends ServiceCommand {
  static override summary =
    'Choose the messages that an equipment spools (S2F43); exit code 8 when it refuses.'
  static override description =
    'They replace the ones before. Equipment can have a constant that turns spooling on as well: `spool show` prints it, `constants set` changes it.'
  static override strict = false
  static override usage = 'spool set EQUIPMENT MESSAGE...'
  static override examples = [
    'secsctl spool set track S5F1 S6F11',
    'secsctl spool set track S5 S6',
    'secsctl spool set track --none',
  ]
  static override args = {
    equipment: TARGET_ARGUMENT,
    message: optional('Messages, such as S6F11, and streams with all of their functions, such as S6.'),
  }
  static override flags = {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    none: Flags.boolean({ summary: 'Spool nothing.' }),
  }

  protected override readonly words = { '/streams/': 'MESSAGE: *', '/streams': 'MESSAGE' }

  protected async one(): Promise<void> {
    const { args, argv, flags } = await this.parse(SpoolSet)
    const streams = spooledGiven(argv.slice(1).map(String))
    if ((flags.none === true) === streams.length > 0)
      throw wrongUsage('name the messages to spool, such as S6F11, or give --none')
    const result = await this.ask(endpoints.setSpool, args.equipment, flags, { body: { streams } })
    this.printVerdict('RSPACK', result)
    for (const { strack, strack_text, ...fault } of result.faults)
      this.note(`${spooledText([fault])}: STRACK ${strack}, ${strack_text}`)
  }
}
