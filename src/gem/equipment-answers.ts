import type { Content, Given } from '../catalogue/known-message.js'
import type { ReadValue } from '../catalogue/structure-data.js'
import { textsIn } from './content.js'
import type { Equipment } from './equipment.js'
import { checkCommand, HCACK, type HostCommandAcknowledge } from './remote-commands.js'
import { type Answering, equipmentAnswer } from './role.js'
import { formatOf, NO_VALUE, type TypedValue, valueAs } from './typed-value.js'

export interface TerminalMessage {
  /** TID, 0 to 255. */
  readonly terminal: number
  readonly lines: readonly string[]
}

/** What the answers need of the equipment beside what everybody may call. */
export interface EquipmentInside {
  readonly execute: (command: string) => HostCommandAcknowledge
  /** The host wants the equipment online; ONLACK. */
  readonly hostOnline: () => number
  readonly hostOffline: () => void
}

/** What GEM equipment answers a host (SEMI E30). Everything else is unknown to it. */
export const equipmentAnswers = (equipment: Equipment, inside: EquipmentInside): readonly Answering[] => [
  ...answersForItself(equipment, inside),
  ...answersForVariables(equipment),
  ...answersForConstants(equipment),
  ...answersForReports(equipment),
  ...answersForAlarms(equipment),
]

function answersForItself(equipment: Equipment, inside: EquipmentInside): readonly Answering[] {
  const { mdln, softrev } = equipment.model
  return [
    equipmentAnswer('S1F1', () => ({ MDLN: mdln, SOFTREV: softrev })),
    equipmentAnswer('S1F13', () => ({
      COMMACK: equipment.communicationState === 'DISABLED' ? '1' : '0',
      MDLN: mdln,
      SOFTREV: softrev,
    })),
    equipmentAnswer('S1F15', () => {
      inside.hostOffline()
      return { OFLACK: '0' }
    }),
    equipmentAnswer('S1F17', () => ({ ONLACK: String(inside.hostOnline()) })),
    equipmentAnswer('S2F17', () => ({ TIME: equipment.time.text() })),
    equipmentAnswer('S2F25', ({ ABS }) => ({ ABS })),
    equipmentAnswer('S2F31', ({ TIME }) => ({ TIACK: equipment.time.set(String(TIME)) ? '0' : '1' })),
    equipmentAnswer('S2F41', (content) => answerCommand(content, equipment, inside.execute)),
    equipmentAnswer('S10F3', ({ TID, TEXT }) => showText(equipment, TID, TEXT)),
    equipmentAnswer('S10F5', ({ TID, TEXT }) => showText(equipment, TID, TEXT)),
  ]
}

function showText(equipment: Equipment, tid: ReadValue, text: ReadValue): { readonly ACKC10: string } {
  equipment.terminal.emit({ terminal: Number(tid), lines: textsIn(text) })
  return { ACKC10: '0' }
}

function answersForVariables(equipment: Equipment): readonly Answering[] {
  const { variables } = equipment
  return [
    equipmentAnswer('S1F3', ({ SVID }) => ({
      SV: variables
        .choose('status', textsIn(SVID))
        .map(({ variable }) => (variable ? variables.value(variable.id) : NO_VALUE)),
    })),
    equipmentAnswer('S1F11', ({ SVID }) => ({
      ROWS: variables.choose('status', textsIn(SVID)).map(({ id, variable }) => ({
        SVID: id,
        SVNAME: variable?.name ?? '',
        UNITS: variable?.unit ?? '',
      })),
    })),
    equipmentAnswer('S1F21', ({ VID }) => ({
      ROWS: variables.choose('data', textsIn(VID)).map(({ id, variable }) => ({
        VID: id,
        DVVALNAME: variable?.name ?? '',
        UNITS: variable?.unit ?? '',
      })),
    })),
  ]
}

function answersForConstants(equipment: Equipment): readonly Answering[] {
  const { constants } = equipment
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
        ECID: id,
        ECNAME: constant?.name ?? '',
        ECMIN: bound(constant?.value, constant?.minimum),
        ECMAX: bound(constant?.value, constant?.maximum),
        ECDEF: constant?.value ?? { A: '' },
        UNITS: constant?.unit ?? '',
      })),
    })),
  ]
}

