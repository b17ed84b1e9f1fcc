import { isDeepStrictEqual } from 'node:util'
import type {
  AppliedChange,
  EquipmentChange,
  EquipmentEntry,
  NewEquipment,
} from '../../contract/equipment.js'
import type { ErrorCode, Fault } from '../../contract/errors.js'
import { faultyRequest, Problem } from '../../contract/errors.js'
import { isJsonObject } from '../../kit/text/json.js'
import { pointerStep } from '../../kit/text/json-text.js'
import { newId } from '../new-id.js'
import { nameTaken, type Reaches } from '../records/equipment-claims.js'
import {
  type CheckedAgainst,
  changedRecord,
  type EquipmentRecord,
  newEquipmentRecord,
  settingFaults,
} from '../records/equipment-record.js'

type Members = AppliedChange['members']

/** One change that makes the registered equipment agree with a list. */
export interface PlannedChange {
  /** The place in the list, from 0. */
  readonly at: number
  readonly before: EquipmentRecord | undefined
  readonly after: EquipmentRecord
  readonly members: Members
}

export interface EquipmentPlan {
  readonly changes: readonly PlannedChange[]
  /** The records after the changes, each at the place of its change. */
  readonly records: readonly EquipmentRecord[]
  readonly faults: readonly PlanFault[]
}

export interface PlanFault extends Fault {
  readonly code: ErrorCode
}

const invalid = (at: number, { pointer, detail }: Fault): PlanFault => ({
  code: 'invalid_request',
  pointer: `/equipment/${at}${pointer}`,
  detail,
})

/**
 * What has to change, and everything that cannot. `recordOf` finds registered equipment by its name. Equipment that the
 * caller does not reach is not compared with its entry: whether it differs would tell how it is. An entry that is left
 * out (undefined) is not planned.
 */
export function equipmentPlan(
  entries: readonly (EquipmentEntry | undefined)[],
  recordOf: (name: string) => EquipmentRecord | undefined,
  checked: CheckedAgainst,
  now: string,
  reaches: Reaches = () => true,
): EquipmentPlan {
  const faults: PlanFault[] = [...repeatedNames(entries)]
  const changes = entries.flatMap((entry, at): PlannedChange[] => {
    if (!entry) return []
    const before = recordOf(entry.name)
    if (before && !reaches(before.id)) {
      const { code, message } = nameTaken(entry.name)
      faults.push({ code, pointer: `/equipment/${at}/name`, detail: message })
      return []
    }
    const members = memberChanges(entry, before)
    if (before && members.length === 0) return []
    const change = before ? changeBody(entry, members) : entry
    const found = settingFaults(change, checked, before)
    // One sentence a member: an address that is missing is not also wrong.
    const first = found.filter(
      ({ pointer }, place) => found.findIndex((one) => one.pointer === pointer) === place,
    )
    faults.push(...first.map((fault) => invalid(at, fault)))
    const after = before
      ? changedRecord(before, change, now)
      : newEquipmentRecord(newId('eq'), change as NewEquipment, now)
    return [{ at, before, after, members }]
  })
  return { changes, records: changes.map(({ after }) => after), faults }
}

/** Members of an entry that are wrong by the schema, as a JSON Pointer has their names; '' where the entry itself is. */
export type WrongMembers = ReadonlySet<string>

/** An entry without its wrong members; undefined where that does not say which equipment it is about. */
export function soundPart(entry: unknown, wrong: WrongMembers = new Set()): EquipmentEntry | undefined {
  if (wrong.size === 0) return entry as EquipmentEntry
  if (!isJsonObject(entry) || wrong.has('name')) return undefined
  const sound = Object.entries(entry).filter(([name]) => !wrong.has(pointerStep(name).slice(1)))
  return Object.fromEntries(sound) as unknown as EquipmentEntry
}

const LINE = ['transport', 'serial_port'] as const
const PLACE = [...LINE, 'mode', 'ip_address', 'port', 'tap'] as const
/** Members that decide, beside a member itself, what is wrong with it. */
const DECIDED_BY: Readonly<Record<string, readonly string[]>> = {
  serial_port: LINE,
  ip_address: LINE,
  port: LINE,
  tap: PLACE,
}

/** Whether a fault of the sound part of an entry holds whatever its wrong members are meant to be. */
export function holdsAnyway({ pointer }: PlanFault, wrong: WrongMembers = new Set()): boolean {
  const [, , , member = ''] = pointer.split('/')
  return ![member, ...(DECIDED_BY[member] ?? [])].some((one) => wrong.has(one))
}

/** Whether the sound part of an entry says where the equipment is. */
export const isPlaceSound = (wrong: WrongMembers = new Set()): boolean =>
  !PLACE.some((member) => wrong.has(member))

/** Faults of entries with the name of an earlier one, also where they are no equipment by the schema. */
export function repeatedNames(entries: readonly unknown[]): readonly PlanFault[] {
  const seen = new Set<string>()
  return entries.flatMap((entry, at) => {
    const { name } = (entry ?? {}) as { readonly name?: unknown }
    if (typeof name !== 'string') return []
    const key = name.normalize()
    if (seen.has(key)) return [invalid(at, { pointer: '/name', detail: `${name} is in the list twice` })]
    seen.add(key)
    return []
  })
}

/** The problem of a plan with these faults, in the order of the list. Where one is about a state, it has the code of the first such fault. */
export function planProblem(found: readonly PlanFault[]): Problem {
  const faults = found.toSorted((one, other) => entryOf(one) - entryOf(other))
  const code = faults.find((fault) => fault.code !== 'invalid_request')?.code ?? 'invalid_request'
  const { message, extra } = faultyRequest(
    code,
    faults.map(({ pointer, detail }) => ({ pointer, detail })),
    { start: 'Nothing was changed: ' },
  )
  return new Problem(code, message, extra)
}

/** The place in the list of the entry that a fault is about. */
export const entryOf = ({ pointer }: Fault): number => Number(pointer.split('/')[2])

/** `labels` and `item_formats` are whole in a list; of `timers`, those that are left out keep their value. */
function memberChanges(entry: EquipmentEntry, current: EquipmentRecord | undefined): Members {
  return Object.entries(entry).flatMap(([name, after]): Members => {
    if (name === 'name' || after === undefined || (after === null && name !== 'tap')) return []
    const before: unknown = current?.[name as keyof EquipmentRecord]
    if (typeof after !== 'object')
      return after === before ? [] : [{ member: name, before: before ?? null, after }]
    const [old, given] = [{ ...(before as object) }, after] as Record<string, unknown>[]
    const isPart = name === 'timers' || (name === 'tap' && after !== null)
    const keys = Object.keys(isPart ? { ...given } : { ...old, ...given })
    return keys
      .map((key) => ({ member: `${name}.${key}`, before: old?.[key] ?? null, after: given?.[key] ?? null }))
      .filter((change) => !isDeepStrictEqual(change.before, change.after))
  })
}

/** The members that differ; of labels those that differ, null for what is removed. */
function changeBody(entry: EquipmentEntry, members: Members): EquipmentChange {
  const changed = new Set(members.map(({ member }) => member.split('.')[0]))
  const body = Object.fromEntries(Object.entries(entry).filter(([name]) => changed.has(name)))
  const labels = members
    .filter(({ member }) => member.startsWith('labels.'))
    .map(({ member, after }) => [member.slice('labels.'.length), after])
  return { ...body, ...(labels.length > 0 && { labels: Object.fromEntries(labels) }) } as EquipmentChange
}
