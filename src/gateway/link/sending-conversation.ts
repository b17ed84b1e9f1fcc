import { Problem } from '../../contract/errors.js'
import type { Conversation, Exchange, SecsMessage } from '../../gem/conversation.js'
import type { LinkDriver } from '../../hsms/link-driver.js'
import { encodeBody } from '../../secs2/encode.js'
import type { JournaledAlarms } from '../alarms/alarm-board.js'
import type { EquipmentHealth } from '../equipment/equipment-health.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import type { Reading } from '../records/reading.js'
import { AlarmAlignment } from './alarm-alignment.js'
import type { Intake } from './intake.js'
import { SpoolUnload } from './spool-unload.js'
import {
  exchangeOf,
  type Outgoing,
  type Transaction,
  Transactions,
  type TransactionWorld,
} from './transactions.js'

/** Sends all primaries to one equipment, from callers and from the host; notes spool requests and requests for alarm lists. */
export class SendingConversation implements Conversation {
  /** Each reply to a primary of ours, in one order with what is received. */
  readonly replied: Transactions['replied']
  readonly unload: SpoolUnload
  private readonly transactions: Transactions
  private readonly alignment: AlarmAlignment

  constructor(
    { id, device_id }: EquipmentRecord,
    private readonly driver: LinkDriver,
    health: EquipmentHealth,
    intake: Intake,
    reading: () => Reading,
    world: TransactionWorld & { readonly alarms: JournaledAlarms },
  ) {
    const { alarms, journal, clock } = world
    this.transactions = new Transactions({ id, device_id }, driver, health, intake, world)
    this.alignment = new AlarmAlignment(id, alarms, journal, clock, reading)
    this.unload = new SpoolUnload(clock, reading)
    this.replied = this.transactions.replied
    this.replied.on((reply) => this.unload.replied(reply))
  }

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
    if (this.driver.state !== 'SELECTED') return { kind: 'lost' }
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
