import { Flags } from '@oclif/core'
import { EquipmentCommand } from '../src/cli/equipment/equipment-command.js'
import { CHANGE_FLAGS, TARGET_ARGUMENT } from '../src/cli/equipment/equipment-targets.js'
import { required } from '../src/cli/input/arguments.js'
import { parseDuration } from '../src/cli/input/durations.js'
import { parseParameters } from '../src/cli/input/parameters.js'
import { NO_WAIT, TRANSACTION_FLAGS } from '../src/cli/messages/transaction-flags.js'
import { endpoints } from '../src/contract/endpoints.js'
import { COMMAND_STYLES, type CommandResult, DEFAULT_EVENT_WAIT } from '../src/contract/topics/commands.js'
import { EXIT_CODES } from '../src/explanation/exit-codes.js'

export default class CommandCommand extends EquipmentCommand {
  static override summary =
    'Send a remote command (S2F41, S2F49 or S2F21); exit code 8 when the equipment refuses.'
  static override description =
    'Exit code 8 also when the answer holds no code that can be read: whether the equipment acted is not known then. KEY:=JSON gives a value that is no text; in an enhanced command it may be an array or an object, which is sent as a list. With --wait-event the command ends when the equipment has reported the event, with exit code 0; with 7 when the event did not come --within the time, and with 8 when the connection ended before it.'
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
    'secsctl command etcher START --wait-event ProcessingCompleted --within 5m',
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
    'no-wait': Flags.boolean({ ...NO_WAIT, exclusive: ['wait-event'] }),
    'wait-event': Flags.string({
      helpValue: 'EVENT',
      summary: 'Then wait for this collection event (CEID or name), and print its values.',
    }),
    within: Flags.string({
      helpValue: 'DURATION',
      dependsOn: ['wait-event'],
      summary: `How long to wait for the event, at most 10m; default ${DEFAULT_EVENT_WAIT}s.`,
    }),
  }

  protected override readonly words = {
    '/wait_event': '--wait-event',
    '/within': '--within',
    '/command': 'NAME',
    '/parameters/': '*',
  }

  protected async one(): Promise<void> {
    const { args, argv, flags } = await this.parse(CommandCommand)
    const parameters = parseParameters(argv.slice(2).map(String))
    const body = {
      command: args.name,
      parameters,
      ...(flags.object !== undefined && { object: flags.object }),
      ...(flags.style !== undefined && { style: flags.style }),
      ...(flags['no-wait'] && { wait_for_reply: false }),
      ...(flags['wait-event'] !== undefined && { wait_event: flags['wait-event'] }),
      ...(flags.within !== undefined && { within: parseDuration(flags.within, '--within') / 1000 }),
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
      ...eventFields(result),
    ])
    if (accepted || result.event) return this.#eventVerdict(name, result)
    this.environment.exitCode = EXIT_CODES.equipment
    if (code !== null) return this.note(`${name} refused ${result.command}: ${item} ${code}, ${text ?? ''}`)
    const answer = result.reply_id ?? message_id
    this.note(`the answer cannot be read (message ${answer}): whether ${name} acted is not known`)
    this.note(`Try: secsctl messages show ${answer}`)
  }

  /** The event that an accepted command waited for; what did not come is also the exit code. */
  #eventVerdict(name: string, { event_outcome: outcome, command }: CommandResult): void {
    if (!outcome || outcome === 'arrived') return
    const isLost = outcome === 'connection_lost'
    this.environment.exitCode = isLost ? EXIT_CODES.equipment : EXIT_CODES.timeout
    const why = isLost ? 'the connection ended before the event' : 'the event did not come in time'
    this.note(`${name} accepted ${command}, but ${why}`)
    if (!isLost) this.note(`Try: secsctl collection-events list ${name}, which shows whether it is enabled`)
  }
}

/** The event that was waited for, and its values. */
function eventFields({ event_outcome, event }: CommandResult): (readonly [string, string])[] {
  if (!event_outcome) return []
  const reported = event?.collection_event
  if (!event || !reported) return [['event', event_outcome.replaceAll('_', ' ')]]
  const values = reported.reports.flatMap((report) => report.values)
  return [
    ['event', `${reported.ceid} ${reported.name ?? ''}`.trim()],
    ...values.map(({ vid, name, unit, value }, at): readonly [string, string] => [
      name ?? vid ?? `value ${at + 1}`,
      `${typeof value === 'string' ? value : JSON.stringify(value)} ${unit ?? ''}`.trim(),
    ]),
    ['event message', event.id],
  ]
}
