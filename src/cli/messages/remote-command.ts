import { Flags } from '@oclif/core'
import { endpoints } from '../../contract/endpoints.js'
import { COMMAND_STYLES, type CommandResult, DEFAULT_EVENT_WAIT } from '../../contract/topics/commands.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { type EquipmentCommand, equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGE_FLAGS } from '../equipment/equipment-targets.js'
import { required } from '../input/arguments.js'
import { parseDuration } from '../input/durations.js'
import { choiceFlag, textFlag } from '../input/flags.js'
import { parseParameters } from '../input/parameters.js'
import { PREVIEW, printPreview, withPreview } from './preview.js'
import { NO_WAIT, TRANSACTION_FLAGS } from './transaction-flags.js'

export const commandCommand = equipmentVerb({
  summary: 'Send a remote command (S2F41, S2F49 or S2F21); exit code 8 when the equipment refuses.',
  description:
    'Exit code 8 also if the reply has no code that can be read; then it is not known whether the equipment acted. KEY:=JSON gives a value that is not text; in an enhanced command it may be an array or an object, which is sent as a list. With --wait-event the command ends when the equipment has reported the event, with exit code 0; with 7 when the event did not come --within the time, and with 8 when the connection ended before it.',
  usage: 'command EQUIPMENT NAME [KEY=VALUE...]',
  examples: [
    'secsctl command etcher START LOTID=L1 PPID=OXIDE-ETCH-01',
    'secsctl command etcher PP-SELECT PPID=OXIDE-ETCH-01 --timeout 5s',
    'secsctl command etcher START LOTID=L1 --dry-run',
    'secsctl command etcher STOP --json',
    'secsctl command -l area=etch STOP --yes',
    'secsctl command etcher START LOTID=L2 --style enhanced',
    'secsctl command etcher STOP --style remote',
    'secsctl command etcher START LOTID=L3 --no-wait',
    'secsctl command etcher START --wait-event ProcessingCompleted --within 5m',
  ],
  args: { name: required('The command (RCMD).') },
  flags: {
    ...TRANSACTION_FLAGS,
    ...CHANGE_FLAGS,
    'dry-run': PREVIEW,
    object: textFlag('OBJSPEC', 'The object of the command; sends S2F49.'),
    style: choiceFlag(
      COMMAND_STYLES,
      'S2F41, S2F49, or S2F21, which has no parameters and is what old equipment takes.',
    ),
    'no-wait': Flags.boolean({ ...NO_WAIT, exclusive: ['wait-event'] }),
    'wait-event': textFlag(
      'EVENT',
      'Then wait for this collection event (CEID or name), and print its values.',
    ),
    within: textFlag(
      'DURATION',
      `How long to wait for the event, at most 10m; default ${DEFAULT_EVENT_WAIT}s.`,
      { dependsOn: ['wait-event'] },
    ),
  },
  words: withPreview('/command', {
    '/wait_event': '--wait-event',
    '/within': '--within',
    '/command': 'NAME',
    '/parameters/': '*',
  }),
  async one(on, { args, words, flags }) {
    const parameters = parseParameters(words.slice(2))
    const body = {
      command: args.name,
      parameters,
      ...(flags.object !== undefined && { object: flags.object }),
      ...(flags.style !== undefined && { style: flags.style }),
      ...(flags['no-wait'] && { wait_for_reply: false }),
      ...(flags['wait-event'] !== undefined && { wait_event: flags['wait-event'] }),
      ...(flags.within !== undefined && { within: parseDuration(flags.within, '--within') / 1000 }),
    }
    const { id, name } = await on.equipment(args.equipment)
    if (flags['dry-run']) return printPreview(on, id, { command: body })
    const result = await on.ask(endpoints.sendCommand, id, flags, { body })
    const { accepted, message_id } = result
    if (flags['no-wait']) {
      on.printRecord(result, [
        ['command', result.command],
        ['message', message_id],
      ])
      return on.note(`sent as message ${message_id}. Its end: secsctl messages show ${message_id}`)
    }
    const isRemote = flags.style === 'remote'
    const item = isRemote ? 'CMDA' : 'HCACK'
    const [code, text] = isRemote ? [result.cmda, result.cmda_text] : [result.hcack, result.hcack_text]
    const verdict = code === null ? 'not known' : accepted ? 'accepted' : 'refused'
    on.printRecord(result, [
      ['command', result.command],
      ['result', verdict],
      [item, `${code ?? ''} ${text ?? ''}`.trim()],
      ...result.parameters.map((one) => [one.name, `${one.cpack} ${one.cpack_text}`] as const),
      ['message', message_id],
      ['reply', result.reply_id ?? ''],
      ...eventFields(result),
    ])
    if (accepted || result.event) return eventVerdict(on, name, result)
    on.environment.exitCode = EXIT_CODES.equipment
    if (code !== null) return on.note(`${name} refused ${result.command}: ${item} ${code}, ${text ?? ''}`)
    const reply = result.reply_id ?? message_id
    on.note(`the reply cannot be read (message ${reply}): whether ${name} acted is not known`)
    on.note(`Try: secsctl messages show ${reply}`)
  },
})

/** The event that an accepted command waited for; what did not come is also the exit code. */
function eventVerdict(
  on: EquipmentCommand,
  name: string,
  { event_outcome: outcome, command }: CommandResult,
): void {
  if (!outcome || outcome === 'arrived') return
  const isLost = outcome === 'connection_lost'
  on.environment.exitCode = isLost ? EXIT_CODES.equipment : EXIT_CODES.timeout
  const why = isLost ? 'the connection ended before the event' : 'the event did not come in time'
  on.note(`${name} accepted ${command}, but ${why}`)
  if (!isLost) on.note(`Try: secsctl reports list ${name}, which shows whether it is enabled`)
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
