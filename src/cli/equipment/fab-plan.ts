import { isDeepStrictEqual } from 'node:util'
import type { Equipment, EquipmentChange, NewEquipment } from '../../contract/equipment.js'
import { matchesSelector, type Selector } from '../../contract/selector.js'
import { addressText } from '../../inspection/dialling.js'
import type { Column } from '../output/output.js'
import { type FabEntry, SETTABLE } from './fab-file.js'

interface MemberChange {
  /** Such as `port`, or `labels.bay`. */
  readonly member: string
  /** Null where there was nothing, or will be nothing. */
  readonly before: unknown
  readonly after: unknown
}

interface About {
  readonly equipment: string
  readonly members: readonly MemberChange[]
}

/** A change that makes the gateway agree with a file. `at`: the place in the file, from 0. */
export type FabChange = About &
  (
    | { readonly change: 'add'; readonly body: NewEquipment; readonly at: number }
    | { readonly change: 'change'; readonly id: string; readonly body: EquipmentChange; readonly at: number }
    | { readonly change: 'remove'; readonly id: string }
  )

export interface Scope {
  /** Only entries, and equipment to remove, with these labels. */
  readonly selector?: Selector | undefined
  /** Removes equipment that the file does not have. */
  readonly prune: boolean
}

/** The changes that are needed, in the order of the file, then what is removed. */
export function fabPlan(
  entries: readonly FabEntry[],
  registered: readonly Equipment[],
  { selector, prune }: Scope,
): readonly FabChange[] {
  const byName = new Map(registered.map((one) => [one.name.normalize(), one]))
  const isMeant = (labels: Equipment['labels'] = {}): boolean =>
    selector === undefined || matchesSelector(selector, labels)
  const changes = entries.flatMap((entry, at): FabChange[] => {
    const current = byName.get(entry.name.normalize())
    if (!isMeant(entry.labels ?? current?.labels)) return []
    const members = memberChanges(entry, current)
    const about = { equipment: entry.name, members, at }
    // The gateway judges whether it is whole.
    if (!current) return [{ ...about, change: 'add', body: entry as NewEquipment }]
    return members.length === 0
      ? []
      : [{ ...about, change: 'change', id: current.id, body: changeBody(entry, members) }]
  })
  const named = new Set(entries.map(({ name }) => name.normalize()))
  const removed = prune
    ? registered.filter(({ name, labels }) => !named.has(name.normalize()) && isMeant(labels))
    : []
  return [
    ...changes,
    ...removed.map(({ id, name }) => ({ change: 'remove' as const, id, equipment: name, members: [] })),
  ]
}

/** `labels` and `item_formats` are whole in a file; of `timers`, those that are left out keep their value. */
function memberChanges(entry: FabEntry, current: Equipment | undefined): readonly MemberChange[] {
  return SETTABLE.filter((name) => name !== 'name' && entry[name] !== undefined).flatMap(
    (name): MemberChange[] => {
      const after: unknown = entry[name]
      const before: unknown = current?.[name]
      if (typeof after !== 'object' || after === null)
        return after === before ? [] : [{ member: name, before: before ?? null, after }]
      const [old, given] = [{ ...(before as object) }, after] as Record<string, unknown>[]
      const keys = Object.keys(name === 'timers' ? { ...given } : { ...old, ...given })
      return keys
        .map((key) => ({ member: `${name}.${key}`, before: old?.[key] ?? null, after: given?.[key] ?? null }))
        .filter((change) => !isDeepStrictEqual(change.before, change.after))
    },
  )
}

/** The members that differ; of labels those that differ, null for what is removed. */
function changeBody(entry: FabEntry, members: readonly MemberChange[]): EquipmentChange {
  const changed = new Set(members.map(({ member }) => member.split('.')[0]))
  const body = Object.fromEntries(Object.entries(entry).filter(([name]) => changed.has(name)))
  const labels = members
    .filter(({ member }) => member.startsWith('labels.'))
    .map(({ member, after }) => [member.slice('labels.'.length), after])
  return { ...body, ...(labels.length > 0 && { labels: Object.fromEntries(labels) }) } as EquipmentChange
}

/** A change as it is printed for programs. */
export const changeRecord = ({ change, equipment, members }: FabChange) => ({ change, equipment, members })

interface Row extends MemberChange {
  readonly change: string
  readonly equipment: string
}

/** Entries of new equipment without what it needs, as places in the file with what is missing. */
export const incomplete = (changes: readonly FabChange[]): readonly string[] =>
  changes.flatMap((change) =>
    change.change !== 'add'
      ? []
      : (['ip_address', 'port'] as const)
          .filter((member) => change.body[member] === undefined)
          .map((member) => `/equipment/${change.at}/${member}`),
  )

/** One row a member that changes; one for what is added or removed. */
export const changeRows = (changes: readonly FabChange[]): readonly Row[] =>
  changes.flatMap((one): readonly Row[] => {
    const { change, equipment, members } = one
    if (change === 'change') return members.map((member) => ({ change, equipment, ...member }))
    const after = change === 'add' ? addressText(one.body) : null
    return [{ change, equipment, member: '', before: null, after }]
  })

const valueText = (value: unknown): string =>
  value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

export const CHANGE_COLUMNS: readonly Column<Row>[] = [
  { title: 'CHANGE', text: ({ change }) => change },
  { title: 'EQUIPMENT', text: ({ equipment }) => equipment },
  { title: 'MEMBER', text: ({ member }) => member },
  { title: 'BEFORE', text: ({ before }) => valueText(before) },
  { title: 'AFTER', text: ({ after }) => valueText(after) },
]
