import { endpoints } from '../../contract/endpoints.js'
import type { AppliedChange, Equipment, EquipmentEntry } from '../../contract/equipment.js'
import type { Problem, ProblemExtra } from '../../contract/errors.js'
import { matchesSelector, parseSelector, type Selector } from '../../contract/selector.js'
import { isTapInUse, tapInUseText } from '../../contract/tap-words.js'
import { addressText } from '../../inspection/dialling.js'
import { shellWord } from '../../kit/shell-word.js'
import { isJsonObject } from '../../kit/text/json.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { GatewayCommand } from '../gateway-command.js'
import { YES } from '../input/arguments.js'
import { switchFlag, textFlag } from '../input/flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'
import { readText } from '../input/standard-input.js'
import type { Column } from '../output/output.js'
import { verb } from '../verb.js'
import { settledAtOnce } from './calls-at-once.js'
import {
  type FabEntry,
  type FabFile,
  fabFailure,
  furtherFaults,
  type PlacedEntry,
  readFabFile,
} from './fab-file.js'
import { type FabMapping, newMappings, putMappings, withMappings, withoutMapping } from './fab-mappings.js'
import { SELECTOR_FLAG, selectorGiven } from './label-flags.js'
import { sharedAddressNotes } from './shared-address.js'
import { namesOf } from './unreached.js'

/** A change that makes the gateway agree with a file. */
type FabChange =
  | AppliedChange
  | {
      readonly change: 'remove'
      readonly id: string
      readonly equipment: string
      readonly members: readonly []
    }

interface Scope {
  /** Only entries, and equipment to remove, with these labels. */
  readonly selector?: Selector | undefined
  /** Removes equipment that the file does not have. */
  readonly prune: boolean
}

interface FabScope {
  /** The entries that are meant, each with its place in the file, from 0. */
  readonly meant: readonly PlacedEntry[]
  readonly removed: readonly Extract<FabChange, { readonly change: 'remove' }>[]
}

/** What of a file is applied, and what is removed. */
export function fabScope(
  entries: FabFile['entries'],
  registered: readonly Equipment[],
  { selector, prune }: Scope,
): FabScope {
  const byName = new Map(registered.map((one) => [one.name.normalize(), one]))
  const isMeant = (labels: Equipment['labels'] = {}): boolean =>
    selector === undefined || matchesSelector(selector, labels)
  const named = new Set(entries.map(({ entry }) => entry.name.normalize()))
  const removed = prune
    ? registered.filter(({ name, labels }) => !named.has(name.normalize()) && isMeant(labels))
    : []
  return {
    meant: entries.filter(({ entry }) => isMeant(entry.labels ?? byName.get(entry.name.normalize())?.labels)),
    removed: removed.map(({ id, name }) => ({ change: 'remove', id, equipment: name, members: [] })),
  }
}

/** A change as it is printed for programs. */
const changeRecord = ({ change, equipment, members }: FabChange) => ({ change, equipment, members })

interface Row {
  readonly change: string
  readonly equipment: string
  readonly member: string
  readonly before: unknown
  readonly after: unknown
}

/** One row a member that changes; one for what is added or removed. */
const changeRows = (changes: readonly FabChange[], entries: readonly FabEntry[]): readonly Row[] =>
  changes.flatMap((one): readonly Row[] => {
    const { change, equipment, members } = one
    if (change === 'change')
      return members.map(({ member, before, after }) => ({ change, equipment, member, before, after }))
    const entry = change === 'add' ? entries.find(({ name }) => name === equipment) : undefined
    const after = entry ? addressText(entry) : null
    return [{ change, equipment, member: '', before: null, after }]
  })

const valueText = (value: unknown): string =>
  value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const CHANGE_COLUMNS: readonly Column<Row>[] = [
  { title: 'CHANGE', text: ({ change }) => change },
  { title: 'EQUIPMENT', text: ({ equipment }) => equipment },
  { title: 'MEMBER', text: ({ member }) => member },
  { title: 'BEFORE', text: ({ before }) => valueText(before) },
  { title: 'AFTER', text: ({ after }) => valueText(after) },
]

