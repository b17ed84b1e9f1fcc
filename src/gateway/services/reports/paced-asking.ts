import type { Pace } from '../../../kit/pace.js'
import type { Asking } from '../asking.js'

/** What is asked is not needed any more. */
export class NotNeeded extends Error {}

/** Asks when the pace allows it. Throws `NotNeeded` where the reply is not needed any more by then. */
export class PacedAsking implements Pick<Asking, 'ask'> {
  constructor(
    private readonly asking: Pick<Asking, 'ask'>,
    private readonly pace: Pace,
    private readonly isNeeded: () => boolean,
  ) {}

  readonly ask: Asking['ask'] = async (equipmentId, message, data, options) => {
    await this.pace.turn()
    if (!this.isNeeded()) throw new NotNeeded()
    return this.asking.ask(equipmentId, message, data, options)
  }
}
