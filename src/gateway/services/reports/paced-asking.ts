import type { Given } from '../../../catalogue/known-message.js'
import type { Pace } from '../../../kit/pace.js'
import type { Asked, Asking, AskOptions, Replied } from '../asking.js'

/** What is asked is not needed any more. */
export class NotNeeded extends Error {}

/** Asks when the pace allows it. Throws `NotNeeded` where the reply is not needed any more by then. */
export class PacedAsking implements Pick<Asking, 'ask'> {
  constructor(
    private readonly asking: Pick<Asking, 'ask'>,
    private readonly pace: Pace,
    private readonly isNeeded: () => boolean,
  ) {}

  async ask<Name extends Asked>(
    equipmentId: string,
    message: Name,
    data: Given<Name, 'host'>,
    options?: AskOptions,
  ): Promise<Replied<Name>> {
    await this.pace.turn()
    if (!this.isNeeded()) throw new NotNeeded()
    return this.asking.ask(equipmentId, message, data, options)
  }
}
