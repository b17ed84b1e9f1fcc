import { Document, isScalar, visit } from 'yaml'
import type { Equipment } from '../../contract/equipment.js'
import type { Fault } from '../../contract/errors.js'
import { isLabelKey, isLabelValue, LABEL_KEY_RULE, LABEL_VALUE_RULE } from '../../contract/selector.js'
import { SETTABLE } from '../../contract/topics/equipment/equipment-settings.js'
import type { Gem300Mapping } from '../../contract/topics/gem300/mapping.js'
import { faultsBy } from '../../kit/schema-faults.js'
import { isJsonObject } from '../../kit/text/json.js'
import { type Place, pointerStep } from '../../kit/text/json-text.js'
import { FOR_OLD_READERS } from '../../kit/text/yaml-for-old-readers.js'
import { type Failure, wrongUsage } from '../errors/failure.js'
import { inFileOrder, placeWord } from '../errors/file-places.js'
import { yamlIn } from '../input/yaml-input.js'

/** One equipment in a file. */
export type FabEntry = Partial<
  Pick<Equipment, Exclude<(typeof SETTABLE)[number], 'name' | 'timers' | 'tap'>>
> & {
  readonly name: string
  readonly timers?: Partial<Equipment['timers']>
  readonly tap?: Partial<Equipment['tap']>
  /** Given by a call of its own. */
  readonly gem300?: Gem300Mapping
}

/** An entry, and its place in the file, from 0. */
export interface PlacedEntry {
  readonly entry: FabEntry
  readonly at: number
}

/** What a file says of equipment, and what it calls the member at a JSON Pointer. */
export interface FabFile {
  /** Those with a name, each with its place in the file, from 0: what else is wrong with one, the gateway may know. */
  readonly entries: readonly PlacedEntry[]
  /** Those without a name: the gateway knows what else is wrong with them. */
  readonly nameless: readonly PlacedEntry[]
  /** What is wrong by the form of the file, or by what no gateway is needed for. */
  readonly faults: readonly Fault[]
  readonly wordOf: (pointer: string) => string
  readonly placeOf: (pointer: string) => Place
}

/** Equipment with its mapping, where it has one. */
export interface MappedEquipment {
  readonly equipment: Equipment
  readonly gem300: Gem300Mapping | null
}

/** Equipment as `equipment apply` reads it: without ids and states. */
export const exported = (all: readonly MappedEquipment[]) => ({
  equipment: all.map(({ equipment, gem300 }) => {
    const members = [...SETTABLE.map((name) => [name, equipment[name]] as const), ['gem300', gem300] as const]
    return Object.fromEntries(members.filter(([, value]) => value !== null))
  }),
})

