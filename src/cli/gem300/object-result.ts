import type { ObjectError } from '../../contract/topics/gem300/object-values.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import type { EquipmentCommand } from '../equipment/equipment-command.js'
import { type Acknowledged, verdictWord } from '../messages/verdict.js'

/** The reply to a change: what was wrong in the equipment's own words. */
interface ObjectResult extends Acknowledged {
  readonly errors: readonly ObjectError[]
}

const errorText = ({ port, code, code_text, text }: ObjectError): string =>
  [
    ...(port === null ? [] : [`port ${port}`]),
    ...(code === null ? [] : [`ERRCODE ${code}${code_text === null ? '' : `, ${code_text}`}`]),
    ...(text === '' ? [] : [text]),
  ].join(': ')

/** Why equipment refused: everything that it says is wrong. */
export const reasonsOf = ({ errors }: Pick<ObjectResult, 'errors'>): readonly string[] =>
  errors.length === 0 ? ['it gave no reason'] : errors.map(errorText)

/** Prints a result; a refusal is also the exit code, with everything that the equipment says is wrong. */
export function printObjectResult(
  on: EquipmentCommand,
  result: ObjectResult,
  fields: readonly (readonly [string, string])[],
): void {
  const { accepted, errors, message_id, reply_id } = result
  const told = errors.map((error) => ['error', errorText(error)] as const)
  on.printRecord(result, [
    ...fields,
    ['result', verdictWord(result)],
    ...told,
    ['message', message_id],
    ['reply', reply_id],
  ])
  if (accepted) return
  on.environment.exitCode = EXIT_CODES.equipment
  const { equipment = 'EQ' } = on.subject
  for (const reason of reasonsOf(result)) on.note(`${equipment} refused: ${reason}`)
}
