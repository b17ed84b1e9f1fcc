import { EXIT_CODES } from '../explanation/exit-codes.js'
import { GatewayCommand } from './gateway-command.js'
import { type Answered, type Verdict, verdictFields, verdictOf } from './messages/verdict.js'

/** A command that asks something of one equipment, which may refuse. */
export abstract class ServiceCommand extends GatewayCommand {
  /** Prints the answer of the API, with the acknowledge code `item`; a refusal is also the exit code. */
  protected printVerdict(
    equipment: string,
    item: string,
    answered: Answered,
    fields: readonly (readonly [string, string])[] = [],
    result: object = answered,
  ): void {
    const verdict = verdictOf(item, answered)
    this.printRecord(result, [...fields, ...verdictFields(verdict)])
    if (!verdict.accepted) this.refused(equipment, verdict)
  }

  protected refused(equipment: string, { item, code, text }: Verdict): void {
    this.environment.exitCode = EXIT_CODES.equipment
    this.note(`${equipment} refused: ${item} ${code}, ${text}`)
  }
}
