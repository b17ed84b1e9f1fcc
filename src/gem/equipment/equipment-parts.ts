import type { Clock } from '../../kit/clock.js'
import type { Signal } from '../../kit/signal.js'
import type { CommunicationState } from '../communication-states.js'
import type { GemChange } from '../conversation.js'
import type { ExpectedMessages } from '../expected-messages.js'
import type { TypedValue } from '../typed-value.js'
import type { AlarmReport, Alarms } from './alarms/alarms.js'
import type { Constants } from './constants.js'
import type { EquipmentControlState } from './control/control-states.js'
import type { EquipmentModel, Occasion, Variable } from './equipment-model.js'
import type { EquipmentTime } from './equipment-time.js'
import type { OutboundQueue } from './outbound-queue.js'
import type { Programs } from './programs/programs.js'
import type { CommandOutcome, GivenParameter } from './remote-commands.js'
import type { Reports } from './reports/reports.js'
import type { Variables } from './variables.js'

/** The last occurrence of each kind, for the reports of its event. */
export interface LastHappened {
  control: EquipmentControlState
  alarm?: AlarmReport
  /** `limit` is the LIMITID. */
  crossing?: { readonly variable: Variable; readonly limit: number; readonly upwards: boolean }
  /** `change` as E30's PPChangeStatus: 1 created, 2 edited, 3 deleted. */
  program?: { readonly id: string; readonly change: 1 | 2 | 3 }
  constant?: { readonly id: string; readonly value: TypedValue }
  command?: string
}

/** An equipment as its capabilities use it. */
export interface EquipmentParts {
  readonly model: EquipmentModel
  readonly clock: Clock
  readonly last: LastHappened
  readonly communicationState: CommunicationState
  readonly controlState: EquipmentControlState
  readonly online: boolean
  readonly changed: Signal<GemChange>
  readonly happened: Signal<string>
  readonly variables: Variables
  readonly constants: Constants
  readonly reports: Reports
  readonly alarms: Alarms
  readonly programs: Programs | undefined
  readonly time: EquipmentTime
  readonly expected: ExpectedMessages
  readonly outbound: OutboundQueue
  command(name: string, given: readonly GivenParameter[], by: 'host' | 'operator'): CommandOutcome
  hasVariable(id: string): boolean
  value(id: string): TypedValue
  fireEvent(event: string): Promise<boolean>
  happens(event: string): Promise<boolean>
  occasion(occasion: Occasion): void
}
