import { Listeners } from '../hsms/listener.js'
import type { Clock } from '../kit/clock.js'
import type { JsonObject } from '../kit/json.js'
import type { Collection } from '../store/collection.js'
import type { Journal } from '../store/journal.js'
import { JournaledAlarms } from './alarm-board.js'
import type { EquipmentRecord } from './equipment-record.js'
import { JournaledEvents } from './event-log.js'
import type { Accounts, Gateway } from './gateway.js'
import { Idempotency } from './idempotency.js'
import { MESSAGE_ENDED } from './journal-kinds.js'
import { JournaledMessages } from './message-log.js'
import { Outcomes } from './outcomes.js'
import { EquipmentRegistry } from './registry.js'
import { HostCommands } from './remote-commands.js'

export interface GatewayParts {
  readonly journal: Journal
  readonly equipment: Collection<EquipmentRecord>
  readonly accounts: Accounts
  readonly clock: Clock
  /** The address on which equipment that dials in is awaited. */
  readonly hsmsHost: string
}

export interface OpenGateway extends Gateway {
  /** Ends every session in order. The wishes to be connected stay. */
  close(): Promise<void>
}

/** Puts the gateway together over a store: its views are rebuilt from the journal, its wishes taken up again. */
export async function openGateway({
  journal,
  equipment,
  accounts,
  clock,
  hsmsHost,
}: GatewayParts): Promise<OpenGateway> {
  const outcomes = new Outcomes(journal)
  const alarms = new JournaledAlarms(journal, clock)
  const idempotency = new Idempotency(journal, clock)
  await outcomes.restore()
  await alarms.restore()
  await idempotency.restore()
  await endLostTransactions(journal, outcomes, clock)

  const world = { journal, clock, alarms, outcomes, idempotency, listeners: new Listeners(), hsmsHost }
  const registry = new EquipmentRegistry(equipment, world)
  await registry.restore()
  const messages = new JournaledMessages(journal, outcomes, registry)
  return {
    equipment: registry,
    messages,
    commands: new HostCommands(messages),
    alarms,
    events: new JournaledEvents(journal, (id) => registry.readingOf(id)),
    accounts,
    idempotency,
    get ready() {
      return journal.failure === undefined
    },
    close: () => registry.close(),
  }
}

/** A transaction that was open when the process died ended with its connection. */
async function endLostTransactions(journal: Journal, outcomes: Outcomes, clock: Clock): Promise<void> {
  const at = clock.date().toISOString()
  await Promise.all(
    outcomes.open().map(([seq, equipmentId]) => {
      const data: JsonObject = {
        message_id: String(seq),
        outcome: 'lost',
        reply_id: null,
        latency_ms: null,
        s9: null,
      }
      return journal.append({ ...MESSAGE_ENDED, key: equipmentId, at, data })
    }),
  )
}
