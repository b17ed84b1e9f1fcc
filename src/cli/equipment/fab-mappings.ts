import { isDeepStrictEqual } from 'node:util'
import { endpoints } from '../../contract/endpoints.js'
import type { AppliedChange, Equipment } from '../../contract/equipment.js'
import { type Fault, Problem } from '../../contract/errors.js'
import type { Gem300Mapping } from '../../contract/topics/gem300/mapping.js'
import { isJsonObject } from '../../kit/text/json.js'
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

/** The mappings in a file that differ from the gateway's. */
interface NewMappings {
  readonly mappings: readonly FabMapping[]
  /** What is wrong with those of registered equipment, by its place in the file. */
  readonly faults: readonly Fault[]
  /** Why one of them cannot be given now, whatever is in it: such as a lock, which the check of the equipment names, too. */
  readonly refusal: Problem | undefined
}

/** Reads and checks them; nothing is changed. */
export async function newMappings(
  on: GatewayCommand,
  meant: FabFile['entries'],
  registered: readonly Equipment[],
): Promise<NewMappings> {
  const mappings: FabMapping[] = []
  const faults: Fault[] = []
  let refusal: Problem | undefined
  for (const { entry, at } of meant) {
    const { name, gem300: mapping } = entry
    if (!isJsonObject(mapping)) continue
    const id = registered.find((one) => one.name.normalize() === name.normalize())?.id
    const shown = id === undefined ? undefined : await on.call(endpoints.getGem300, { params: { id } })
    const before = (shown?.mapping ?? null) as Gem300Mapping | null
    if (isDeepStrictEqual(before, mapping)) continue
    mappings.push({ at, name, id, mapping, before })
    const problem = id === undefined ? undefined : await problemWith(on, mapping, id)
    const { errors = [] } = problem?.extra ?? {}
    if (errors.length === 0) refusal ??= problem
    for (const { pointer, detail } of errors)
      faults.push({ pointer: `/equipment/${at}/gem300${pointer}`, detail })
  }
  return { mappings, faults, refusal }
}

/** What the gateway says against a mapping. */
async function problemWith(
  on: GatewayCommand,
  mapping: Gem300Mapping,
  id: string,
): Promise<Problem | undefined> {
  try {
    await on.call(endpoints.applyGem300, { params: { id }, query: { dry_run: true }, body: mapping })
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
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
    if (id) await put(on, file, one, id)
  }
}

async function put(
  on: GatewayCommand,
  file: FabFile,
  { at, mapping }: FabMapping,
  id: string,
): Promise<void> {
  const { wordOf, placeOf } = on.subject
  on.subject.wordOf = (pointer) => file.wordOf(`/equipment/${at}/gem300${pointer}`)
  on.subject.placeOf = (pointer) => file.placeOf(`/equipment/${at}/gem300${pointer}`)
  await on.call(endpoints.applyGem300, { params: { id }, query: {}, body: mapping })
  Object.assign(on.subject, { wordOf, placeOf })
}
