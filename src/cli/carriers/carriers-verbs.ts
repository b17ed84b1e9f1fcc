import { endpoints } from '../../contract/endpoints.js'
import type { Carrier } from '../../contract/topics/gem300/carriers.js'
import type { SiteObject } from '../../contract/topics/gem300/known-lists.js'
import { mayTellPresence, PRESENCE_HINT, slotMapText } from '../../gem300/slot-map.js'
import { outputFlag, RECORD_FORMATS } from '../base-command.js'
import { equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGES, READS } from '../equipment/equipment-targets.js'
import { wrongUsage } from '../errors/failure.js'
import { asksForKnown, detailOf, KNOWN_FLAGS, printKnown, stateOf } from '../gem300/known-list.js'
import { printObjectResult } from '../gem300/object-result.js'
import { optional, required } from '../input/arguments.js'
import { numberFlag, textFlag, textsFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import type { Column } from '../output/output.js'
import { portGiven } from '../ports/ports-verbs.js'

const CARRIER_ARGUMENT = required('Carrier ID.')

const slotsText = ({ slots }: Carrier): string => slotMapText(slots.map(({ state }) => state as never))

/** Its slot map cannot be one by the numbers of the standard. */
const tellsPresence = ({ slots }: Carrier): boolean =>
  mayTellPresence(slots.map(({ state }) => state as never)).isCertain

/** A state; on a terminal without what the title of its column says, since in 80 columns its end would be cut. */
const stateText = (state: string | null, isTerminal: boolean): string =>
  (isTerminal ? state?.replace(/^(ID|SLOT_MAP)_(VERIFICATION_)?/, '') : state) ?? ''

const columns = (isTerminal: boolean): readonly Column<Carrier>[] => [
  { title: 'CARRIER', text: ({ carrier_id }) => carrier_id },
  { title: 'LOCATION', text: ({ location }) => location ?? '', spare: true },
  { title: 'ID STATUS', text: ({ id_status }) => stateText(id_status, isTerminal) },
  { title: 'SLOT MAP STATUS', text: ({ slot_map_status }) => stateText(slot_map_status, isTerminal) },
  { title: 'ACCESSING', text: ({ accessing_status }) => accessing_status ?? '' },
  { title: 'SLOTS', text: slotsText },
]

const knownColumns = (isTerminal: boolean): readonly Column<SiteObject>[] => [
  { title: 'CARRIER', text: ({ object_id }) => object_id },
  { title: 'LOCATION', text: (one) => detailOf(one, 'location'), spare: true },
  { title: 'ID STATUS', text: (one) => stateText(stateOf(one, 'id_status'), isTerminal) },
  { title: 'SLOT MAP STATUS', text: (one) => stateText(stateOf(one, 'slot_map_status'), isTerminal) },
  { title: 'ACCESSING', text: (one) => stateOf(one, 'accessing_status') },
  { title: 'SLOTS', text: (one) => detailOf(one, 'slot_map'), spare: true },
]

export const carriersList = equipmentVerb({
  summary: 'List the carriers at equipment (S14F1), or all that the gateway knows.',
  description:
    'Without EQUIPMENT, lists what the gateway knows of all equipment, the newest first, and sends nothing. Slots are a letter each, from slot 1: . empty, o correctly occupied, D double slotted, X cross slotted, * not empty, ? undefined, ! a number without a known meaning.',
  usage: 'carriers list [EQUIPMENT...]',
  examples: [
    'secsctl carriers list etcher',
    'secsctl carriers list --object FOUP7',
    'secsctl carriers list --known -l area=etch --watch',
  ],
  flags: { ...LIST_OUTPUT_FLAGS, ...READS, ...KNOWN_FLAGS },
  site: {
    isMeant: asksForKnown,
    run(on, given) {
      const columns = () => knownColumns(on.sink.isTerminal)
      return printKnown(on, given, 'carrier', columns, 'No carrier is known.')
    },
  },
  async one(on, { args, flags }) {
    const { items } = await on.ask(endpoints.listCarriers, args.equipment, flags)
    await on.printList(items, columns(on.sink.isTerminal), 'No carriers.')
    if (items.some(tellsPresence)) on.note(`${PRESENCE_HINT}.`)
  },
})

export const carriersShow = equipmentVerb({
  summary: 'Show a carrier with its slots (S14F1).',
  examples: ['secsctl carriers show etcher FOUP7'],
  args: { carrier: CARRIER_ARGUMENT },
  flags: { ...READS, output: outputFlag(RECORD_FORMATS) },
  async one(on, { args: { equipment, carrier }, flags }) {
    const shown = await on.ask(endpoints.getCarrier, equipment, flags, { params: { carrier } })
    on.printRecord(shown, [
      ['carrier', shown.carrier_id],
      ['location', shown.location ?? ''],
      ['ID status', shown.id_status ?? ''],
      ['slot map status', shown.slot_map_status ?? ''],
      ['accessing', shown.accessing_status ?? ''],
      ...shown.slots.map(
        ({ slot, state, lot_id, substrate_id }) =>
          [`slot ${slot}`, [state, lot_id, substrate_id].filter(Boolean).join(' ')] as const,
      ),
    ])
    if (tellsPresence(shown)) on.note(`${PRESENCE_HINT}.`)
  },
})

const CONTENT_FLAGS = {
  port: textFlag('PTN', 'Port number; none is sent unless given.'),
  capacity: numberFlag('Slots of the carrier (Capacity).', { min: 0, max: 255 }),
  substrates: numberFlag('SubstrateCount.', { min: 0, max: 255 }),
  usage: textFlag('USAGE', 'Usage, such as product.'),
  'slot-map': textFlag('SLOTS', 'A letter for each slot from slot 1, such as ooo..: . empty, o occupied.'),
  content: textsFlag('LOT/SUBSTRATE', 'ContentMap: repeated for each slot from slot 1; / for an empty one.'),
}

/** `L1/W1` is a lot and a substrate. */
export function contentGiven(text: string): { lot_id: string; substrate_id: string } {
  const [, lot_id, substrate_id] = /^([^/]*)\/(.*)$/.exec(text) ?? []
  if (lot_id === undefined || substrate_id === undefined)
    throw wrongUsage(`--content "${text}" is no LOT/SUBSTRATE, such as L1/W1, or / for an empty slot`)
  return { lot_id, substrate_id }
}

interface CarrierVerb {
  /** With hyphens it is the name of the verb. */
  readonly command: 'proceed' | 'release' | 'bind' | 'cancel_bind' | 'notify' | 'cancel_notification'
  readonly summary: string
  readonly description?: string
}

const carrierCommand = ({ command, summary, description }: CarrierVerb) =>
  equipmentVerb({
    summary: `${summary} (S3F17); exit code 8 when refused.`,
    ...(description && { description }),
    examples: [`secsctl carriers ${command.replaceAll('_', '-')} etcher FOUP7 --port 1`],
    args: { carrier: CARRIER_ARGUMENT },
    flags: { ...CHANGES, ...CONTENT_FLAGS },
    words: { '/carrier_id': 'CARRIER', '/slot_map': '--slot-map', '/contents': '--content' },
    async one(on, { args: { equipment, carrier }, flags }) {
      const { port, capacity, substrates, usage, content } = flags
      const slot_map = flags['slot-map']
      const body = {
        command,
        carrier_id: carrier,
        ...(port !== undefined && { port: portGiven(port) }),
        ...(capacity !== undefined && { capacity }),
        ...(substrates !== undefined && { substrate_count: substrates }),
        ...(usage !== undefined && { usage }),
        ...(slot_map !== undefined && { slot_map }),
        ...(content && { contents: content.map(contentGiven) }),
      }
      const result = await on.ask(endpoints.commandCarrier, equipment, flags, { body })
      printObjectResult(on, result, [
        ['carrier', carrier],
        ['CAACK', result.caack],
      ])
    },
  })

export const carriersProceed = carrierCommand({
  command: 'proceed',
  summary: 'Accept the ID or the slot map of a carrier that waits for the host',
  description:
    'Once for the ID and once for the slot map. With --port the ID is for a carrier that could not be read. Some equipment wants the slot map or the contents of all slots with one of the two.',
})
export const carriersRelease = carrierCommand({
  command: 'release',
  summary: 'Release a carrier that is done, so that it can be taken',
})
export const carriersBind = carrierCommand({
  command: 'bind',
  summary: 'Bind a carrier that will come to a load port',
})
export const carriersCancelBind = carrierCommand({
  command: 'cancel_bind',
  summary: 'Cancel the binding of a carrier',
})
export const carriersNotify = carrierCommand({
  command: 'notify',
  summary: 'Announce a carrier that will come to any load port',
})
export const carriersCancelNotification = carrierCommand({
  command: 'cancel_notification',
  summary: 'Cancel the announcement of a carrier',
})

export const carriersCancel = equipmentVerb({
  summary: 'Cancel a carrier, by its ID or at a port (S3F17); exit code 8 when refused.',
  description:
    'Without CARRIER it is the one at --port (CancelCarrierAtPort), such as one whose ID cannot be read.',
  examples: ['secsctl carriers cancel etcher FOUP7 --yes', 'secsctl carriers cancel etcher --port 1 --yes'],
  usage: 'carriers cancel EQUIPMENT [CARRIER]',
  args: { carrier: optional('Carrier ID; the carrier at --port when left out.') },
  flags: { ...CHANGES, port: CONTENT_FLAGS.port },
  words: { '/carrier_id': 'CARRIER' },
  async one(on, { args: { equipment, carrier }, flags }) {
    const port = flags.port === undefined ? undefined : portGiven(flags.port)
    if (carrier === undefined && port === undefined) throw wrongUsage('give a CARRIER or --port')
    const { id, name } = await on.equipment(equipment)
    await on.confirmed(`Cancel ${carrier ?? `the carrier at port ${port}`} in ${name}?`, flags.yes)
    const body = {
      command: 'cancel' as const,
      ...(carrier !== undefined && { carrier_id: carrier }),
      ...(port !== undefined && { port }),
    }
    const result = await on.ask(endpoints.commandCarrier, id, flags, { body })
    printObjectResult(on, result, [
      ['carrier', result.carrier_id ?? `at port ${port}`],
      ['CAACK', result.caack],
    ])
  },
})
