import { endpoints } from '../../contract/endpoints.js'
import { OUTCOMES, PARTIES } from '../../contract/topics/messages.js'
import { counted } from '../../secs2/wording.js'
import { BaseCommand, outputFlag, RECORD_FORMATS } from '../base-command.js'
import { shownName } from '../equipment/shown-name.js'
import { wrongUsage } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { optional, required } from '../input/arguments.js'
import { choiceFlag, choicesFlag, switchFlag, textFlag } from '../input/flags.js'
import { DEFAULT_AMOUNT, LIST_FLAGS } from '../input/list-flags.js'
import { SML_LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { ListCommand } from '../list-command.js'
import { verb } from '../verb.js'
import { catalogueOf, fileName } from './catalogue-flag.js'
import { DESCRIPTION_COLUMNS, describeMessages, messageAsJson } from './catalogue-output.js'
import { messageColumns, messageFields, messageSml } from './message-output.js'

export const messagesList = verb(ListCommand, {
  summary: 'List recorded SECS messages, newest first.',
  examples: [
    'secsctl messages list',
    'secsctl messages list --equipment etcher --message S6F11 --since 1h',
    'secsctl messages list -l area=etch --since 10m',
    'secsctl messages list --outcome timed_out --outcome aborted --since 1d',
    'secsctl messages list --equipment etcher --from-side host --since 1h',
    'secsctl messages list -o sml',
    'secsctl messages list -o csv --columns at,message,ms --sort ms:desc',
  ],
  flags: {
    ...LIST_FLAGS,
    message: textFlag('SxFy', 'Only this message (S6F11), or this stream (S6).'),
    direction: choiceFlag(['sent', 'received'] as const, 'Only those that went this way.'),
    'from-side': choiceFlag(
      PARTIES,
      'Only those that this side sent; host is the other host of tapped equipment.',
    ),
    'to-side': choiceFlag(PARTIES, 'Only those that were sent to this side.'),
    outcome: choicesFlag(OUTCOMES, 'Only primaries with this outcome. May be repeated.'),
    ...SML_LIST_OUTPUT_FLAGS,
  },
  async run(on, { flags }) {
    const [, stream, fn] = /^S(\d+)(?:F(\d+))?$/i.exec(flags.message ?? '') ?? []
    if (flags.message !== undefined && stream === undefined) {
      throw wrongUsage(
        `--message takes a message such as S6F11 or a stream such as S6, not "${flags.message}"`,
      )
    }
    const query = {
      stream: stream && Number(stream),
      function: fn && Number(fn),
      direction: flags.direction,
      from_side: flags['from-side'],
      to_side: flags['to-side'],
      outcome: flags.outcome,
    }
    await on.printRecords(endpoints.listMessages, { ...DEFAULT_AMOUNT, ...flags }, query, {
      columns: messageColumns,
      none: 'No messages.',
      sml: messageSml,
    })
  },
})

export const messagesShow = verb(GatewayCommand, {
  summary: 'Show one recorded message.',
  examples: ['secsctl messages show 42', 'secsctl messages show 42 -o sml', 'secsctl messages show 42 --hex'],
  args: { id: required('Its id, as `messages list` prints it.') },
  flags: {
    output: outputFlag([...RECORD_FORMATS, 'sml']),
    hex: switchFlag('Also print the recorded bytes of its body, which `sml decode` reads.'),
  },
  async run(on, { args, flags }) {
    const query = flags.hex ? { raw: true } : {}
    const message = await on.call(endpoints.getMessage, { params: { id: args.id }, query })
    if (on.format === 'json' || on.format === 'yaml') return on.printRecord(message, [])
    const { sml, raw } = message
    // Bytes that are not valid SECS-II are in the text itself.
    const bytes = flags.hex && sml !== null && raw ? [raw] : []
    if (on.format === 'sml') return on.print([messageSml(message), ...bytes].join('\n\n'))
    const nameOf = await on.equipmentNames()
    const all = messageFields(message, shownName(nameOf, message), on.formatTime)
    const fields = on.format === 'tsv' || sml === null ? all : all.filter(([name]) => name !== 'raw')
    if (on.format === 'tsv') return on.printRecord(message, [...fields, ['sml', sml ?? '']])
    on.printRecord(message, fields)
    if (sml !== null) on.print(['', sml, ...bytes.flatMap((hex) => ['', hex])].join('\n'))
  },
})

export const catalogueCheck = verb(BaseCommand, {
  summary: 'Check a file of messages and items of this site, and list them. Offline.',
  description: `The file is JSON: {"messages": [...], "items": [...]}.

A message has stream, function, name, direction (host, equipment or both), w_bit of a primary (required, optional or forbidden), and structure, written as \`catalogue describe\` prints it. A primary that the equipment sends may have an answer: named items for its secondary, such as {"ACKC64": "0"}, with which the gateway replies. Without an answer, the message is recorded and aborted (SxF0), unless GEM defines the reply of a host.

An item has name, formats ("any", or formats with the one to build first), meaning, and of a code values, and of an acknowledge code accepts.

A message or item with the name of a standard one replaces it. Give the file to daemon start, daemon run, send and catalogue describe with --catalogue.`,
  examples: ['secsctl catalogue check site.json', 'secsctl catalogue check --schema > site.schema.json'],
  args: { file: optional('The file; - is standard input.') },
  flags: {
    schema: switchFlag('Print the JSON Schema of such a file, for editors.', { default: false }),
  },
  async run(on, { args, flags }) {
    if (flags.schema === (args.file !== undefined)) throw wrongUsage('name a file, or use --schema')
    if (args.file === undefined) {
      const { SiteFile } = await import('../../catalogue/site/site-file.js')
      return on.print(JSON.stringify(SiteFile, undefined, 2))
    }
    const catalogue = await catalogueOf(on.environment.stdin, args.file)
    const own = describeMessages(catalogue).filter(({ stream, function: fn }) =>
      catalogue.rows(stream, fn).some(({ source }) => 'site' in source),
    )
    if (on.format === 'json') return on.printJson(own.map(messageAsJson))
    await on.printList(own, DESCRIPTION_COLUMNS, 'No messages.')
    const items = catalogue.items.filter(({ source }) => source !== undefined).length
    on.note(
      `${fileName(args.file)} is valid: ${counted(own.length, 'message')} and ${counted(items, 'item')}.`,
    )
  },
})
