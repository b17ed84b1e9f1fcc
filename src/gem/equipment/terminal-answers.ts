import type { ReadValue } from '../../catalogue/structure/structure-data.js'
import type { Signal } from '../../kit/signal.js'
import { textsIn } from '../content.js'
import { type Answering, equipmentAnswer } from '../role.js'
import type { EquipmentModel } from './equipment-model.js'

/** Text that a host sends to a terminal of the equipment. */
export interface TerminalMessage {
  /** TID, 0 to 255. */
  readonly terminal: number
  readonly lines: readonly string[]
}

export interface EquipmentWithTerminals {
  readonly model: EquipmentModel
  /** Gets the text that is shown. */
  readonly terminal: Signal<TerminalMessage>
  reportMultiBlockNotAllowed(terminal: number): void
}

/** ACKC10 (SEMI E5). */
const ACKC10 = { accepted: 0, notDisplayed: 1, noSuchTerminal: 2 } as const
/** The main terminal, which a broadcast reaches first. */
const MAIN = 0

export function terminalAnswers(equipment: EquipmentWithTerminals): readonly Answering[] {
  const { ids, lines: mostLines = Number.POSITIVE_INFINITY } = equipment.model.terminal ?? {}
  const show = (tid: ReadValue, lines: readonly string[]): number => {
    const terminal = Number(tid)
    if (ids && !ids.includes(terminal)) return ACKC10.noSuchTerminal
    if (lines.length > mostLines) {
      equipment.reportMultiBlockNotAllowed(terminal)
      return ACKC10.notDisplayed
    }
    equipment.terminal.emit({ terminal, lines })
    return ACKC10.accepted
  }
  return [
    equipmentAnswer('S10F3', ({ TID, TEXT }) => ({ ACKC10: String(show(TID, textsIn(TEXT))) })),
    equipmentAnswer('S10F5', ({ TID, TEXT }) => ({ ACKC10: String(show(TID, textsIn(TEXT))) })),
    equipmentAnswer('S10F9', ({ TEXT }) => {
      for (const terminal of ids ?? [MAIN]) equipment.terminal.emit({ terminal, lines: textsIn(TEXT) })
      return { ACKC10: String(ACKC10.accepted) }
    }),
  ]
}
