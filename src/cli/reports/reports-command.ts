import type { ReportsResult } from '../../contract/topics/reports.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { EquipmentCommand } from '../equipment/equipment-command.js'
import { DIFFERENCE_COLUMNS, differenceLines, STEP_COLUMNS, sameText, stepText } from './reports-output.js'

/** A command that changes the event reports of one equipment. */
export abstract class ReportsCommand extends EquipmentCommand {
  /** The difference, or the steps, are the result; how it went else is for people, and for the exit code. */
  protected async printResult(
    equipment: string,
    result: ReportsResult,
    shown: 'difference' | 'steps' = 'difference',
  ): Promise<void> {
    const { applied, dry_run, difference, warnings, steps, detail } = result
    const further = shown === 'steps' ? [] : steps
    if (this.format === 'json') this.printJson(result)
    else if (shown === 'steps') await this.printList(steps, STEP_COLUMNS, 'There is nothing to send.')
    else await this.printList(differenceLines(difference), DIFFERENCE_COLUMNS, sameText(equipment, steps))
    for (const warning of warnings) this.note(`Warning: ${warning}`)
    if (steps.length === 0 && (dry_run || applied))
      return this.note(`Nothing ${dry_run ? 'would be' : 'was'} sent: ${equipment} has it all.`)
    if (dry_run) {
      const what = shown === 'steps' ? 'These messages would be.' : `${steps.length} messages would be:`
      this.note(`Nothing was sent. ${what}`)
      for (const step of further) this.note(`  ${stepText(step)}`)
      return
    }
    if (applied) {
      for (const step of further) if (step.accepted === false) this.note(`  ${stepText(step)}`)
      return this.note(`${equipment} accepted ${steps.filter(({ accepted }) => accepted).length} messages.`)
    }
    this.environment.exitCode = EXIT_CODES.equipment
    for (const step of further) this.note(`  ${stepText(step)}`)
    this.note(detail ?? `${equipment} refused.`)
  }
}
