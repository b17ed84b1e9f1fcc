import { Problem } from '../../contract/errors.js'
import type { Conversation, Exchange, SecsMessage } from '../../gem/conversation.js'
import { encodeBody } from '../../secs2/encode.js'
import type { AlarmAlignment } from './alarm-alignment.js'
import type { SpoolUnload } from './spool-unload.js'
import { exchangeOf, type Outgoing, type Transaction, type Transactions } from './transactions.js'

/** Sends all primaries to one equipment, from callers and from the host; notes spool requests and requests for alarm lists. */
export class RecordedConversation implements Conversation {
  constructor(
    private readonly transactions: Transactions,
    private readonly alignment: AlarmAlignment,
    private readonly unload: SpoolUnload,
    private readonly isSelected: () => boolean,
  ) {}

  /** Throws `equipment_busy` when too many are open. */
  begin(outgoing: Outgoing): Promise<Transaction> {
    const { stream, function: fn } = outgoing
    this.unload.asked(outgoing)
    const listsAlarms = stream === 5 && (fn === 5 || fn === 7)
    return listsAlarms
      ? this.alignment.during(() => this.transactions.begin(outgoing))
      : this.transactions.begin(outgoing)
  }

  async request(
    { stream, function: fn, item }: SecsMessage,
    onEnd?: (exchange: Exchange) => void,
    t3?: number,
  ): Promise<Exchange> {
    if (!this.isSelected()) return { kind: 'lost' }
    try {
      const shorter = t3 !== undefined && { t3 }
      const body = encodeBody(item)
      const { ended } = await this.begin({ stream, function: fn, wait: true, item, body, ...shorter })
      return await ended.then((end) => {
        const exchange = exchangeOf(end)
        onEnd?.(exchange)
        return exchange
      })
    } catch (error) {
      return { kind: error instanceof Problem && error.code === 'equipment_busy' ? 'busy' : 'lost' }
    }
  }
}
