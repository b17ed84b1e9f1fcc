import type { Carrier } from '../../contract/topics/gem300/carriers.js'
import { mayTellPresence, PRESENCE_HINT, slotMapText } from '../../gem300/slot-map.js'
import { slotsText } from '../../gem300/slot-ranges.js'
import type { LotPlan } from './lot-plan.js'

const OCCUPIED = ['CORRECTLY_OCCUPIED', 'NOT_EMPTY']
const IMPROPER = ['DOUBLE_SLOTTED', 'CROSS_SLOTTED']

type Wanted = Pick<LotPlan, 'slots' | 'slotMap' | 'equipment'>

/** Why the slots of the carrier do not fit what is wanted, in a sentence; undefined where they do, or the equipment gives none. */
export function slotFault(wanted: Wanted, carrier: Carrier): string | undefined {
  const fault = misfit(wanted, carrier)
  const { may } = mayTellPresence(carrier.slots.map(({ state }) => state as never))
  return fault !== undefined && may ? `${fault}. ${PRESENCE_HINT}` : fault
}

function misfit(wanted: Wanted, { carrier_id: id, slots }: Carrier): string | undefined {
  if (slots.length === 0) return undefined
  const states = slots.map(({ state }) => state)
  const improper = states.findIndex((state) => IMPROPER.includes(state))
  if (improper >= 0) return `slot ${improper + 1} of ${id} is ${states[improper]}`
  const expected = wanted.slotMap
  if (expected && (expected.length !== states.length || expected.some((state, at) => state !== states[at])))
    return `the slot map of ${id} is ${slotMapText(states as never)}, and not ${slotMapText(expected)}`
  const beyond = wanted.slots.find((slot) => slot > states.length)
  if (beyond !== undefined) return `${id} has ${states.length} slots, and no slot ${beyond}`
  const missing = wanted.slots.filter((slot) => !OCCUPIED.includes(states[slot - 1] ?? ''))
  const [first] = missing
  if (first !== undefined) {
    const others = missing.length === 1 ? '' : ` (also ${slotsText(missing.slice(1))})`
    return `slot ${first} of ${id} is ${states[first - 1]}${others}: its slots are ${slotMapText(states as never)}`
  }
  if (wanted.slots.length === 0 && !states.some((state) => OCCUPIED.includes(state)))
    return `${id} has no substrate`
  return undefined
}
