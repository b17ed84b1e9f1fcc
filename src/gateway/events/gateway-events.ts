import type { Clock } from '../../kit/clock.js'
import type { JsonObject } from '../../kit/text/json.js'
import type { Kind } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'

/** Records events of the gateway itself. They are of no equipment, so nobody who is restricted to some gets them. */
export class GatewayEvents {
  constructor(
    private readonly journal: Pick<Journal, 'append'>,
    private readonly clock: Clock,
  ) {}

  /** Resolves once the event is on disk. */
  async record(
    kind: Kind & { readonly type: 'gateway'; readonly name: string },
    data: JsonObject,
  ): Promise<void> {
    const at = this.clock.date().toISOString()
    await this.journal.append({ ...kind, key: '', byAnyone: true, at, data })
  }
}
