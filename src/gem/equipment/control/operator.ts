import { A } from '../../../secs2/item.js'
import { fromTypedJson } from '../../../secs2/json.js'
import type { PlainValue, TypedValue } from '../../typed-value.js'
import type { EquipmentAcknowledge } from '../constants.js'
import type { EquipmentParts } from '../equipment-parts.js'
import { ACKC7 } from '../programs/programs.js'
import { type CommandOutcome, HCACK } from '../remote-commands.js'

const CREATED = 1
const EDITED = 2
const DELETED = 3

/** The operator's actions at the equipment. GEM requires collection events for most of them. */
export class Operator {
  constructor(private readonly equipment: EquipmentParts) {}

  /** Gives a command at the equipment, whether it is local or remote. */
  command(name: string, given: Readonly<Record<string, PlainValue>> = {}): CommandOutcome {
    const parameters = Object.entries(given).map(([parameter, value]) => ({
      name: parameter,
      text: String(value),
    }))
    const outcome = this.equipment.command(name, parameters, 'operator')
    if (outcome.hcack === HCACK.done || outcome.hcack === HCACK.later) {
      this.equipment.last.command = name
      this.equipment.occasion('operator_command')
    }
    return outcome
  }

  /** Sets a constant, by id or name; EAC. */
  setConstant(idOrName: string, value: PlainValue): EquipmentAcknowledge {
    const { constants } = this.equipment
    const id = constants.find(idOrName)?.id ?? idOrName
    const eac = constants.set([{ id, text: String(value) }])
    if (eac === 0) {
      this.equipment.last.constant = { id, value: constants.value(id) }
      this.equipment.occasion('constant_changed')
    }
    return eac
  }

  /** Stores an unformatted process program under a PPID of Latin-1 text; ACKC7. */
  storeProgram(id: string, body: TypedValue): number {
    const { programs } = this.equipment
    const isNew = programs?.find(id) === undefined
    const ackc7 = programs?.store(id, { id: A(id), body: fromTypedJson(body) }) ?? ACKC7.modeNotSupported
    if (ackc7 === ACKC7.accepted) this.#programChanged(id, isNew ? CREATED : EDITED)
    return ackc7
  }

  /** ACKC7. */
  deleteProgram(id: string): number {
    const ackc7 = this.equipment.programs?.remove([id]) ?? ACKC7.noSuchProgram
    if (ackc7 === ACKC7.accepted) this.#programChanged(id, DELETED)
    return ackc7
  }

  /** Sends text to the host; resolves with whether it acknowledged S10F1. */
  async sendTerminalText(text: string, terminal = 0): Promise<boolean> {
    if (!this.equipment.online) return false
    return this.equipment.outbound.report('S10F1', { TID: String(terminal), TEXT: text })
  }

  /** Has read what the host sent to a terminal. */
  recognizeMessage(): void {
    this.equipment.occasion('message_recognized')
  }

  #programChanged(id: string, change: 1 | 2 | 3): void {
    this.equipment.last.program = { id, change }
    this.equipment.occasion('program_changed')
  }
}