export const equipmentApply = verb(GatewayCommand, {
  summary: 'Register and change equipment by a file, and print the difference.',
  description:
    'The file is YAML or JSON, as `equipment export` prints it; equipment is found by its name. A member that the file does not have keeps its value, or gets the default in new equipment. But labels and item_formats are replaced as a whole. Equipment that is not in the file stays, unless you give --prune, which asks. `gem300` is the mapping of `gem300 map`. New equipment is not connected; address, timers and the like of connected equipment cannot change. The gateway checks everything first: if anything cannot be done, nothing is changed, and every fault is named with its line. Then all additions and changes take effect together, and removals follow. --dry-run makes the same check.',
  examples: [
    'secsctl equipment apply -f fab.yaml --dry-run',
    'secsctl equipment apply -f fab.yaml',
    "secsctl equipment apply -f fab.yaml --prune -l 'area=etch'",
  ],
  flags: {
    ...REASON_FLAG,
    file: textFlag('FILE', 'The file; - is standard input.', { char: 'f', required: true }),
    selector: SELECTOR_FLAG,
    'dry-run': switchFlag('Print the difference, and change nothing; the gateway checks it.'),
    prune: switchFlag('Remove equipment that is not in the file; with -l only what it selects.'),
    yes: YES,
  },
  async run(on, { flags }) {
    const { prune } = flags
    const { label_selector } = selectorGiven(flags.selector)
    const name = flags.file === '-' ? 'standard input' : flags.file
    const file = readFabFile(await readText(on.environment.stdin, flags.file, 'the file'), name)
    if (prune && file.entries.length === 0 && file.faults.length === 0)
      throw wrongUsage(`${name} has no equipment: --prune would remove everything`)
    const selector = label_selector === undefined ? undefined : parseSelector(label_selector)
    const registered = await on.allEquipment()
    const { meant, removed } = fabScope(file.entries, registered, { selector, prune })
    const equipment = meant.map(({ entry }) => withoutMapping(entry))
    const inFile = placedAs(meant)
    const { mappings, faults, refusal } = await newMappings(on, meant, registered)
    const known = [...file.faults, ...furtherFaults(file.faults, faults)]
    if (known.length > 0) {
      const { errors = [], more_errors } = await refusedBy(on, [
        ...meant,
        ...selectedBy(selector, file.nameless),
      ])
      throw fabFailure([...known, ...furtherFaults(known, errors)], file, more_errors !== undefined)
    }
    const locked = registered.filter((one) => one.lock && removed.some(({ id }) => id === one.id))
    if (locked.length > 0) {
      const locks = locked.map((one) => `${one.name} is locked by ${one.lock?.by}: ${one.lock?.reason}`)
      throw new Failure('state', `nothing was changed: ${locks.join('; ')}`)
    }
    const used = registered.filter((one) => isTapInUse(one) && removed.some(({ id }) => id === one.id))
    if (used.length > 0) {
      const texts = used.map((one) => tapInUseText(one.name, one.tap))
      throw new Failure('state', `nothing was changed: ${texts.join('; ')}. Disconnect it first.`)
    }
    on.subject.heading = `${name} cannot be applied`
    on.subject.wordOf = (pointer) => file.wordOf(inFile(pointer))
    on.subject.placeOf = (pointer) => file.placeOf(inFile(pointer))
    // The gateway knows best what it accepts, also without a dry run: nothing is asked about that would fail.
    const planned = await changesOf(on, equipment, true)
    if (refusal) throw refusal
    const changes = [...withMappings(planned, mappings), ...removed]
    const isJson = on.format === 'json'
    if (!isJson) await on.printList(changeRows(changes, equipment), CHANGE_COLUMNS, 'Nothing to change.')
    const names = changes.map((change) => change.equipment)
    for (const note of sharedAddressNotes(names, afterwards(equipment, registered))) on.note(note)
    if (flags['dry-run'] || changes.length === 0) {
      if (isJson) on.printJson(changes.map((change) => ({ ...changeRecord(change), applied: false })))
      else if (changes.length > 0) on.note(`Dry run: ${summary(changes)}. Nothing was changed.`)
      return
    }
    if (removed.length > 0) {
      const gone = namesOf(removed.map((one) => ({ name: one.equipment })))
      await on.confirmed(`Remove ${removed.length} equipment not in ${name} (${gone})?`, flags.yes)
    }
    await apply(on, equipment, removed, { file, mappings })
  },
})

