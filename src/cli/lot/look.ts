import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { Carrier } from '../../contract/topics/gem300/carriers.js'
import type { LoadPort } from '../../contract/topics/gem300/ports.js'
import { portNumber } from '../../gem300/identifier.js'
import type { EquipmentCommand } from '../equipment/equipment-command.js'
import { Failure } from '../errors/failure.js'
import { areJobsOver, type LotPlan, type LotRecord, type LotView } from './lot-plan.js'
import type { ToldStates } from './told-states.js'

/** The load port with this number. */
export const portNumbered = (ports: readonly LoadPort[], number: number): LoadPort | undefined =>
  ports.find(({ port }) => portNumber(port) === number)

/** What the equipment says that it has now. Only what matters next is asked, since each is a message. */
export async function look(
  on: EquipmentCommand,
  { id }: Equipment,
  plan: LotPlan,
  before: LotView | undefined,
  record: LotRecord,
  told?: ToldStates,
): Promise<LotView> {
  if (!before) {
    const place = await carrierNow(on, id, plan, told)
    return { ...place, ...(await jobsNow(on, id, plan, place.givesObjects)) }
  }
  const areOver = areJobsOver(before, record)
  const isVerified = before.carrier?.slot_map_status === 'SLOT_MAP_VERIFICATION_OK'
  const asksJobs = !areOver && (before.job !== undefined || record.done.has('create_job'))
  const { job, controlJob } = asksJobs ? await jobsNow(on, id, plan, before.givesObjects) : before
  const asksCarrier = !isVerified || areOver || areJobsOver({ ...before, job, controlJob }, record)
  return { ...(asksCarrier ? await carrierNow(on, id, plan, told) : before), job, controlJob }
}

async function jobsNow(
  on: EquipmentCommand,
  id: string,
  plan: LotPlan,
  givesObjects: boolean,
): Promise<Pick<LotView, 'job' | 'controlJob'>> {
  const job = await orMissing(on.ask(endpoints.getProcessJob, id, {}, { params: { job: plan.job } }))
  const control = givesObjects
    ? await orMissing(on.ask(endpoints.getControlJob, id, {}, { params: { job: plan.controlJob } }))
    : null
  return { job: stateOf(job), controlJob: stateOf(control) }
}

async function carrierNow(
  on: EquipmentCommand,
  id: string,
  plan: LotPlan,
  /** What events have told, of equipment whose objects they tell. */
  told: ToldStates | undefined,
): Promise<Pick<LotView, 'port' | 'carrier' | 'givesObjects'>> {
  const ports = await orMissing(on.ask(endpoints.listPorts, id))
  const carriers = await orMissing(on.ask(endpoints.listCarriers, id))
  if (!carriers && !told) {
    const { equipment } = plan
    throw new Failure(
      'equipment',
      `${equipment} does not give its carriers (S14F1), and no mapping says which events tell them`,
      `secsctl gem300 map ${equipment} --propose`,
    )
  }
  const port = portNumbered(ports?.items ?? [], plan.port) ?? null
  const givesObjects = carriers !== null && carriers !== undefined
  return { port, carrier: carrierAt(plan, port, carriers?.items ?? told?.carriers(0) ?? []), givesObjects }
}

/** The carrier at the port: by what the port says, and else by the number in its location. */
export function carrierAt(
  plan: Pick<LotPlan, 'port' | 'carrier'>,
  port: LoadPort | null,
  carriers: readonly Carrier[],
): Carrier | undefined {
  const told = port?.attributes.find(({ name }) => /^carrier_?id$/i.test(name))?.text ?? ''
  return (
    carriers.find(({ carrier_id }) => carrier_id === told) ??
    carriers.find(({ location }) => portNumber(location ?? '') === plan.port) ??
    carriers.find(({ carrier_id, location }) => carrier_id === plan.carrier && (location ?? '') === '')
  )
}

const stateOf = (found: { readonly state: string | null } | null | undefined): string | null | undefined =>
  found ? found.state : found

/** Undefined where the equipment has no such object, null where it does not know such objects. */
export async function orMissing<T>(asked: Promise<T>): Promise<T | null | undefined> {
  try {
    return await asked
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'object_not_found') return undefined
    if (isNotKnown(error)) return null
    throw error
  }
}

/** Whether the equipment does not know the message, or has no such objects. */
export function isNotKnown(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return code === 'equipment_error' || code === 'message_rejected' || code === 'transaction_aborted'
}
