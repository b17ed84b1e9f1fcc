import type { Clock } from '../../kit/clock.js'
import type { CommunicationState } from '../communication-states.js'
import { idValue } from '../content.js'
import type { TypedValue } from '../typed-value.js'
import type { Constants } from './constants.js'
import type { EquipmentModel, Occasion, SpoolModel } from './equipment-model.js'
import type { EquipmentTime } from './equipment-time.js'
import { Limits } from './limits/limits.js'
import type { OutboundQueue } from './outbound-queue.js'
import type { LastHappened } from './own-values.js'
import type { Reporting } from './reports/reporting.js'
import { Spool } from './spool/spool.js'
import { Traces } from './traces/traces.js'
import type { Variables } from './variables.js'

/** The parts of an equipment that its spool, traces and limits use. */
interface Composed {
  readonly model: EquipmentModel
  readonly online: boolean
  readonly communicationState: CommunicationState
  readonly time: EquipmentTime
  readonly constants: Constants
  readonly variables: Variables
  readonly outbound: OutboundQueue
  readonly reporting: Reporting
  /** The value of a variable or constant, by id. */
  value(id: string): TypedValue
  occasion(occasion: Occasion): void
}

/** Between checks of the variables with limits, where no constant sets it. */
const LIMITS_PERIOD_MS = 500
const MIN_LIMITS_PERIOD_MS = 10

export const spoolOf = (equipment: Composed, model: SpoolModel, clock: Clock): Spool =>
  new Spool(model, {
    clock,
    time: () => equipment.time.text(),
    isEnabled: () =>
      equipment.communicationState !== 'DISABLED' && equipment.constants.used('spooling_enabled') !== 0,
    overwrites: () => (equipment.constants.used('spool_overwrite') ?? Number(model.overwrite ?? false)) !== 0,
    maxTransmit: () => equipment.constants.used('max_spool_transmit') ?? model.maxTransmit ?? 0,
    send: (message) => equipment.outbound.send(message),
    occasion: (occasion) => equipment.occasion(occasion),
  })

export const tracesOf = (equipment: Composed, clock: Clock): Traces =>
  new Traces(equipment.model.traces, {
    clock,
    time: () => equipment.time.text(),
    hasVariable: (id) => equipment.variables.has(id) || equipment.constants.has(id),
    value: (id) => equipment.value(id),
    report: ({ id, sample, time, values }) => {
      if (!equipment.online) return
      const content = { TRID: idValue(id), SMPLN: String(sample), STIME: time, SV: values }
      void equipment.outbound.report('S6F1', content)
    },
  })

/** A variable is checked when it is set, and periodically, since waveforms change it. */
export function limitsOf(equipment: Composed, clock: Clock, last: LastHappened): Limits {
  const { variables, model } = equipment
  const limits = new Limits(model.variables, (id) => (variables.has(id) ? variables.find(id) : undefined), {
    clock,
    period: () =>
      Math.max(MIN_LIMITS_PERIOD_MS, equipment.constants.used('limits_period') ?? LIMITS_PERIOD_MS),
    value: (id) => equipment.value(id),
    crossed: (crossing) => {
      last.crossing = crossing
      const event = crossing.variable.limits?.event
      if (event !== undefined) void equipment.reporting.happens(event)
    },
  })
  variables.changed.on(({ id }) => limits.check(id))
  return limits
}
