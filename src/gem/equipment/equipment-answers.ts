import { CAPABILITY_MESSAGES, type Capability } from '../capabilities.js'
import type { CommunicationState } from '../communication-states.js'
import { idValue, textsIn } from '../content.js'
import { type Answering, equipmentAnswer } from '../role.js'
import { formatOf, NO_VALUE, type TypedValue, valueAs } from '../typed-value.js'
import { alarmAnswers } from './alarms/alarm-answers.js'
import type { Alarms } from './alarms/alarms.js'
import { type CommandedEquipment, commandAnswers } from './command-answers.js'
import type { Constants } from './constants.js'
import type { Control } from './control/control.js'
import type { EquipmentTime } from './equipment-time.js'
import { limitAnswers } from './limits/limit-answers.js'
import type { Limits } from './limits/limits.js'
import { programAnswers, type VerifyingEquipment } from './programs/program-answers.js'
import type { Programs } from './programs/programs.js'
import { type ReportingEquipment, reportAnswers } from './reports/report-answers.js'
import type { Spool } from './spool/spool.js'
import { spoolAnswers } from './spool/spool-answers.js'
import { type EquipmentWithTerminals, terminalAnswers } from './terminal-answers.js'
import { traceAnswers } from './traces/trace-answers.js'
import type { Traces } from './traces/traces.js'
import type { Variables } from './variables.js'

interface AnsweringEquipment
  extends CommandedEquipment,
    EquipmentWithTerminals,
    VerifyingEquipment,
    ReportingEquipment {
  readonly communicationState: CommunicationState
  readonly variables: Variables
  readonly constants: Constants
  readonly alarms: Alarms
  readonly time: EquipmentTime
  readonly spool: Spool | undefined
  readonly traces: Traces
  readonly limits: Limits
  readonly programs: Programs | undefined
  readonly control: Control
}

/** What GEM equipment answers a host (SEMI E30), but for what it is without. Everything else is unknown to it. */
export function equipmentAnswers(equipment: AnsweringEquipment): readonly Answering[] {
  const { without = [] } = equipment.model
  const unknown = new Set<string>(
    without.flatMap((capability: Capability) => CAPABILITY_MESSAGES[capability]),
  )
  return [
    ...answersForItself(equipment),
    ...answersForVariables(equipment),
    ...answersForConstants(equipment),
    ...reportAnswers(equipment),
    ...alarmAnswers(equipment.alarms),
    ...commandAnswers(equipment),
    ...terminalAnswers(equipment),
    ...traceAnswers(equipment.traces),
    ...limitAnswers(equipment.limits, equipment.expected),
    ...(equipment.spool ? spoolAnswers(equipment.spool) : []),
    ...(equipment.programs ? programAnswers(equipment, equipment.programs, equipment.expected) : []),
  ].filter(({ message }) => !unknown.has(message))
}

function answersForItself(equipment: AnsweringEquipment): readonly Answering[] {
  const { mdln, softrev } = equipment.model
  return [
    equipmentAnswer('S1F1', () => ({ MDLN: mdln, SOFTREV: softrev })),
    equipmentAnswer('S1F13', () => ({
      COMMACK: equipment.communicationState === 'DISABLED' ? '1' : '0',
      MDLN: mdln,
      SOFTREV: softrev,
    })),
    equipmentAnswer('S1F15', () => {
      equipment.control.hostOffline()
      return { OFLACK: '0' }
    }),
    equipmentAnswer('S1F17', () => ({ ONLACK: String(equipment.control.hostOnline()) })),
    equipmentAnswer('S2F17', () => ({ TIME: equipment.time.text() })),
    equipmentAnswer('S2F25', ({ ABS }) => ({ ABS })),
    equipmentAnswer('S2F31', ({ TIME }) => ({ TIACK: equipment.time.set(String(TIME)) ? '0' : '1' })),
  ]
}

function answersForVariables({ variables }: AnsweringEquipment): readonly Answering[] {
  return [
    equipmentAnswer('S1F3', ({ SVID }) => ({
      SV: variables
        .choose('status', textsIn(SVID))
        .map(({ variable }) => (variable ? variables.value(variable.id) : NO_VALUE)),
    })),
    equipmentAnswer('S1F11', ({ SVID }) => ({
      ROWS: variables.choose('status', textsIn(SVID)).map(({ id, variable }) => ({
        SVID: idValue(id),
        SVNAME: variable?.name ?? '',
        UNITS: variable?.unit ?? '',
      })),
    })),
    equipmentAnswer('S1F21', ({ VID }) => ({
      ROWS: variables.choose('data', textsIn(VID)).map(({ id, variable }) => ({
        VID: idValue(id),
        DVVALNAME: variable?.name ?? '',
        UNITS: variable?.unit ?? '',
      })),
    })),
  ]
}

function answersForConstants({ constants }: AnsweringEquipment): readonly Answering[] {
  return [
    equipmentAnswer('S2F13', ({ ECID }) => ({
      ECV: constants.choose(textsIn(ECID)).map(({ id }) => constants.value(id)),
    })),
    equipmentAnswer('S2F15', ({ ROWS }) => {
      const changes = ROWS.map(({ ECID, ECV }) => ({ id: String(ECID), text: String(ECV) }))
      return { EAC: String(constants.set(changes)) }
    }),
    equipmentAnswer('S2F29', ({ ECID }) => ({
      ROWS: constants.choose(textsIn(ECID)).map(({ id, constant }) => ({
        ECID: idValue(id),
        ECNAME: constant?.name ?? '',
        ECMIN: bound(constant?.value, constant?.minimum),
        ECMAX: bound(constant?.value, constant?.maximum),
        ECDEF: constant?.value ?? { A: '' },
        UNITS: constant?.unit ?? '',
      })),
    })),
  ]
}

/** A bound of a constant, in the constant's own format; empty where there is none. */
const bound = (value: TypedValue | undefined, limit: number | undefined): TypedValue =>
  (value && limit !== undefined ? valueAs(formatOf(value), limit) : undefined) ?? { A: '' }
