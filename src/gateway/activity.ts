import { OUTCOMES, type Outcome } from '../contract/topics/messages.js'
import type { Entry } from '../store/entry.js'
import type { Journal } from '../store/journal.js'
import type { EquipmentRegistry } from './equipment/registry.js'
import { MESSAGE_ENDED, MESSAGE_RECEIVED, MESSAGE_SENT } from './records/journal-kinds.js'

/** Counts of one equipment's recorded messages since the gateway started. */
export interface EquipmentActivity {
  readonly name: string
  readonly sent: number
  readonly received: number
  /** When its last message was received, ISO 8601; null where none was. */
  readonly lastReceivedAt: string | null
  /** Number of the gateway's primaries by outcome. */
  readonly outcomes: readonly (readonly [outcome: Outcome, count: number])[]
}

interface Counts {
  sent: number
  received: number
  lastReceivedAt: string | null
  readonly outcomes: Map<Outcome, number>
}

const none = (): Counts => ({ sent: 0, received: 0, lastReceivedAt: null, outcomes: new Map() })

/** Counts messages and outcomes per equipment, from its construction on. */
export class RecordedActivity {
  readonly #byEquipment = new Map<string, Counts>()

  constructor(
    private readonly records: Pick<Journal, 'appended' | 'backlog' | 'last'>,
    private readonly registry: Pick<EquipmentRegistry, 'allObserved'>,
  ) {
    records.appended.on((entry) => this.#count(entry))
  }

  /** Appends that wait for the disk: the oldest wait in milliseconds, their number; and the newest sequence number on disk. */
  get journal(): { readonly lag: number; readonly waiting: number; readonly last: number } {
    const { backlog, last } = this.records
    return { lag: backlog.ms, waiting: backlog.count, last }
  }

  /** Also removes the counts of equipment that is not registered any more. */
  equipment(): readonly EquipmentActivity[] {
    const registered = new Map(this.registry.allObserved().map(({ record }) => [record.id, record.name]))
    for (const id of this.#byEquipment.keys()) if (!registered.has(id)) this.#byEquipment.delete(id)
    return [...registered].map(([id, name]) => {
      const { outcomes, ...counts } = this.#byEquipment.get(id) ?? none()
      return { name, ...counts, outcomes: [...outcomes] }
    })
  }

  #count({ type, name, key, at, data }: Entry): void {
    if (type !== MESSAGE_SENT.type) return
    const counts = this.#byEquipment.get(key) ?? none()
    this.#byEquipment.set(key, counts)
    if (name === MESSAGE_SENT.name) counts.sent++
    if (name === MESSAGE_RECEIVED.name) {
      counts.received++
      counts.lastReceivedAt = at
    }
    if (name !== MESSAGE_ENDED.name) return
    const outcome = OUTCOMES.find((word) => word === data['outcome'])
    if (outcome) counts.outcomes.set(outcome, (counts.outcomes.get(outcome) ?? 0) + 1)
  }
}
