import { type Clock, delay } from '../kit/clock.js'
import type { JsonObject } from '../kit/text/json.js'
import type { Collection } from '../store/collection.js'
import { NotOwner, StoreUnavailable } from '../store/failure.js'
import type { Journal } from '../store/journal.js'
import { type LeaseHolder, type Ownership, SITE_KEY } from '../store/ownership.js'
import type { JournaledAlarms } from './alarms/alarm-board.js'
import type { Audit } from './audit/audit.js'
import type { EquipmentRegistry } from './equipment/registry.js'
import type { MappingRecord } from './gem300/mapping/kept-mappings.js'
import type { OpenTransactions } from './outcomes/open-transactions.js'
import type { EquipmentRecord } from './records/equipment-record.js'
import { KEYS_TAKEN, MESSAGE_ENDED } from './records/journal-kinds.js'
import type { ReportsRecord } from './services/reports/reports-record.js'
import type { Sinks } from './sinks/sinks.js'

/** Milliseconds after which keys are taken again while the store is away. */
const AGAIN_MS = 500

interface LeaseHolderParts {
  readonly ownership: Ownership
  readonly journal: Journal
  readonly clock: Clock
  readonly open: OpenTransactions
  readonly alarms: JournaledAlarms
  readonly audit: Audit
  readonly registry: EquipmentRegistry
  readonly equipment: Collection<EquipmentRecord>
  readonly reports: Collection<ReportsRecord>
  readonly gem300: Collection<MappingRecord>
  readonly sinks: Sinks
}

/** Works on the equipment that this process owns, and on the duties that one process has for all. */
export class GatewayLeaseHolder implements LeaseHolder {
  constructor(private readonly parts: LeaseHolderParts) {}

  /** While the store is away this is tried again, as long as the keys are this process's. */
  async take(keys: readonly string[]): Promise<void> {
    const { ownership, clock } = this.parts
    for (;;) {
      const own = keys.filter((key) => ownership.owns(key))
      if (own.length === 0) return
      try {
        return await this.#take(own)
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || ownership.self === null) throw error
        await delay(clock, AGAIN_MS)
      }
    }
  }

  async #take(keys: readonly string[]): Promise<void> {
    const { registry, alarms } = this.parts
    await this.#readAll(keys)
    if (keys.includes(SITE_KEY)) await this.#beginDuties()
    const taken = new Set(registry.notTaken(keys))
    await this.#endLostTransactions(taken)
    alarms.restore((id) => taken.has(id))
    await registry.take([...taken])
    if (keys.includes(SITE_KEY)) await this.parts.sinks.begin()
  }

  async give(keys: readonly string[], isLost: boolean): Promise<void> {
    await this.parts.registry.give(keys, isLost)
    if (keys.includes(SITE_KEY)) await this.parts.sinks.end()
    if (keys.includes(SITE_KEY)) await this.parts.audit.stopCopying(isLost)
  }

  /** Knows what former owners have written: an entry is recorded here once all before it have been read. */
  async #readAll(keys: readonly string[]): Promise<void> {
    const { ownership, journal, clock, registry } = this.parts
    const { self: node } = ownership
    if (node === null) return
    const at = clock.date().toISOString()
    await journal.append({
      ...KEYS_TAKEN,
      name: 'taken',
      key: KEYS_TAKEN.type,
      at,
      data: { node, keys: [...keys] },
    })
    await registry.readAll()
  }

  /** A transaction that was open when the process before died ended with its connection. */
  async #endLostTransactions(equipment: ReadonlySet<string>): Promise<void> {
    const { journal, clock, open } = this.parts
    const at = clock.date().toISOString()
    const lost = open.all().filter(([, equipmentId]) => equipment.has(equipmentId))
    await Promise.all(
      lost.map(([seq, equipmentId]) => {
        const data: JsonObject = {
          message_id: String(seq),
          outcome: 'lost',
          reply_id: null,
          latency_ms: null,
          s9: null,
        }
        return journal.append({ ...MESSAGE_ENDED, key: equipmentId, at, data }).catch((error: unknown) => {
          // Forwarded to another process again, which ends it.
          if (!(error instanceof NotOwner)) throw error
        })
      }),
    )
  }

  async #beginDuties(): Promise<void> {
    const { audit, journal, alarms, equipment, reports, gem300 } = this.parts
    // A process may have died between the two halves of deleting an equipment.
    const applied = (await reports.all()).map(({ id }) => id)
    const mapped = (await gem300.all()).map(({ id }) => id)
    const registered = await equipment.exclusively(() => equipment.all())
    const ids = new Set(registered.map(({ id }) => id))
    const isGone = (id: string): boolean => !ids.has(id)
    await this.#endLostTransactions(
      new Set(
        this.parts.open
          .all()
          .map(([, id]) => id)
          .filter(isGone),
      ),
    )
    await alarms.clearAll(isGone)
    await reports.delete(...applied.filter(isGone))
    await gem300.delete(...mapped.filter(isGone))
    await audit.copyFrom(journal, this.parts.ownership.self)
  }
}
