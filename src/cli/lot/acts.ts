import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { ObjectError } from '../../contract/topics/gem300/object-values.js'
import { occupiedSlots, type SlotMap, slotMapText } from '../../gem300/slot-map.js'
import type { EquipmentCommand } from '../equipment/equipment-command.js'
import type { Act, LotPlan, LotView } from './lot-plan.js'

/** The reply to an act. */
export interface ActResult {
  readonly accepted: boolean
  readonly errors: readonly ObjectError[]
  readonly message_id: string
  readonly reply_id: string
}

/** Sends an act; the key lets a repeat after a lost response take no effect. */
type Sending = (
  on: EquipmentCommand,
  equipment: Equipment,
  plan: LotPlan,
  view: LotView,
  key: string,
) => Promise<ActResult>

interface ActRow {
  /** What was done, as a step says it. */
  readonly text: (plan: LotPlan, view: LotView) => string
  readonly message: string
  readonly send: Sending
}

const carrierOf = ({ carrier }: LotPlan, view: LotView): string => carrier ?? view.carrier?.carrier_id ?? ''

/** S3F17. */
const carrierAct =
  (command: 'proceed' | 'release', act?: 'accept_id' | 'accept_slot_map'): Sending =>
  (on, { id }, plan, view, key) => {
    const attributes = act && attributesFor(act, plan, view)
    const body = { command, carrier_id: carrierOf(plan, view), port: plan.port, ...attributes }
    return on.ask(endpoints.commandCarrier, id, { 'idempotency-key': key }, { body })
  }

/**
 * What goes with ProceedWithCarrier: what was given, with the slot map unless the mapping says otherwise. What the
 * mapping names and nobody gave is as the equipment has read it.
 */
function attributesFor(act: 'accept_id' | 'accept_slot_map', plan: LotPlan, { carrier }: LotView) {
  const named = plan.attributes[act]
  const has = (name: string): boolean => named?.includes(name) ?? act === 'accept_slot_map'
  const slots = carrier?.slots ?? []
  const read = named && slots.length > 0 ? slots.map(({ state }) => state) : undefined
  const map = plan.slotMap ?? read
  return {
    ...(map && has('SlotMap') && { slot_map: slotMapText(map as SlotMap) }),
    ...(plan.contents && has('ContentMap') && { contents: plan.contents }),
    ...(map && named && has('Capacity') && { capacity: map.length }),
    ...(map && named && has('SubstrateCount') && { substrate_count: occupiedSlots(map as SlotMap).length }),
  }
}

export const ACT_ROWS: Readonly<Record<Act, ActRow>> = {
  accept_id: {
    text: (plan, view) => `the ID of ${carrierOf(plan, view)} is accepted`,
    message: 'S3F17',
    send: carrierAct('proceed', 'accept_id'),
  },
  accept_slot_map: {
    text: (plan, view) => {
      const isSeen = (view.carrier?.slots.length ?? 0) > 0
      const unseen = isSeen ? '' : ' unseen: the equipment does not give it'
      return `the slot map of ${carrierOf(plan, view)} is accepted${unseen}`
    },
    message: 'S3F17',
    send: carrierAct('proceed', 'accept_slot_map'),
  },
  create_job: {
    text: ({ job, recipe }) => `process job ${job} is created with ${recipe}`,
    message: 'S16F15',
    send: (on, { id }, plan, view, key) => {
      const { job, recipe, slots, message } = plan
      const carriers = [{ carrier_id: carrierOf(plan, view), slots: [...slots] }]
      const body = { job_id: job, recipe, carriers, only_free_carriers: true, ...(message && { message }) }
      return on.ask(endpoints.createProcessJob, id, { 'idempotency-key': key }, { body })
    },
  },
  create_control_job: {
    text: ({ controlJob, job }) => `control job ${controlJob} is created of ${job}`,
    message: 'S14F9',
    send: (on, { id }, plan, view, key) => {
      const { job, controlJob, specifier } = plan
      const body = {
        job_id: controlJob,
        process_jobs: [job],
        carriers: [carrierOf(plan, view)],
        ...(specifier !== undefined && { specifier }),
      }
      return on.ask(endpoints.createControlJob, id, { 'idempotency-key': key }, { body })
    },
  },
  start_control_job: {
    text: ({ controlJob }) => `control job ${controlJob} is started`,
    message: 'S16F27',
    send: (on, { id }, { controlJob }, _, key) =>
      on.ask(
        endpoints.commandControlJob,
        id,
        { 'idempotency-key': key },
        { params: { job: controlJob }, body: { command: 'start' } },
      ),
  },
  start_job: {
    text: ({ job }) => `process job ${job} is started`,
    message: 'S16F5',
    send: (on, { id }, { job }, _, key) =>
      on.ask(
        endpoints.commandProcessJob,
        id,
        { 'idempotency-key': key },
        { params: { job }, body: { command: 'start' } },
      ),
  },
  release: {
    text: (plan, view) => `${carrierOf(plan, view)} is released`,
    message: 'S3F17',
    send: carrierAct('release'),
  },
}
