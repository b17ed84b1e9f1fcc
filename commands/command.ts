import { Flags } from '@oclif/core'
import { EquipmentCommand } from '../src/cli/equipment/equipment-command.js'
import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../src/cli/equipment/equipment-targets.js'
import { required } from '../src/cli/input/arguments.js'
import { parseParameters } from '../src/cli/input/parameters.js'
import { NO_WAIT, TRANSACTION_FLAGS } from '../src/cli/messages/transaction-flags.js'
import { endpoints } from '../src/contract/endpoints.js'
import { COMMAND_STYLES } from '../src/contract/topics/commands.js'
import { EXIT_CODES } from '../src/explanation/exit-codes.js'

export default class CommandCommand extends EquipmentCommand {
  static override summary =
    'Send a remote command (S2F41, S2F49 or S2F21); exit code 8 when the equipment refuses.'
  static override description =
    'Exit code 8 also when the answer holds no code that can be read: whether the equipment acted is not known then. KEY:=JSON gives a value that is no text; in an enhanced command it may be an array or an object, which is sent as a list.'
  static override strict = false
  static override usage = 'command EQUIPMENT NAME [KEY=VALUE...]'
  static override examples = [
    'secsctl command etcher START LOTID=L1 PPID=OXIDE-ETCH-01',
    'secsctl command etcher PP-SELECT PPID=OXIDE-ETCH-01 --timeout 5s',
    'secsctl command etcher STOP --json',
    'secsctl command -l area=etch STOP --yes',
    'secsctl command etcher START LOTID=L2 --style enhanced',
    'secsctl command etcher STOP --style remote',
    'secsctl command etcher START LOTID=L3 --no-wait',
  ]
  static override args = { equipment: TARGET_ARGUMENT, name: required('The command (RCMD).') }
  static override flags = {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    object: Flags.string({ helpValue: 'OBJSPEC', summary: 'The object that is meant: S2F49.' }),
    style: Flags.option({
      options: COMMAND_STYLES,
      summary: 'S2F41, S2F49, or S2F21, which has no parameters and is what old equipment takes.',
    })(),
    'no-wait': NO_WAIT,
  }

  protected override readonly words = { '/command': 'NAME', '/parameters/': '*' }

  protected async one(): Promise<void> {
    const { args, argv, flags } = await this.parse(CommandCommand)
    const parameters = parseParameters(argv.slice(2).map(String))
    const body = {
      command: args.name,
      parameters,
      ...(flags.object !== undefined && { object: flags.object }),
      ...(flags.style !== undefined && { style: flags.style }),
      ...(flags['no-wait'] && { wait_for_reply: false }),
    }
    const { id, name } = await this.equipment(args.equipment)
    const result = await this.ask(endpoints.sendCommand, id, flags, { body })
    const { accepted, message_id } = result
    if (flags['no-wait']) {
      this.printRecord(result, [
        ['command', result.command],
        ['message', message_id],
      ])
      return this.note(`sent as message ${message_id}. Its end: secsctl messages show ${message_id}`)
    }
    const isRemote = flags.style === 'remote'
    const item = isRemote ? 'CMDA' : 'HCACK'
    const [code, text] = isRemote ? [result.cmda, result.cmda_text] : [result.hcack, result.hcack_text]
    const verdict = code === null ? 'not known' : accepted ? 'accepted' : 'refused'
    this.printRecord(result, [
      ['command', result.command],
      ['result', verdict],
      [item, `${code ?? ''} ${text ?? ''}`.trim()],
      ...result.parameters.map((one) => [one.name, `${one.cpack} ${one.cpack_text}`] as const),
      ['message', message_id],
      ['reply', result.reply_id ?? ''],
    ])
    if (accepted) return
    this.environment.exitCode = EXIT_CODES.equipment
    if (code !== null) return this.note(`${name} refused ${result.command}: ${item} ${code}, ${text ?? ''}`)
    const answer = result.reply_id ?? message_id
    this.note(`the answer cannot be read (message ${answer}): whether ${name} acted is not known`)
    this.note(`Try: secsctl messages show ${answer}`)
  }
}