/** The place in the file of what a pointer into the entries that were sent is about. */
const placedAs =
  (sent: readonly PlacedEntry[]) =>
  (pointer: string): string =>
    pointer.replace(/^\/equipment\/(\d+)/, (_, at) => `/equipment/${sent[Number(at)]?.at}`)

const selectedBy = (
  selector: Selector | undefined,
  entries: readonly PlacedEntry[],
): readonly PlacedEntry[] =>
  entries.filter(({ entry: { labels } }) => {
    const own = isJsonObject(labels) ? (labels as Equipment['labels']) : {}
    return selector === undefined || matchesSelector(selector, own)
  })

/** The faults that the gateway finds in the entries of a file that is refused anyway, by their places in the file. */
async function refusedBy(
  on: GatewayCommand,
  entries: readonly PlacedEntry[],
): Promise<Pick<ProblemExtra, 'errors' | 'more_errors'>> {
  const inFile = placedAs(entries)
  try {
    const equipment = entries.map(({ entry }) => withoutMapping(entry))
    await changesOf(on, equipment, true)
    return {}
  } catch (error) {
    const { errors = [], ...more } = (error as Partial<Problem>).extra ?? {}
    return { ...more, errors: errors.map((fault) => ({ ...fault, pointer: inFile(fault.pointer) })) }
  }
}

async function changesOf(
  on: GatewayCommand,
  equipment: readonly FabEntry[],
  dryRun: boolean,
): Promise<readonly AppliedChange[]> {
  if (equipment.length === 0) return []
  const given = { query: { dry_run: dryRun }, body: { equipment: [...equipment] as EquipmentEntry[] } }
  return (await on.call(endpoints.applyEquipment, given)).changes
}

/** Registers and changes all together, gives their mappings, then removes one after the other. */
async function apply(
  on: GatewayCommand,
  equipment: readonly FabEntry[],
  removed: FabScope['removed'],
  { file, mappings }: { readonly file: FabFile; readonly mappings: readonly FabMapping[] },
): Promise<void> {
  const made = await changesOf(on, equipment, false)
  await putMappings(on, file, mappings, made)
  const changes = withMappings(made, mappings)
  const { done, failure } = await settledAtOnce(removed, async (change) => {
    await on.call(endpoints.deleteEquipment, { params: { id: change.id } })
    return change
  })
  const applied: readonly FabChange[] = [...changes, ...done]
  const all: readonly FabChange[] = [...changes, ...removed]
  if (on.format === 'json')
    on.printJson(all.map((change) => ({ ...changeRecord(change), applied: applied.includes(change) })))
  on.note(`${applied.length} of ${all.length} done: ${summary(applied)}.`)
  const added = changes.filter(({ change }) => change === 'add').map((change) => change.equipment)
  if (added.length > 0) on.note(`Equipment that was added is not connected. Next: ${connectHint(added)}`)
  if (failure !== undefined) throw failure
}

/** Where all equipment will be. */
function afterwards(entries: readonly FabEntry[], registered: readonly Equipment[]) {
  const places = new Map<string, Parameters<typeof sharedAddressNotes>[1][number]>()
  for (const one of registered) places.set(one.name.normalize(), one)
  for (const entry of entries) {
    const before = { mode: 'passive' as const, ...places.get(entry.name.normalize()) }
    places.set(entry.name.normalize(), { ...before, ...entry })
  }
  return [...places.values()]
}

/** Names that a command to try lists; of more, all equipment is connected. */
const MAX_NAMES = 8

const connectHint = (names: readonly string[]): string =>
  names.length > MAX_NAMES
    ? 'secsctl equipment connect --all'
    : `secsctl equipment connect ${names.some((name) => name.startsWith('-')) ? '-- ' : ''}${names.map(shellWord).join(' ')}`

/** Such as `2 added, 1 changed, 0 removed`. */
function summary(changes: readonly FabChange[]): string {
  const count = (kind: FabChange['change']): number => changes.filter(({ change }) => change === kind).length
  return `${count('add')} added, ${count('change')} changed, ${count('remove')} removed`
}
