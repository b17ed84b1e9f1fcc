import { Flags } from '@oclif/core'
import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../../src/cli/equipment/equipment-targets.js'
import { RECIPE_ARGUMENT } from '../../src/cli/input/arguments.js'
import { parseParameters } from '../../src/cli/input/parameters.js'
import { TRANSACTION_FLAGS } from '../../src/cli/messages/transaction-flags.js'
import { ServiceCommand } from '../../src/cli/service-command.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { EXIT_CODES } from '../../src/explanation/exit-codes.js'

export default class RecipesSelect extends ServiceCommand {
  static override summary = 'Select a recipe for the next run (PP-SELECT); exit code 8 when refused.'
  static override description =
    'A remote command (S2F41) with the PPID as its parameter; some equipment calls command or parameter otherwise. Further parameters follow the PPID.'
  static override strict = false
  static override usage = 'recipes select EQUIPMENT PPID [KEY=VALUE...]'
  static override examples = [
    'secsctl recipes select track KRF-550',
    'secsctl recipes select track KRF-550 --command PP-SELECT --parameter PPID',
  ]
  static override args = { equipment: TARGET_ARGUMENT, ppid: RECIPE_ARGUMENT }
  static override flags = {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    command: Flags.string({ helpValue: 'RCMD', summary: 'The command; PP-SELECT unless given.' }),
    parameter: Flags.string({
      helpValue: 'CPNAME',
      summary: 'The parameter that has the PPID; PPID unless given.',
    }),
  }

  protected override readonly words = { '/ppid': 'PPID', '/parameters/': '*', '/command': '--command' }

  protected async one(): Promise<void> {
    const { args, argv, flags } = await this.parse(RecipesSelect)
    const { id, name } = await this.equipment(args.equipment)
    const body = {
      ...(flags.command !== undefined && { command: flags.command }),
      ...(flags.parameter !== undefined && { parameter: flags.parameter }),
      ...(argv.length > 2 && { parameters: parseParameters(argv.slice(2).map(String)) }),
    }
    const params = { ppid: args.ppid }
    const result = await this.ask(endpoints.selectRecipe, id, flags, { params, body })
    const { hcack, hcack_text, message_id, reply_id } = result
    const accepted = result.accepted === true
    const fields = [
      ['command', result.command],
      ['PPID', args.ppid],
      ...result.parameters.map((one) => [one.name, `${one.cpack} ${one.cpack_text}`] as const),
    ] as const
    if (hcack !== null && reply_id !== null) {
      const verdict = { ...result, accepted, message_id, reply_id, hcack, hcack_text: hcack_text ?? '' }
      return this.printVerdict('HCACK', verdict, fields, result)
    }
    this.printRecord(result, [...fields, ['result', 'not known'], ['message', message_id]])
    this.environment.exitCode = EXIT_CODES.equipment
    this.note(`the answer cannot be read: whether ${name} acted is not known`)
    this.note(`Try: secsctl messages show ${reply_id ?? message_id}`)
  }
}
