import { EXIT_CODES } from '../explanation/exit-codes.js'
import { GatewayCommand } from './gateway-command.js'
import { type Verdict, verdictFields } from './messages/verdict.js'

/** A command that asks something of one equipment, which may refuse. */
export abstract class ServiceCommand extends GatewayCommand {
  /** Prints an answer; a refusal is told, and is the exit code. `result` is what the API gave. */
  protected printVerdict(
    equipment: string,
    result: object,
    verdict: Verdict,
    fields: readonly (readonly [string, string])[] = [],
  ): void {
    this.printRecord(result, [...fields, ...verdictFields(verdict)])
    if (!verdict.accepted) this.refused(equipment, verdict)
  }

  protected refused(equipment: string, { item, code, text }: Verdict): void {
    this.environment.exitCode = EXIT_CODES.equipment
    this.note(`${equipment} refused: ${item} ${code}, ${text}`)
  }
}
