import type { ReportsResult } from '../contract/reports.js'
import { EXIT_CODES } from './exit-codes.js'
import { GatewayCommand } from './gateway-command.js'
import { DIFFERENCE_COLUMNS, differenceLines, stepText } from './reports-output.js'

/** A command that changes the event reports of one equipment. */
export abstract class ReportsCommand extends GatewayCommand {
  /** The difference is the result; how it went is for people, and for the exit code. */
  protected async printResult(equipment: string, result: ReportsResult): Promise<void> {
    const { applied, dry_run, difference, warnings, steps, detail } = result
    if (this.format === 'json') this.printJson(result)
    else {
      const none = `No difference to what the gateway last applied to ${equipment}.`
      await this.printList(differenceLines(difference), DIFFERENCE_COLUMNS, none)
    }
    for (const warning of warnings) this.note(`Warning: ${warning}`)
    if (dry_run) {
      this.note(`Nothing was sent. ${steps.length} messages would be:`)
      for (const step of steps) this.note(`  ${stepText(step)}`)
      return
    }
    if (applied) return this.note(`${equipment} accepted ${steps.length} messages.`)
    process.exitCode = EXIT_CODES.equipment
    for (const step of steps) this.note(`  ${stepText(step)}`)
    this.note(detail ?? `${equipment} refused.`)
  }
}
