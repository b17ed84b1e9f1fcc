import { endpoints } from '../../contract/endpoints.js'
import type { CollectionEvent } from '../../contract/topics/collection-events.js'
import type { NamedValue } from '../../contract/values.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGES, READS } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { optional, required } from '../input/arguments.js'
import { switchFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import type { Column } from '../output/output.js'
import { enabledText, VALUE_COLUMNS } from '../output/value-output.js'

/** Where a definition is known from. */
export const ORIGINS = { line: 'the host, on the line', by_hand: 'by hand', gateway: 'the gateway' } as const

const COLUMNS: readonly Column<CollectionEvent>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'ENABLED', text: enabledText },
  {
    title: 'REPORTS',
    text: ({ reports }) => (reports?.length === 0 ? 'none' : (reports?.join(' ') ?? 'unknown')),
  },
  { title: 'FROM', text: ({ origin }) => (origin ? ORIGINS[origin] : ''), spare: true },
  {
    title: 'VARIABLES',
    text: ({ variables, variable_names: names }) => variables.map((vid, at) => names[at] ?? vid).join(', '),
    spare: true,
  },
]

const REPORTED: readonly Column<NamedValue & { readonly rptid: string }>[] = [
  { title: 'REPORT', text: ({ rptid }) => rptid },
  ...VALUE_COLUMNS,
]

export const reportsList = equipmentVerb({
  summary: 'List the collection events that equipment can report, and which are enabled (S1F23).',
  description:
    'GEM cannot read back which events are enabled and which reports they have. The gateway knows both only from messages that were sent through it, from those of the host of tapped equipment, and from `reports observe`: FROM says which.',
  examples: ['secsctl reports list etcher', 'secsctl reports list etcher --json'],
  flags: { ...READS, ...LIST_OUTPUT_FLAGS },
  async one(on, { args, flags }) {
    const { items } = await on.ask(endpoints.listCollectionEvents, args.equipment, flags)
    await on.printList(items, COLUMNS, 'No collection events.')
  },
})

export const reportsPreview = equipmentVerb({
  summary: 'Ask for what a collection event would report now (S6F15).',
  description:
    'Values have ids and names if the definition of their report was sent through this gateway (S2F33).',
  usage: 'reports preview EQUIPMENT EVENT [--timeout DURATION]',
  examples: [
    'secsctl reports preview etcher ProcessingStarted',
    'secsctl reports preview etcher 3011 --json',
  ],
  args: { event: required('Its id or name.') },
  flags: READS,
  words: { '/ceid': 'EVENT', '/CEID': 'EVENT' },
  async one(on, { args, flags }) {
    const params = { ceid: args.event }
    const report = await on.ask(endpoints.requestEventReport, args.equipment, flags, { params })
    if (on.format === 'json') return on.printJson(report)
    const rows = report.reports.flatMap(({ rptid, values }) => values.map((value) => ({ rptid, ...value })))
    const ids = report.reports.map(({ rptid }) => rptid).join(', ')
    const why = ids === '' ? 'has no report' : `sends no value in its reports (${ids})`
    await on.printList(rows, REPORTED, `No values: event ${report.ceid} ${why}.`)
  },
})

const switching = (
  word: 'enable' | 'disable',
  endpoint: typeof endpoints.enableCollectionEvents | typeof endpoints.disableCollectionEvents,
) =>
  equipmentVerb({
    summary: `${word === 'enable' ? 'Enable' : 'Disable'} collection events, named ones or all (S2F37); exit code 8 when the equipment refuses.`,
    usage: `reports ${word} EQUIPMENT [EVENT...]`,
    examples: [
      `secsctl reports ${word} etcher ProcessingStarted 3011`,
      `secsctl reports ${word} etcher --all`,
    ],
    args: { event: optional('Ids or names.') },
    flags: { ...CHANGES, all: switchFlag('All events of the equipment.', { default: false }) },
    words: { '/events': 'EVENT', '/CEID': 'EVENT' },
    async one(on, { args, flags, words: [, ...events] }) {
      if (flags.all === events.length > 0)
        throw wrongUsage(flags.all ? '--all takes no events' : 'name events, or add --all')
      const body = flags.all ? { all: true } : { events }
      on.printVerdict('ERACK', await on.ask(endpoint, args.equipment, flags, { body }))
    },
  })

export const reportsEnable = switching('enable', endpoints.enableCollectionEvents)
export const reportsDisable = switching('disable', endpoints.disableCollectionEvents)
