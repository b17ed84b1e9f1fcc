import { endpoints } from '../../contract/endpoints.js'
import {
  FOLLOWED_KINDS,
  type Gem300,
  type Gem300Mapping,
  type KnownObject,
} from '../../contract/topics/gem300/mapping.js'
import { argumentWord } from '../../kit/shell-word.js'
import { counted } from '../../secs2/wording.js'
import { outputFlag } from '../base-command.js'
import { type EquipmentCommand, equipmentVerb } from '../equipment/equipment-command.js'
import { CHANGE_FLAGS, TARGET_FLAGS } from '../equipment/equipment-targets.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { placeWord } from '../errors/file-places.js'
import { choicesFlag, switchFlag, textFlag } from '../input/flags.js'
import { LIST_OUTPUT_FLAGS } from '../input/list-output-flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { readBytes, textOf } from '../input/standard-input.js'
import { yamlIn } from '../input/yaml-input.js'
import { definitionText, documentText } from '../output/definition-text.js'
import type { Column } from '../output/output.js'

/** Bytes of a file with a mapping: more than the gateway takes. */
const MAX_FILE_BYTES = 32 * 1024 * 1024

/** What a mapping has, and what is known of the equipment. */
function fieldsOf(shown: Gem300, formatTime: (at: string) => string): readonly (readonly [string, string])[] {
  const { applied_at, applied_by, aligned_at, refused, missing, unknown } = shown
  const mapping = shown.mapping as Gem300Mapping | null
  const size = mapping
    ? `${counted(mapping.events?.length ?? 0, 'event')}, ${counted(mapping.status?.length ?? 0, 'row')} of status variables`
    : 'none'
  const given =
    applied_at === null ? [] : [['mapping given', `${formatTime(applied_at)} by ${applied_by}`] as const]
  return [
    ['mapping', size],
    ...given,
    [
      'objects last asked for',
      aligned_at === null ? 'not since the gateway started' : formatTime(aligned_at),
    ],
    ['messages it does not know', refused.join(' ') || 'none met'],
    ['objects it does not give', missing.join(' ') || 'none met'],
    ['names it does not have', unknown.join(', ') || 'none'],
  ]
}

function printShown(on: EquipmentCommand, shown: Gem300): void {
  on.printRecord(shown, fieldsOf(shown, on.formatTime))
  if (shown.note !== null) on.note(shown.note)
}

export const gem300Show = equipmentVerb({
  summary: 'Show how the GEM 300 of equipment is mapped, and what it does not know.',
  description:
    'With -o yaml, prints the mapping as a file that you can edit and give to `gem300 map`. Sends nothing to the equipment.',
  examples: ['secsctl gem300 show etcher', 'secsctl gem300 show etcher -o yaml > etcher.gem300.yaml'],
  flags: { ...TARGET_FLAGS, output: outputFlag(['table', 'tsv', 'json', 'yaml']) },
  async one(on, { args }) {
    const { id, name } = await on.equipment(args.equipment)
    const shown = await on.call(endpoints.getGem300, { params: { id } })
    if (on.format !== 'yaml') return printShown(on, shown)
    if (shown.mapping === null) throw new Failure('missing', `${name} has no mapping`)
    on.print(documentText(shown.mapping))
  },
})

