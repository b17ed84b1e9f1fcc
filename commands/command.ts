import { Args } from '@oclif/core'
import { EXIT_CODES } from '../src/cli/exit-codes.js'
import { GatewayCommand } from '../src/cli/gateway-command.js'
import { parseParameters } from '../src/cli/parameters.js'
import { TRANSACTION_FLAGS, timeoutGiven } from '../src/cli/transaction-flags.js'
import { endpoints } from '../src/contract/endpoints.js'

export default class CommandCommand extends GatewayCommand {
  static override summary = 'Send a remote command (S2F41); exit code 8 when the equipment refuses.'
  static override strict = false
  static override usage = 'command EQ NAME [KEY=VALUE...]'
  static override examples = [
    '<%= config.bin %> command etcher START LOTID=L1 PPID=OXIDE-ETCH-01',
    '<%= config.bin %> command etcher PP-SELECT PPID=OXIDE-ETCH-01 --timeout 5s',
    '<%= config.bin %> command etcher STOP --json',
  ]
  static override args = {
    equipment: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'Its name, its id, or a beginning.',
    }),
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
    this.printRecord(result, [
      ['command', result.command],
      ['result', result.accepted ? 'accepted' : 'refused'],
      ['HCACK', `${result.hcack ?? ''} ${result.hcack_text ?? ''}`.trim()],
      ...result.parameters.map((one) => [one.name, `CPACK ${one.cpack} ${one.cpack_text}`] as const),
      ['message', result.message_id],
      ['reply', result.reply_id ?? ''],
    ])
    if (result.accepted) return
    this.note(
      `${name} refused ${result.command}: HCACK ${result.hcack ?? '?'}, ${result.hcack_text ?? 'no code'}`,
    )
    process.exitCode = EXIT_CODES.equipment
  }
}