function answersForReports(equipment: Equipment): readonly Answering[] {
  const { reports } = equipment
  return [
    equipmentAnswer('S1F23', ({ CEID }) => ({
      ROWS: reports.choose(textsIn(CEID)).map(({ id, event, variables }) => ({
        CEID: id,
        CENAME: event?.name ?? '',
        VID: variables,
      })),
    })),
    equipmentAnswer('S2F33', ({ REPORTS }) => {
      const wanted = REPORTS.map(({ RPTID, VID }) => ({ id: String(RPTID), variables: textsIn(VID) }))
      return { DRACK: String(reports.define(wanted)) }
    }),
    equipmentAnswer('S2F35', ({ EVENTS }) => {
      const wanted = EVENTS.map(({ CEID, RPTID }) => ({
        event: String(CEID),
        reports: textsIn(RPTID),
      }))
      return { LRACK: String(reports.link(wanted)) }
    }),
    equipmentAnswer('S2F37', ({ CEED, CEID }) => ({
      ERACK: reports.enable(textsIn(CEID), CEED === 'true') ? '0' : '1',
    })),
    equipmentAnswer('S2F39', () => ({ GRANT: '0' })),
    equipmentAnswer('S6F15', ({ CEID }) => ({
      DATAID: equipment.nextDataId(),
      CEID: String(CEID),
      REPORTS: equipment.reportsOf(String(CEID)),
    })),
    equipmentAnswer('S6F19', ({ RPTID }) => ({
      V: (reports.variablesOf(String(RPTID)) ?? []).map((id) => equipment.value(id)),
    })),
  ]
}

function answersForAlarms(equipment: Equipment): readonly Answering[] {
  const { alarms } = equipment
  return [
    equipmentAnswer('S5F3', ({ ALED, ALID }) => {
      const [id] = textsIn(ALID)
      return { ACKC5: alarms.enable(id, (Number(ALED) & 0x80) !== 0) ? '0' : '1' }
    }),
    equipmentAnswer('S5F5', ({ ALID }) => ({
      ROWS: alarms.list(textsIn(ALID)).map(({ id, report }) => ({
        ALCD: report ? String(report.alcd) : [],
        ALID: id,
        ALTX: report?.alarm.text ?? '',
      })),
    })),
    equipmentAnswer('S5F7', () => ({
      ROWS: alarms
        .enabled()
        .map(({ alcd, alarm }) => ({ ALCD: String(alcd), ALID: alarm.id, ALTX: alarm.text })),
    })),
  ]
}

function answerCommand(
  { RCMD, PARAMS }: Content<'S2F41', 'host'>,
  equipment: Equipment,
  execute: EquipmentInside['execute'],
): Given<'S2F42', 'equipment'> {
  const given = PARAMS.map(({ CPNAME, CPVAL }) => ({
    name: String(CPNAME),
    text: typeof CPVAL === 'string' ? CPVAL : undefined,
  }))
  const check = checkCommand(equipment.model.commands, String(RCMD), given)
  if (check.kind === 'refused') {
    const faults = check.faults.map(({ name, cpack }) => ({ CPNAME: name, CPACK: String(cpack) }))
    return { HCACK: String(check.hcack), PARAMS: faults }
  }
  const { command } = check
  const hcack = equipment.controlState === 'ONLINE_REMOTE' ? execute(command.name) : HCACK.cannotNow
  if (hcack === HCACK.done || hcack === HCACK.later) {
    for (const { name, sets } of command.parameters) {
      const text = given.find((parameter) => parameter.name === name)?.text
      if (sets !== undefined && text !== undefined) equipment.variables.set(sets, text)
    }
  }
  return { HCACK: String(hcack), PARAMS: [] }
}

/** A bound of a constant, in the constant's own format; empty where there is none. */
const bound = (value: TypedValue | undefined, limit: number | undefined): TypedValue =>
  (value && limit !== undefined ? valueAs(formatOf(value), limit) : undefined) ?? { A: '' }