export const gem300Map = equipmentVerb({
  summary: 'Say which events and variables tell the states of ports, carriers, jobs and substrates.',
  description:
    'The file is YAML or JSON; `--propose` prints one from the names that the equipment gives, for you to check: a line that is not certain is a comment, with the reason. Names that are not known yet are asked for. Names and numbers that the equipment does not have are refused with their line. `--reports` prints the event reports that the mapping needs, for `reports apply`. A mapping without events in place of one with events needs a confirmation, or --yes. Equipment with a mapping, also with an empty one, is asked for its objects after each connect and when it comes online again, unless it is tapped.',
  examples: [
    'secsctl gem300 map etcher --propose > etcher.gem300.yaml',
    'secsctl gem300 map etcher -f etcher.gem300.yaml --dry-run',
    'secsctl gem300 map etcher -f etcher.gem300.yaml',
    'secsctl gem300 map etcher --reports > etcher.reports.yaml',
  ],
  flags: {
    ...REASON_FLAG,
    ...CHANGE_FLAGS,
    file: textFlag('FILE', 'The mapping; - is standard input.', { char: 'f' }),
    propose: switchFlag('Print a mapping by the names that the equipment gives; nothing is applied.'),
    reports: switchFlag('Print the event reports that the mapping needs; nothing is sent.'),
    'dry-run': switchFlag('Check the mapping, and keep nothing.'),
  },
  async one(on, { args, flags: { file, propose, reports, 'dry-run': dryRun, yes } }) {
    const given = [file !== undefined, propose, reports].filter(Boolean).length
    if (given !== 1) throw wrongUsage('give one of -f FILE, --propose and --reports')
    if (dryRun && file === undefined) throw wrongUsage('--dry-run goes with -f')
    const { id, name } = await on.equipment(args.equipment)
    if (propose) return printProposal(on, id, name)
    if (reports) return printReports(on, id, name)
    const mapping = await mappingIn(on, file ?? '-')
    const query = dryRun ? { dry_run: true } : {}
    const lost = dryRun ? 0 : await eventsLost(on, { id, name }, mapping, yes)
    const shown = await on.call(endpoints.applyGem300, { params: { id }, query, body: mapping })
    printShown(on, shown)
    if (dryRun) return on.note('Dry run: nothing was changed.')
    if (lost > 0) return on.note(`The mapping of ${name} has no events now; it had ${lost}.`)
    on.note(`Next: secsctl gem300 map ${argumentWord(name)} --reports`)
  },
})

/** The number of events of the present mapping where the new one has none; that is asked first. */
async function eventsLost(
  on: EquipmentCommand,
  { id, name }: { readonly id: string; readonly name: string },
  mapping: Gem300Mapping,
  yes: boolean,
): Promise<number> {
  if (mapping.events !== undefined && mapping.events.length !== 0) return 0
  const shown = await on.call(endpoints.getGem300, { params: { id } })
  const lost = (shown.mapping as Gem300Mapping | null)?.events?.length ?? 0
  if (lost > 0)
    await on.confirmed(
      `Replace the mapping of ${name}, which has ${counted(lost, 'event')}, by one without events?`,
      yes,
    )
  return lost
}

async function printProposal(on: EquipmentCommand, id: string, name: string): Promise<void> {
  const proposal = await on.call(endpoints.proposeGem300, { params: { id } })
  if (on.format === 'json') return on.printJson(proposal)
  on.print(proposal.file)
  const { certain, to_decide } = proposal
  if (certain + to_decide === 0) return on.note(`No name of ${name} is one of GEM 300 that is known.`)
  on.note(
    `${counted(certain, 'line')} from its names; ${counted(to_decide, 'further one')} to be decided, as comments.`,
  )
}

async function printReports(on: EquipmentCommand, id: string, name: string): Promise<void> {
  const definition = await on.call(endpoints.gem300Reports, { params: { id } })
  if (definition.events.length === 0) await requireMapping(on, id, name)
  if (on.format === 'json') return on.printJson(definition)
  if (definition.events.length === 0) return on.note(`The mapping of ${name} has no events.`)
  on.print(definitionText(definition))
}

async function requireMapping(on: EquipmentCommand, id: string, name: string): Promise<void> {
  const { mapping } = await on.call(endpoints.getGem300, { params: { id } })
  if (mapping !== null) return
  const hint = `secsctl gem300 map ${argumentWord(name)} --propose > FILE, and then -f FILE`
  throw new Failure('missing', `${name} has no mapping, which says what reports it needs`, hint)
}

/** The mapping in a file, or of standard input. Faults that the gateway finds are told with their places in it. */
async function mappingIn(on: EquipmentCommand, given: string): Promise<Gem300Mapping> {
  const file = given === '-' ? 'standard input' : given
  const bytes = await readBytes(on.environment.stdin, given, 'the mapping', MAX_FILE_BYTES)
  const { value, placeOf } = yamlIn(textOf(bytes, file), file)
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    const { line, column } = placeOf('')
    throw wrongUsage(
      `${file} cannot be applied as it is: ${file}:${line}:${column}: must be an object with settings, variables, events and status`,
    )
  }
  on.subject.heading = `${file} cannot be applied as it is`
  on.subject.wordOf = placeWord(file, placeOf)
  on.subject.placeOf = placeOf
  // What it is, the gateway judges.
  return (value ?? {}) as Gem300Mapping
}