/** The same as YAML. */
export function fabText(all: readonly MappedEquipment[]): string {
  const document = new Document(exported(all), FOR_OLD_READERS)
  visit(document, {
    Map(_, map) {
      if (map.items.every(({ value }) => isScalar(value)) && !map.has('name')) map.flow = true
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

/** More faults than these are counted. */
const MAX_FAULTS = 1000

/** Reads a file of equipment. `file` names it for a person. Throws wrong usage for what is no YAML. */
export function readFabFile(text: string, file: string): FabFile {
  const { value, placeOf } = yamlIn(text, file)
  const faults = fileFaults(value)
  const list = isJsonObject(value) && Array.isArray(value['equipment']) ? value['equipment'] : []
  const all = list.flatMap((entry: unknown, at) =>
    isJsonObject(entry) ? [{ entry: withoutNulls(entry as unknown as FabEntry), at }] : [],
  )
  const isNamed = ({ entry }: PlacedEntry): boolean => typeof entry.name === 'string'
  const [entries, nameless] = [all.filter(isNamed), all.filter((one) => !isNamed(one))]
  return { entries, nameless, faults, placeOf, wordOf: placeWord(file, placeOf) }
}

/** Without those at, within or around a member that the file itself has a fault at: they would say the same. A fault of a whole entry, such as a lock, does not. */
export const furtherFaults = (own: readonly Fault[], others: readonly Fault[]): readonly Fault[] =>
  others.filter(({ pointer: other }) =>
    own.every(
      ({ pointer }) =>
        pointer !== other &&
        !other.startsWith(`${pointer}/`) &&
        (isWhole(other) || !pointer.startsWith(`${other}/`)),
    ),
  )

/** The pointer of an entry as a whole. */
const isWhole = (pointer: string): boolean => /^\/equipment\/\d+$/.test(pointer)

/** Faults of a file as one error, in the order of their places. `isPart`: the gateway has named some of its faults alone. */
export function fabFailure(faults: readonly Fault[], { wordOf, placeOf }: FabFile, isPart = false): Failure {
  const lines = inFileOrder(faults, placeOf).map(({ pointer, detail }) => `${wordOf(pointer)}: ${detail}`)
  const more = lines.length > MAX_FAULTS ? [`and ${lines.length - MAX_FAULTS} more`] : []
  const further = isPart ? ['and further faults, which the gateway names once these are mended'] : []
  return wrongUsage([...lines.slice(0, MAX_FAULTS), ...more, ...further].join('\n'))
}

/** As in the API, a member that is null is left out; but a tap that is null is removed. */
const withoutNulls = (entry: FabEntry): FabEntry =>
  Object.fromEntries(
    Object.entries(entry).filter(([name, value]) => value !== null || name === 'tap'),
  ) as unknown as FabEntry

const map = (values: object = {}) => ({
  type: 'object',
  nullable: true,
  description: 'has to be a map',
  additionalProperties: values,
})
/** What to write in place of members that people try. */
const ADVICE: Readonly<Record<string, string>> = {
  address: 'write ip_address and port',
  host: 'write ip_address and port',
  '<<': 'YAML has no merge keys any more; write the members out',
}

// The API leaves a null out: the difference would be printed again and again.
const NO_NULL = { not: { type: 'null' }, description: 'is null: leave it out' }

const faultsIn = faultsBy(
  {
    type: 'object',
    description: 'has to be a map with a list: equipment',
    required: ['equipment'],
    additionalProperties: false,
    properties: {
      equipment: {
        type: 'array',
        description: 'has to be a list',
        items: {
          type: 'object',
          description: 'has to be a map with a name',
          required: ['name'],
          additionalProperties: false,
          properties: {
            ...Object.fromEntries(SETTABLE.map((name) => [name, {}])),
            name: { type: 'string', minLength: 1, description: 'has to be a text' },
            labels: map(),
            timers: map(NO_NULL),
            item_formats: map(NO_NULL),
            tap: map(),
            gem300: map(),
          },
        },
      },
    },
  },
  {
    missing: () => 'is required',
    unknown: (name, { properties = {} }) => {
      const advice = ADVICE[name]
      if (advice !== undefined) return `is not known here: ${advice}`
      const known = Object.keys(properties)
      return `is not known here; known ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`
    },
    unfit: (_, { description = '' }) => description,
  },
)

function fileFaults(value: unknown): readonly Fault[] {
  const entries = isJsonObject(value) && Array.isArray(value['equipment']) ? value['equipment'] : []
  return [...faultsIn(value), ...entryFaults(entries)]
}

/** What is wrong beside the form of the file: names that are there twice, and labels. */
function entryFaults(entries: readonly unknown[]): readonly Fault[] {
  const names = new Set<string>()
  return entries.flatMap((entry, at) => {
    if (!isJsonObject(entry)) return []
    const { name, labels } = entry
    const key = typeof name === 'string' ? name.normalize() : ''
    const twice = key !== '' && names.has(key)
    names.add(key)
    return [
      ...(twice ? [{ pointer: '/name', detail: `${key} is in the file twice` }] : []),
      ...(isJsonObject(labels) ? labelFaults(labels) : []),
    ].map(({ pointer, detail }) => ({ pointer: `/equipment/${at}${pointer}`, detail }))
  })
}

const labelFaults = (labels: Readonly<Record<string, unknown>>): readonly Fault[] =>
  Object.entries(labels).flatMap(([key, value]): Fault[] => {
    const pointer = `/labels${pointerStep(key)}`
    if (!isLabelKey(key)) return [{ pointer, detail: `is not ${LABEL_KEY_RULE}` }]
    // YAML reads 03 as the number 3.
    if (typeof value !== 'string') return [{ pointer, detail: 'has to be a text: put it in quotes' }]
    return isLabelValue(value) ? [] : [{ pointer, detail: `is not ${LABEL_VALUE_RULE}` }]
  })
