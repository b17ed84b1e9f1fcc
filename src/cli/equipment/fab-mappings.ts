import { isDeepStrictEqual } from 'node:util'
import { endpoints } from '../../contract/endpoints.js'
import type { AppliedChange, Equipment } from '../../contract/equipment.js'
import type { Gem300Mapping } from '../../contract/topics/gem300/mapping.js'
import type { GatewayCommand } from '../gateway-command.js'
import { callsAtOnce } from './calls-at-once.js'
import type { FabEntry, FabFile, MappedEquipment } from './fab-file.js'

/** A mapping in a file of equipment that differs from the gateway's. */
export interface FabMapping {
  /** The place of its entry in the file, from 0. */
  readonly at: number
  readonly name: string
  /** Undefined for equipment that is not registered yet. */
  readonly id: string | undefined
  readonly mapping: Gem300Mapping
  readonly before: Gem300Mapping | null
}

function textOf(mapping: Gem300Mapping | null): string | null {
  if (mapping === null) return null
  const { length = 0 } = mapping.events ?? []
  return `${length} event${length === 1 ? '' : 's'}`
}

/** Equipment with its mappings. Throws where one cannot be read. */
export const withOwnMappings = (
  on: GatewayCommand,
  equipment: readonly Equipment[],
): Promise<readonly MappedEquipment[]> =>
  callsAtOnce(equipment, async (one) => {
    const { mapping } = await on.call(endpoints.getGem300, { params: { id: one.id } })
    return { equipment: one, gem300: mapping as Gem300Mapping | null }
  })

/** The entry without its mapping, which is given by a call of its own. */
export const withoutMapping = ({ gem300: _, ...entry }: FabEntry): FabEntry => entry

/** The mappings in the file that differ from the gateway's. Those of registered equipment are checked; a fault names its place. */
export async function newMappings(
  on: GatewayCommand,
  file: FabFile,
  meant: FabFile['entries'],
  registered: readonly Equipment[],
): Promise<readonly FabMapping[]> {
  const found: FabMapping[] = []
  for (const { entry, at } of meant) {
    const { name, gem300: mapping } = entry
    if (mapping === undefined) continue
    const id = registered.find((one) => one.name.normalize() === name.normalize())?.id
    const shown = id === undefined ? undefined : await on.call(endpoints.getGem300, { params: { id } })
    const before = (shown?.mapping ?? null) as Gem300Mapping | null
    if (isDeepStrictEqual(before, mapping)) continue
    const one = { at, name, id, mapping, before }
    if (id !== undefined) await put(on, file, one, id, true)
    found.push(one)
  }
  return found
}

/** Adds changed mappings to the changes of the equipment, each as the changed member `gem300`. */
export function withMappings(
  changes: readonly AppliedChange[],
  mappings: readonly FabMapping[],
): readonly AppliedChange[] {
  const added = new Set(changes.filter(({ change }) => change === 'add').map(({ equipment }) => equipment))
  const own = mappings.filter(({ name }) => !added.has(name))
  const member = ({ mapping, before }: FabMapping) => ({
    member: 'gem300',
    before: textOf(before),
    after: textOf(mapping),
  })
  const changed = changes.map((one) => {
    const mapping = own.find(({ name }) => name === one.equipment)
    return mapping ? { ...one, members: [...one.members, member(mapping)] } : one
  })
  const further = own
    .filter(({ name }) => !changes.some(({ equipment }) => equipment === name))
    .map((one) => ({
      change: 'change' as const,
      equipment: one.name,
      equipment_id: one.id ?? null,
      members: [member(one)],
    }))
  return [...changed, ...further]
}

/** Gives the mappings, once the equipment is registered. */
export async function putMappings(
  on: GatewayCommand,
  file: FabFile,
  mappings: readonly FabMapping[],
  changes: readonly AppliedChange[],
): Promise<void> {
  for (const one of mappings) {
    const id = one.id ?? changes.find(({ equipment }) => equipment === one.name)?.equipment_id
    if (id) await put(on, file, one, id, false)
  }
}

async function put(
  on: GatewayCommand,
  file: FabFile,
  { at, mapping }: FabMapping,
  id: string,
  dryRun: boolean,
): Promise<void> {
  const { wordOf, placeOf } = on.subject
  on.subject.wordOf = (pointer) => file.wordOf(`/equipment/${at}/gem300${pointer}`)
  on.subject.placeOf = (pointer) => file.placeOf(`/equipment/${at}/gem300${pointer}`)
  const query = dryRun ? { dry_run: true } : {}
  await on.call(endpoints.applyGem300, { params: { id }, query, body: mapping })
  Object.assign(on.subject, { wordOf, placeOf })
}
