import type { AppliedChange, Equipment } from '../../contract/equipment.js'
import { matchesSelector, type Selector } from '../../contract/selector.js'
import { addressText } from '../../inspection/dialling.js'
import type { Column } from '../output/output.js'
import type { FabEntry } from './fab-file.js'

/** A change that makes the gateway agree with a file. */
export type FabChange =
  | AppliedChange
  | {
      readonly change: 'remove'
      readonly id: string
      readonly equipment: string
      readonly members: readonly []
    }

export interface Scope {
  /** Only entries, and equipment to remove, with these labels. */
  readonly selector?: Selector | undefined
  /** Removes equipment that the file does not have. */
  readonly prune: boolean
}

export interface FabScope {
  /** The entries that are meant, each with its place in the file, from 0. */
  readonly meant: readonly { readonly entry: FabEntry; readonly at: number }[]
  readonly removed: readonly Extract<FabChange, { readonly change: 'remove' }>[]
}

/** What of a file is applied, and what is removed. */
export function fabScope(
  entries: readonly FabEntry[],
  registered: readonly Equipment[],
  { selector, prune }: Scope,
): FabScope {
  const byName = new Map(registered.map((one) => [one.name.normalize(), one]))
  const isMeant = (labels: Equipment['labels'] = {}): boolean =>
    selector === undefined || matchesSelector(selector, labels)
  const named = new Set(entries.map(({ name }) => name.normalize()))
  const removed = prune
    ? registered.filter(({ name, labels }) => !named.has(name.normalize()) && isMeant(labels))
    : []
  return {
    meant: entries
      .map((entry, at) => ({ entry, at }))
      .filter(({ entry }) => isMeant(entry.labels ?? byName.get(entry.name.normalize())?.labels)),
    removed: removed.map(({ id, name }) => ({ change: 'remove', id, equipment: name, members: [] })),
  }
}

/** A change as it is printed for programs. */
export const changeRecord = ({ change, equipment, members }: FabChange) => ({ change, equipment, members })

interface Row {
  readonly change: string
  readonly equipment: string
  readonly member: string
  readonly before: unknown
  readonly after: unknown
}

/** One row a member that changes; one for what is added or removed. */
export const changeRows = (changes: readonly FabChange[], entries: readonly FabEntry[]): readonly Row[] =>
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

export const CHANGE_COLUMNS: readonly Column<Row>[] = [
  { title: 'CHANGE', text: ({ change }) => change },
  { title: 'EQUIPMENT', text: ({ equipment }) => equipment },
  { title: 'MEMBER', text: ({ member }) => member },
  { title: 'BEFORE', text: ({ before }) => valueText(before) },
  { title: 'AFTER', text: ({ after }) => valueText(after) },
]
