import { Args } from '@oclif/core'
import { EQUIPMENT_ARGUMENT } from '../src/cli/equipment-argument.js'
import { EXIT_CODES } from '../src/cli/exit-codes.js'
import { GatewayCommand } from '../src/cli/gateway-command.js'
import { parseParameters } from '../src/cli/parameters.js'
import { TRANSACTION_FLAGS, timeoutGiven } from '../src/cli/transaction-flags.js'
import { endpoints } from '../src/contract/endpoints.js'

export default class CommandCommand extends GatewayCommand {
  static override summary = 'Send a remote command (S2F41); exit code 8 when the equipment refuses.'
  static override description =
    'Exit code 8 also when the answer holds no HCACK that can be read: whether the equipment acted is not known then.'
  static override strict = false
  static override usage = 'command EQ NAME [KEY=VALUE...]'
  static override examples = [
    '<%= config.bin %> command etcher START LOTID=L1 PPID=OXIDE-ETCH-01',
    '<%= config.bin %> command etcher PP-SELECT PPID=OXIDE-ETCH-01 --timeout 5s',
    '<%= config.bin %> command etcher STOP --json',
  ]
  static override args = {
    equipment: EQUIPMENT_ARGUMENT,
    name: Args.string({ required: true, ignoreStdin: true, description: 'The command (RCMD).' }),
  }
  static override flags = TRANSACTION_FLAGS

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(CommandCommand)
    const parameters = parseParameters(argv.slice(2).map(String))
    const { id, name } = await this.equipment(args.equipment)
    const client = await this.client()
    const result = await client.call(
      endpoints.sendCommand,
      { params: { id }, query: timeoutGiven(flags.timeout), body: { command: args.name, parameters } },
      { idempotencyKey: flags['idempotency-key'] },
    )
    const { accepted, hcack, hcack_text } = result
    const verdict = hcack === null ? 'not known' : accepted ? 'accepted' : 'refused'
    this.printRecord(result, [
      ['command', result.command],
      ['result', verdict],
      ['HCACK', `${hcack ?? ''} ${hcack_text ?? ''}`.trim()],
      ...result.parameters.map((one) => [one.name, `CPACK ${one.cpack} ${one.cpack_text}`] as const),
      ['message', result.message_id],
      ['reply', result.reply_id ?? ''],
    ])
    if (accepted) return
    process.exitCode = EXIT_CODES.equipment
    if (hcack !== null)
      return this.note(`${name} refused ${result.command}: HCACK ${hcack}, ${hcack_text ?? ''}`)
    const answer = result.reply_id ?? result.message_id
    this.note(`the answer cannot be read (message ${answer}): whether ${name} acted is not known`)
    this.note(`Try: secsctl messages show ${answer}`)
  }
}
