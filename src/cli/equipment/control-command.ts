import { Flags } from '@oclif/core'
import type { GatewayClient } from '../../client/client.js'
import type { Equipment } from '../../contract/equipment.js'
import { EXIT_CODES } from '../../explanation/exit-codes.js'
import { GatewayCommand } from '../gateway-command.js'
import { SEVERAL_EQUIPMENT } from '../input/arguments.js'
import { ASKING_FLAGS } from '../messages/transaction-flags.js'
import { type ControlVerdict, controlColumns } from './control-output.js'

export const CONTROL_ARGS = {
  equipment: SEVERAL_EQUIPMENT,
}
export const CONTROL_FLAGS = {
  ...ASKING_FLAGS,
  all: Flags.boolean({ summary: 'All equipment that is registered.' }),
}

type Said = Pick<ControlVerdict, 'accepted' | 'control_state'>

/** A command that has equipment go online or offline. */
export abstract class ControlCommand extends GatewayCommand {
  /**
   * Prints each answer, and the `advice` on it; a refusal is the exit code, and failures are printed after
   * the answers of the others.
   */
  protected async control<Result extends Said>(
    chosen: readonly Equipment[],
    ask: (client: GatewayClient, id: string) => Promise<Result>,
    said: (result: Result) => string,
    advice: (result: Result) => string | undefined = () => undefined,
  ): Promise<void> {
    const client = await this.client()
    const ends = await Promise.allSettled(
      chosen.map(async ({ id, name }) => ({ equipment_id: id, equipment: name, ...(await ask(client, id)) })),
    )
    const answered = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
    const failed = ends.flatMap((end, at) =>
      end.status === 'rejected' ? [{ reason: end.reason as unknown, name: chosen[at]?.name ?? '' }] : [],
    )
    const columns = controlColumns<ControlVerdict & Result>(said)
    if (answered.length > 0 || failed.length === 0) await this.printList(answered, columns, 'No equipment.')
    for (const result of answered) {
      const text = advice(result)
      if (text !== undefined) this.note(`${result.equipment}: ${text}`)
    }
    if (answered.some(({ accepted }) => !accepted)) this.environment.exitCode = EXIT_CODES.equipment
    const last = failed.pop()
    for (const { reason, name } of failed)
      this.note(reason instanceof Error ? reason.message : `${name}: ${reason}`)
    if (!last) return
    this.subject.equipment = last.name
    throw last.reason
  }
}
