import { rowsIn, textsIn } from './content.js'
import type { PeerView } from './conversation.js'
import type { Equipment } from './equipment.js'
import { checkCommand, HCACK, type HostCommandAcknowledge } from './remote-commands.js'
import { type Content, Role } from './role.js'
import { formatOf, NO_VALUE, type TypedValue, valueAs } from './typed-value.js'

export interface TerminalMessage {
  /** TID, 0 to 255. */
  readonly terminal: number
  readonly lines: readonly string[]
}

/** What the answers need of the equipment beside what everybody may call. */
export interface EquipmentInside {
  readonly view: () => PeerView
  readonly execute: (command: string) => HostCommandAcknowledge
  /** The host wants the equipment online; ONLACK. */
  readonly hostOnline: () => number
  readonly hostOffline: () => void
}

/** What GEM equipment answers a host (SEMI E30). Everything else is unknown to it. */
export function equipmentAnswers(equipment: Equipment, inside: EquipmentInside): Role {
  const role = new Role('equipment', inside.view)
  answerForItself(role, equipment, inside)
  answerForVariables(role, equipment)
  answerForConstants(role, equipment)
  answerForReports(role, equipment)
  answerForAlarms(role, equipment)
  return role
}

function answerForItself(role: Role, equipment: Equipment, inside: EquipmentInside): void {
  const { mdln, softrev } = equipment.model
  role
    .on(1, 1, () => ({ MDLN: mdln, SOFTREV: softrev }))
    .on(1, 13, () => ({
      COMMACK: equipment.communicationState === 'DISABLED' ? '1' : '0',
      MDLN: mdln,
      SOFTREV: softrev,
    }))
    .on(1, 15, () => {
      inside.hostOffline()
      return { OFLACK: '0' }
    })
    .on(1, 17, () => ({ ONLACK: String(inside.hostOnline()) }))
    .on(2, 17, () => ({ TIME: equipment.time.text() }))
    .on(2, 25, ({ ABS }) => ({ ABS }))
    .on(2, 31, ({ TIME }) => ({ TIACK: equipment.time.set(String(TIME)) ? '0' : '1' }))
    .on(2, 41, (content) => answerCommand(content, equipment, inside.execute))
    .on(10, 3, ({ TID, TEXT }) => showText(equipment, TID, TEXT))
    .on(10, 5, ({ TID, TEXT }) => showText(equipment, TID, TEXT))
}

function showText(equipment: Equipment, tid: unknown, text: unknown): Content {
  equipment.terminal.emit({ terminal: Number(tid), lines: textsIn(text) })
  return { ACKC10: '0' }
}

function answerForVariables(role: Role, equipment: Equipment): void {
  const { variables } = equipment
  role
    .on(1, 3, ({ SVID }) => ({
      SV: variables
        .choose('status', textsIn(SVID))
        .map(({ variable }) => (variable ? variables.value(variable.id) : NO_VALUE)),
    }))
    .on(1, 11, ({ SVID }) => ({
      ROWS: variables.choose('status', textsIn(SVID)).map(({ id, variable }) => ({
        SVID: id,
        SVNAME: variable?.name ?? '',
        UNITS: variable?.unit ?? '',
      })),
    }))
    .on(1, 21, ({ VID }) => ({
      ROWS: variables.choose('data', textsIn(VID)).map(({ id, variable }) => ({
        VID: id,
        DVVALNAME: variable?.name ?? '',
        UNITS: variable?.unit ?? '',
      })),
    }))
}

function answerForConstants(role: Role, equipment: Equipment): void {
  const { constants } = equipment
  role
    .on(2, 13, ({ ECID }) => ({ ECV: constants.choose(textsIn(ECID)).map(({ id }) => constants.value(id)) }))
    .on(2, 15, ({ ROWS }) => {
      const changes = rowsIn(ROWS).map(({ ECID, ECV }) => ({ id: String(ECID), text: String(ECV) }))
      return { EAC: String(constants.set(changes)) }
    })
    .on(2, 29, ({ ECID }) => ({
      ROWS: constants.choose(textsIn(ECID)).map(({ id, constant }) => ({
        ECID: id,
        ECNAME: constant?.name ?? '',
        ECMIN: bound(constant?.value, constant?.minimum),
        ECMAX: bound(constant?.value, constant?.maximum),
        ECDEF: constant?.value ?? { A: '' },
        UNITS: constant?.unit ?? '',
      })),
    }))
}

function answerForReports(role: Role, equipment: Equipment): void {
  const { reports } = equipment
  role
    .on(1, 23, ({ CEID }) => ({
      ROWS: reports.choose(textsIn(CEID)).map(({ id, event, variables }) => ({
        CEID: id,
        CENAME: event?.name ?? '',
        VID: variables,
      })),
    }))
    .on(2, 33, ({ REPORTS }) => {
      const wanted = rowsIn(REPORTS).map(({ RPTID, VID }) => ({ id: String(RPTID), variables: textsIn(VID) }))
      return { DRACK: String(reports.define(wanted)) }
    })
    .on(2, 35, ({ EVENTS }) => {
      const wanted = rowsIn(EVENTS).map(({ CEID, RPTID }) => ({
        event: String(CEID),
        reports: textsIn(RPTID),
      }))
      return { LRACK: String(reports.link(wanted)) }
    })
    .on(2, 37, ({ CEED, CEID }) => ({ ERACK: reports.enable(textsIn(CEID), CEED === 'true') ? '0' : '1' }))
    .on(2, 39, () => ({ GRANT: '0' }))
    .on(6, 15, ({ CEID }) => ({
      DATAID: equipment.nextDataId(),
      CEID: String(CEID),
      REPORTS: equipment.reportsOf(String(CEID)),
    }))
    .on(6, 19, ({ RPTID }) => ({
      V: (reports.variablesOf(String(RPTID)) ?? []).map((id) => equipment.value(id)),
    }))
}

function answerForAlarms(role: Role, equipment: Equipment): void {
  const { alarms } = equipment
  role
    .on(5, 3, ({ ALED, ALID }) => {
      const [id] = textsIn(ALID)
      return { ACKC5: alarms.enable(id, (Number(ALED) & 0x80) !== 0) ? '0' : '1' }
    })
    .on(5, 5, ({ ALID }) => ({
      ROWS: alarms.list(textsIn(ALID)).map(({ id, report }) => ({
        ALCD: report ? String(report.alcd) : [],
        ALID: id,
        ALTX: report?.alarm.text ?? '',
      })),
    }))
    .on(5, 7, () => ({
      ROWS: alarms
        .enabled()
        .map(({ alcd, alarm }) => ({ ALCD: String(alcd), ALID: alarm.id, ALTX: alarm.text })),
    }))
}

function answerCommand(
  { RCMD, PARAMS }: Content,
  equipment: Equipment,
  execute: EquipmentInside['execute'],
): Content {
  const given = rowsIn(PARAMS).map(({ CPNAME, CPVAL }) => ({
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
