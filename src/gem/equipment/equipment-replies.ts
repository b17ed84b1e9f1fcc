import type { ReadValue } from '../../catalogue/structure/structure-data.js'
import type { Signal } from '../../kit/signal.js'
import { CAPABILITY_MESSAGES } from '../capabilities.js'
import { idValue, textsIn } from '../content.js'
import { equipmentReply, type ReplyRule } from '../role.js'
import { formatOf, NO_VALUE, type TypedValue, valueAs } from '../typed-value.js'
import { commandReplies } from './command-replies.js'
import type { Control } from './control/control.js'
import type { EquipmentParts } from './equipment-parts.js'
import { limitReplies } from './limits/limit-replies.js'
import type { Limits } from './limits/limits.js'
import { programReplies } from './programs/program-replies.js'
import { reportReplies } from './reports/report-replies.js'
import type { Reporting } from './reports/reporting.js'
import type { Spool } from './spool/spool.js'
import type { Traces } from './traces/traces.js'

/** Text that a host sends to a terminal of the equipment. */
export interface TerminalMessage {
  /** TID, 0 to 255. */
  readonly terminal: number
  readonly lines: readonly string[]
}

interface AnsweringEquipment extends EquipmentParts {
  readonly spool: Spool | undefined
  readonly traces: Traces
  readonly limits: Limits
  readonly control: Control
  readonly reporting: Reporting
  /** Receives the text that is shown. */
  readonly terminal: Signal<TerminalMessage>
}

/** ALED's top bit: enable. */
const ENABLE_BIT = 0x80
/** Codes of SEMI E5. */
const RSPACK = { accepted: 0, rejected: 1 } as const
const ACKC10 = { accepted: 0, notDisplayed: 1, noSuchTerminal: 2 } as const
/** The main terminal, which a broadcast reaches first. */
const MAIN_TERMINAL = 0

/**
 * The replies of GEM equipment to a host (SEMI E30), without those of the capabilities that the model does not have.
 * All other messages are unknown to it.
 */
export function equipmentReplies(equipment: AnsweringEquipment): readonly ReplyRule[] {
  const { model, limits, expected, reporting, spool, programs } = equipment
  const unknown = new Set<string>(
    (model.without ?? []).flatMap((capability) => CAPABILITY_MESSAGES[capability]),
  )
  return [
    ...answersForItself(equipment),
    ...repliesForVariables(equipment),
    ...repliesForConstants(equipment),
    ...reportReplies(equipment, reporting),
    ...alarmReplies(equipment),
    ...commandReplies(equipment),
    ...terminalReplies(equipment),
    ...limitReplies(limits, expected),
    ...(spool ? spoolReplies(spool) : []),
    ...(programs ? programReplies(equipment, programs) : []),
  ].filter(({ message }) => !unknown.has(message))
}

function answersForItself(equipment: AnsweringEquipment): readonly ReplyRule[] {
  const { mdln, softrev } = equipment.model
  return [
    equipmentReply('S1F1', () => ({ MDLN: mdln, SOFTREV: softrev })),
    equipmentReply('S1F13', () => ({
      COMMACK: equipment.communicationState === 'DISABLED' ? '1' : '0',
      MDLN: mdln,
      SOFTREV: softrev,
    })),
    equipmentReply('S1F15', () => {
      equipment.control.hostOffline()
      return { OFLACK: '0' }
    }),
    equipmentReply('S1F17', () => ({ ONLACK: String(equipment.control.hostOnline()) })),
    equipmentReply('S2F17', () => ({ TIME: equipment.time.text() })),
    equipmentReply('S2F23', ({ TRID, DSPER, TOTSMP, REPGSZ, SVID }) => {
      const tiaack = equipment.traces.initialize({
        id: String(TRID),
        period: String(DSPER),
        total: Number(TOTSMP),
        group: Number(REPGSZ),
        variables: textsIn(SVID),
      })
      return { TIAACK: String(tiaack) }
    }),
    equipmentReply('S2F25', ({ ABS }) => ({ ABS })),
    equipmentReply('S2F31', ({ TIME }) => ({ TIACK: equipment.time.set(String(TIME)) ? '0' : '1' })),
  ]
}

