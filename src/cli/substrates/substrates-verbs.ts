import { endpoints } from '../../contract/endpoints.js'
import type { SiteObject } from '../../contract/topics/gem300/known-lists.js'
import type { RecordedObjectChange } from '../../contract/topics/gem300/object-history.js'
import type { Substrate } from '../../contract/topics/gem300/substrates.js'
import { outputFlag, RECORD_FORMATS } from '../base-command.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { READS, TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { asksForKnown, detailOf, KNOWN_FLAGS, printKnown, stateOf } from '../gem300/known-list.js'
import { required } from '../input/arguments.js'
import { RANGE_FLAGS, rangeGiven } from '../input/list-flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import type { FormatTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'

const SUBSTRATE_ARGUMENT = required('Substrate ID.')

const COLUMNS: readonly Column<Substrate>[] = [
  { title: 'SUBSTRATE', text: ({ substrate_id }) => substrate_id },
  { title: 'LOT', text: ({ lot_id }) => lot_id ?? '', spare: true },
  { title: 'LOCATION', text: ({ location }) => location ?? '' },
  { title: 'STATE', text: ({ state }) => state ?? '' },
  { title: 'PROCESSING', text: ({ processing }) => processing ?? '' },
  { title: 'SOURCE', text: ({ source }) => source ?? '', spare: true },
  { title: 'DESTINATION', text: ({ destination }) => destination ?? '', spare: true },
]

const KNOWN_COLUMNS: readonly Column<SiteObject>[] = [
  { title: 'SUBSTRATE', text: ({ object_id }) => object_id },
  { title: 'LOT', text: (one) => detailOf(one, 'lot'), spare: true },
  { title: 'LOCATION', text: (one) => detailOf(one, 'location') },
  { title: 'STATE', text: (one) => stateOf(one, 'state') },
  { title: 'PROCESSING', text: (one) => stateOf(one, 'processing') },
  { title: 'SOURCE', text: (one) => detailOf(one, 'source'), spare: true },
  { title: 'DESTINATION', text: (one) => detailOf(one, 'destination'), spare: true },
]

export const substratesList = equipmentVerb({
  summary: 'List the substrates at equipment (S14F1), or all that the gateway knows.',
  description:
    'Where they are, and their states. Without EQUIPMENT, lists what the gateway knows of all equipment, the newest first, and sends nothing.',
  usage: 'substrates list [EQUIPMENT...]',
  examples: [
    'secsctl substrates list etcher',
    'secsctl substrates list --object FOUP7.01',
    'secsctl substrates list --state IN_PROCESS -l area=etch',
  ],
  flags: { ...LIST_OUTPUT_FLAGS, ...READS, ...KNOWN_FLAGS },
  site: {
    isMeant: asksForKnown,
    run: (on, given) => printKnown(on, given, 'substrate', () => KNOWN_COLUMNS, 'No substrate is known.'),
  },
  async one(on, { args, flags }) {
    const { items } = await on.ask(endpoints.listSubstrates, args.equipment, flags)
    await on.printList(items, COLUMNS, 'No substrates.')
  },
})

export const substratesShow = equipmentVerb({
  summary: 'Show a substrate, and the places where it was as the equipment says (S14F1).',
  description:
    '`substrates history` shows its way as it was recorded, also once the equipment has it no more.',
  examples: ['secsctl substrates show etcher FOUP7.01'],
  args: { substrate: SUBSTRATE_ARGUMENT },
  flags: { ...READS, output: outputFlag(RECORD_FORMATS) },
  async one(on, { args: { equipment, substrate }, flags }) {
    const shown = await on.ask(endpoints.getSubstrate, equipment, flags, { params: { substrate } })
    on.printRecord(shown, [
      ['substrate', shown.substrate_id],
      ['lot', shown.lot_id ?? ''],
      ['location', shown.location ?? ''],
      ['state', shown.state ?? ''],
      ['processing', shown.processing ?? ''],
      ...(shown.id_status === null ? [] : [['ID status', shown.id_status] as const]),
      ['source', shown.source ?? ''],
      ['destination', shown.destination ?? ''],
      ...shown.visits.map(
        ({ location, since, until }) => ['visit', `${location} ${since} ${until}`.trimEnd()] as const,
      ),
      ...shown.attributes
        .filter(({ name }) => shown.visits.length === 0 || !/^SubstHistory$/i.test(name))
        .map(({ name, text }) => [name, text] as const),
    ])
  },
})

const historyColumns = (formatTime: FormatTime): readonly Column<RecordedObjectChange>[] => [
  { title: 'AT', text: ({ at }) => formatTime(at), key: ({ at }) => at },
  { title: 'LOCATION', text: ({ details }) => details?.['location'] ?? '' },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'VALUE', text: ({ to, result }) => (result === undefined ? to : `${to} (${result})`) },
  { title: 'BEFORE', text: ({ from }) => from ?? '', spare: true },
  { title: 'SOURCE', text: ({ source }) => source },
  { title: 'MESSAGE', text: ({ message_id }) => message_id, spare: true },
]

export const substratesHistory = equipmentVerb({
  summary: 'Print the way of a substrate through equipment: its places and states, with their times.',
  description:
    'As event reports and the questions of the gateway have told it, oldest first; also of a substrate that is gone. A row has a location where the substrate went to another place. Sends nothing. Where events were lost, `substrates show` may have more.',
  examples: [
    'secsctl substrates history etcher FOUP7.01',
    'secsctl substrates history etcher FOUP7.01 --since 7d -o csv > FOUP7.01.csv',
  ],
  args: { substrate: SUBSTRATE_ARGUMENT },
  flags: { ...LIST_OUTPUT_FLAGS, ...TARGET_FLAGS, ...RANGE_FLAGS },
  async one(on, { args: { equipment, substrate }, flags }) {
    const range = rangeGiven(flags, on.clock.date())
    const { id, name } = await on.equipment(equipment)
    const columns = historyColumns(on.formatTime)
    const { since } = flags
    const none = `No change of ${substrate} in ${name} is recorded${since === undefined ? '' : ` since ${since}`}.`
    await on.printPages(
      { all: true },
      (paging) =>
        on.call(endpoints.listSubstrateHistory, {
          params: { id, substrate },
          query: { ...range, order: 'asc', ...paging },
        }),
      (items, isFirst) => on.printList(items, columns, isFirst ? none : '', isFirst),
    )
  },
})