export const gem300Remove = equipmentVerb({
  summary: 'Remove the mapping: the gateway does not follow the objects of the equipment any more.',
  description:
    'What is known of its objects stays until the equipment is removed. `gem300 show EQ -o yaml` saves the mapping.',
  examples: ['secsctl gem300 remove etcher --yes'],
  flags: { ...REASON_FLAG, ...CHANGE_FLAGS },
  async one(on, { args, flags }) {
    const { id, name } = await on.equipment(args.equipment)
    await on.confirmed(`Remove the GEM 300 mapping of ${name}?`, flags.yes)
    const shown = await on.call(endpoints.removeGem300, { params: { id } })
    if (on.format === 'json') return on.printJson(shown)
    on.note(`${name} has no mapping any more.`)
  },
})

export const gem300Align = equipmentVerb({
  summary: 'Ask equipment for all its objects now (S16F19, S14F1, S1F3).',
  description:
    'As the gateway does by itself after a connect. Where an attribute differs from what an event has said since the connect, the gateway uses the event.',
  examples: ['secsctl gem300 align etcher'],
  flags: { ...REASON_FLAG, ...CHANGE_FLAGS },
  async one(on, { args }) {
    const { id } = await on.equipment(args.equipment)
    printShown(on, await on.call(endpoints.alignGem300, { params: { id } }))
  },
})

interface Row {
  readonly kind: string
  readonly object: string
  readonly state: string
  readonly value: string
  readonly source: string
  readonly since: string
  readonly object_has: string
  readonly details: string
}

/** A row for each state of an object; the first one has its details. */
const rowsOf = ({ kind, object_id, states, details }: KnownObject): Row[] =>
  Object.entries(states).map(([state, { state: value, source, since, last_known, object_has = '' }], at) => {
    const all = { ...(last_known && { last_known: last_known.state }), ...details }
    const shown = Object.entries(all).flatMap(([name, text]) => (text === '' ? [] : [`${name}=${text}`]))
    return {
      kind,
      object: object_id,
      state,
      value,
      source,
      since,
      object_has,
      details: at === 0 ? shown.join(' ') : '',
    }
  })

export const gem300List = equipmentVerb({
  summary: 'List the ports, carriers, jobs, substrates and modules that the gateway knows.',
  description:
    'What events and the last alignment have said. Sends nothing. OBJECT HAS is what the attribute of an object says where it differs from the event; the gateway uses the event. The state of a module is UNKNOWN where nothing has told it since the equipment could last tell it: SINCE is when it was lost, and DETAILS have the last one. DETAILS are shown where there is room for them.',
  examples: [
    'secsctl gem300 list etcher',
    'secsctl gem300 list etcher --kind substrate --kind performance',
    'secsctl gem300 list etcher --object FOUP7',
  ],
  flags: {
    ...LIST_OUTPUT_FLAGS,
    ...TARGET_FLAGS,
    kind: choicesFlag(FOLLOWED_KINDS, 'Only objects of this kind. May be repeated.'),
    object: textFlag('ID', 'Only the object with this ID.'),
  },
  async one(on, { args, flags: { kind, object } }) {
    const { id, name } = await on.equipment(args.equipment)
    const query = { ...(kind && { kind }), ...(object !== undefined && { object_id: object }) }
    const { items } = await on.call(endpoints.listKnownObjects, { params: { id }, query })
    if (on.format === 'json') return on.printJson(items)
    const columns: readonly Column<Row>[] = [
      { title: 'KIND', text: (row) => row.kind },
      { title: 'OBJECT', text: (row) => row.object },
      { title: 'STATE', text: (row) => row.state },
      { title: 'VALUE', text: (row) => row.value },
      { title: 'SOURCE', text: (row) => row.source },
      { title: 'SINCE', text: (row) => on.formatTime(row.since), key: (row) => row.since },
      { title: 'OBJECT HAS', text: (row) => row.object_has, spare: 'empty' },
      { title: 'DETAILS', text: (row) => row.details, wraps: true, spare: true },
    ]
    await on.printList(items.flatMap(rowsOf), columns, `No object of ${name} is known.`)
  },
})