function repliesForVariables({ variables }: AnsweringEquipment): readonly ReplyRule[] {
  return [
    equipmentReply('S1F3', ({ SVID }) => ({
      SV: variables
        .choose('status', textsIn(SVID))
        .map(({ variable }) => (variable ? variables.value(variable.id) : NO_VALUE)),
    })),
    equipmentReply('S1F11', ({ SVID }) => ({
      ROWS: variables.choose('status', textsIn(SVID)).map(({ id, variable }) => ({
        SVID: idValue(id),
        SVNAME: variable?.name ?? '',
        UNITS: variable?.unit ?? '',
      })),
    })),
    equipmentReply('S1F21', ({ VID }) => ({
      ROWS: variables.choose('data', textsIn(VID)).map(({ id, variable }) => ({
        VID: idValue(id),
        DVVALNAME: variable?.name ?? '',
        UNITS: variable?.unit ?? '',
      })),
    })),
  ]
}

function repliesForConstants({ constants }: AnsweringEquipment): readonly ReplyRule[] {
  return [
    equipmentReply('S2F13', ({ ECID }) => ({
      ECV: constants.choose(textsIn(ECID)).map(({ id }) => constants.value(id)),
    })),
    equipmentReply('S2F15', ({ ROWS }) => {
      const changes = ROWS.map(({ ECID, ECV }) => ({ id: String(ECID), text: String(ECV) }))
      return { EAC: String(constants.set(changes)) }
    }),
    equipmentReply('S2F29', ({ ECID }) => ({
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

const alarmReplies = ({ alarms }: AnsweringEquipment): readonly ReplyRule[] => [
  equipmentReply('S5F3', ({ ALED, ALID }) => ({
    ACKC5: alarms.enable(textsIn(ALID), (Number(ALED) & ENABLE_BIT) !== 0) ? '0' : '1',
  })),
  equipmentReply('S5F5', ({ ALID }) => ({
    ROWS: alarms.list(textsIn(ALID)).map(({ id, report }) => ({
      ALCD: report ? String(report.alcd) : [],
      ALID: idValue(id),
      ALTX: report?.alarm.text ?? '',
    })),
  })),
  equipmentReply('S5F7', () => ({
    ROWS: alarms
      .enabled()
      .map(({ alcd, alarm }) => ({ ALCD: String(alcd), ALID: idValue(alarm.id), ALTX: alarm.text })),
  })),
]

function terminalReplies({ model, outbound, terminal: shown }: AnsweringEquipment): readonly ReplyRule[] {
  const { ids, lines: maxLines = Number.POSITIVE_INFINITY } = model.terminal ?? {}
  const show = (tid: ReadValue, lines: readonly string[]): number => {
    const terminal = Number(tid)
    if (ids && !ids.includes(terminal)) return ACKC10.noSuchTerminal
    if (lines.length > maxLines) {
      outbound.sendOneWay('S10F7', { TID: String(terminal) })
      return ACKC10.notDisplayed
    }
    shown.emit({ terminal, lines })
    return ACKC10.accepted
  }
  return [
    equipmentReply('S10F3', ({ TID, TEXT }) => ({ ACKC10: String(show(TID, textsIn(TEXT))) })),
    equipmentReply('S10F5', ({ TID, TEXT }) => ({ ACKC10: String(show(TID, textsIn(TEXT))) })),
    equipmentReply('S10F9', ({ TEXT }) => {
      for (const terminal of ids ?? [MAIN_TERMINAL]) shown.emit({ terminal, lines: textsIn(TEXT) })
      return { ACKC10: String(ACKC10.accepted) }
    }),
  ]
}

const spoolReplies = (spool: Spool): readonly ReplyRule[] => [
  equipmentReply('S2F43', ({ STREAMS }) => {
    const faults = spool.choose(
      STREAMS.map(({ STRID, FCNID }) => ({
        stream: withinByte(STRID),
        functions: textsIn(FCNID).map(withinByte),
      })),
    )
    return {
      RSPACK: String(faults.length > 0 ? RSPACK.rejected : RSPACK.accepted),
      STREAMS: faults.map(({ stream, strack, functions }) => ({
        STRID: String(stream),
        STRACK: String(strack),
        FCNID: functions.map(String),
      })),
    }
  }),
  equipmentReply('S2F59', () => ({
    STREAMS: spool.chosen.map(({ stream, functions }) => ({
      STRID: String(stream),
      FCNID: functions.map(String),
    })),
  })),
  equipmentReply('S6F23', ({ RSDC }) => ({ RSDA: String(spool.request(Number(RSDC))) })),
]

/** Streams and functions fit into one byte: a larger number is reported as 255, which no equipment sends. */
function withinByte(number: ReadValue): number {
  const value = Number(number)
  return value >= 0 && value < 255 ? value : 255
}
