import type { Event } from '../../contract/topics/events.js'
import type { Carrier } from '../../contract/topics/gem300/carriers.js'
import { type SlotMap, slotMapIn } from '../../gem300/slot-map.js'
import type { LotPlan, LotView } from './lot-plan.js'

/** Events of the gateway about objects, and the state with whose end the object ends. */
const FIRST_STATES = {
  port_state: 'transfer',
  carrier_state: 'accessing_status',
  job_state: 'state',
  control_job_state: 'state',
} as const
type StateEvent = keyof typeof FIRST_STATES

export const STATE_EVENTS = Object.keys(FIRST_STATES) as readonly StateEvent[]

/** The member `data` of such an event, as far as it is used here. */
interface Change {
  readonly object_id: string
  readonly state: string
  readonly to: string
  readonly message_id: string
  readonly details?: Readonly<Record<string, string>>
}

export interface ToldState {
  readonly to: string
  readonly messageId: string
  /** The number of the event: of two the higher is the later. */
  readonly at: number
}

interface ToldObject {
  readonly states: Map<string, ToldState>
  details: Readonly<Record<string, string>>
}

const CARRIER_STATES = ['id_status', 'slot_map_status', 'accessing_status'] as const

/** What the events of equipment with a mapping have told of its objects. */
export class ToldStates {
  readonly #objects = new Map<string, ToldObject>()
  #last = 0

  /** The number of the latest event. */
  get last(): number {
    return this.#last
  }

  take({ id, name, data }: Event): void {
    if (!STATE_EVENTS.some((one) => one === name)) return
    const at = Number(id)
    const { object_id, state, to, message_id, details } = data as unknown as Change
    const key = `${name} ${object_id}`
    const object = this.#objects.get(key) ?? { states: new Map(), details: {} }
    this.#objects.set(key, object)
    if ((object.states.get(state)?.at ?? 0) >= at) return
    object.states.set(state, { to, messageId: message_id, at })
    if (details) object.details = { ...object.details, ...details }
    this.#last = Math.max(this.#last, at)
  }

  /** A state that was told after the event `after`. NO_STATE is the end of the object. */
  state(name: StateEvent, id: string, state: string, after: number): ToldState | undefined {
    const told = this.#objects.get(`${name} ${id}`)?.states.get(state)
    return told && told.at > after ? told : undefined
  }

  /** Carriers of which something was told after `after`, and that have not ended, as the equipment would give them. */
  carriers(after: number): readonly Carrier[] {
    return [...this.#objects].flatMap(([key, { states, details }]) => {
      if (!key.startsWith('carrier_state ')) return []
      const of = (name: string) => states.get(name)?.to ?? null
      const isGone = CARRIER_STATES.some((name) => of(name) === 'NO_STATE')
      if (isGone || ![...states.values()].some(({ at }) => at > after)) return []
      const { location = null, port } = details
      return [
        {
          carrier_id: key.slice('carrier_state '.length),
          location: location ?? port ?? null,
          id_status: of('id_status'),
          slot_map_status: of('slot_map_status'),
          accessing_status: of('accessing_status'),
          slots: slotsIn(details['slot_map']),
          attributes: [],
        },
      ]
    })
  }

  /** What the equipment has said is wrong with a job. */
  error(job: string): string | undefined {
    return this.#objects.get(`job_state ${job}`)?.details['error']
  }

  slots(carrier: string): Carrier['slots'] {
    return slotsIn(this.#objects.get(`carrier_state ${carrier}`)?.details['slot_map'])
  }
}

/** The slots of a map of letters; none where a letter is no state. */
function slotsIn(map: string | undefined): Carrier['slots'] {
  if (map === undefined) return []
  let states: SlotMap
  try {
    states = slotMapIn(map)
  } catch {
    return []
  }
  return states.map((state, at) => ({ slot: at + 1, state, lot_id: '', substrate_id: '' }))
}

const UNKNOWN_PORT = {
  number: null,
  transfer: null,
  access_mode: null,
  reservation: null,
  association: null,
  attributes: [],
}

/** Where states of a view come from: the message that told them, by names such as `carrier.id_status`. */
export type Sources = Readonly<Record<string, string>>

interface Overlaid {
  readonly view: LotView
  readonly sources: Sources
}

/** Which states events tell although the equipment was asked after them. */
export interface Preferred {
  /** The number of the latest event when the equipment was asked. */
  readonly after: number
  /** States that the equipment gives wrong as attributes, such as `carrier.id_status`: its events alone tell them. */
  readonly ignored: readonly string[]
}

/**
 * A view with what events have told since the equipment was asked. Of two the later is right, so that an event that is lost
 * is mended by the next question.
 */
export function overlaid(
  plan: LotPlan,
  asked: LotView,
  told: ToldStates,
  { after, ignored }: Preferred,
): Overlaid {
  const sources: Record<string, string> = {}
  const later = (
    name: StateEvent,
    id: string,
    state: string,
    given: string | null | undefined,
    as: string,
  ) => {
    const isAny = given === null || ignored.includes(as)
    const found = told.state(name, id, state, isAny ? 0 : after)
    if (!found) return given
    sources[as] = found.messageId
    return found.to === 'NO_STATE' ? undefined : found.to
  }
  const number = String(plan.port)
  const given = asked.port?.transfer ?? null
  const transfer = later('port_state', number, 'transfer', given, 'port.transfer') ?? null
  const port = asked.port ?? (transfer === null ? null : { ...UNKNOWN_PORT, port: number })
  const carrier = asked.carrier && {
    ...asked.carrier,
    ...Object.fromEntries(
      CARRIER_STATES.map((state) => {
        const id = asked.carrier?.carrier_id ?? ''
        const given = asked.carrier?.[state] ?? null
        return [state, later('carrier_state', id, state, given, `carrier.${state}`)]
      }),
    ),
    ...(asked.carrier.slots.length === 0 && { slots: told.slots(asked.carrier.carrier_id) }),
  }
  const isGone = carrier !== undefined && CARRIER_STATES.some((state) => carrier[state] === undefined)
  return {
    view: {
      ...asked,
      port: port && { ...port, transfer },
      carrier: isGone ? undefined : (carrier as Carrier | undefined),
      job: later('job_state', plan.job, 'state', asked.job, 'job.state'),
      controlJob: later('control_job_state', plan.controlJob, 'state', asked.controlJob, 'control_job.state'),
    },
    sources,
  }
}
