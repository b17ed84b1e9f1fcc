import { EXIT_CODES } from '../explanation/exit-codes.js'
import { EquipmentCommand } from './equipment/equipment-command.js'
import { type Answered, type Verdict, verdictFields, verdictOf } from './messages/verdict.js'

/** A command that asks something of one equipment, which may refuse. */
export abstract class ServiceCommand extends EquipmentCommand {
  /** Prints the answer of the API, with the acknowledge code `item`; a refusal is also the exit code. */
  protected printVerdict(
    item: string,
    answered: Answered,
    fields: readonly (readonly [string, string])[] = [],
    result: object = answered,
  ): void {
    const verdict = verdictOf(item, answered)
    this.printRecord(result, [...fields, ...verdictFields(verdict)])
    if (!verdict.accepted) this.refused(verdict)
  }

  protected refused({ item, code, text }: Verdict): void {
    this.environment.exitCode = EXIT_CODES.equipment
    this.note(`${this.subject.equipment} refused: ${item} ${code}, ${text}`)
  }
}
