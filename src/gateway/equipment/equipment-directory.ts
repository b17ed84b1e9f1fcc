import { isDeepStrictEqual } from 'node:util'
import type { Start } from '../../gem/host/host-questions.js'
import { Signal } from '../../kit/signal.js'
import type { Collection } from '../../store/collection.js'
import { type EquipmentRecord, wholeRecord } from '../records/equipment-record.js'
import { throwBug } from '../store-problem.js'
import { EquipmentLabels } from './equipment-labels.js'
import { type EquipmentWorld, RegisteredEquipment } from './registered-equipment.js'
import { StatePublisher } from './state-publisher.js'

/** Equipment that communicates, and is online where it may be asked. */
export interface StartedEquipment extends Start {
  readonly equipmentId: string
}

/** All equipment that is registered, also by other processes. */
export class EquipmentDirectory {
  /** Emits for equipment that communicates, before the host asks its startup questions. */
  readonly started = new Signal<StartedEquipment>()
  /** Emits the id of equipment that was deleted. */
  readonly removed = new Signal<string>()
  readonly labels = new EquipmentLabels()
  readonly #registered = new Map<string, RegisteredEquipment>()
  readonly #publisher: StatePublisher
  /** Changes by other processes that are being read. */
  readonly #reading = new Set<Promise<void>>()

  constructor(
    readonly collection: Collection<EquipmentRecord>,
    readonly world: EquipmentWorld,
  ) {
    const { clock, ownership, reportsStates } = world
    this.#publisher = new StatePublisher(clock, ownership, this.#registered, reportsStates)
    collection.changed.on((id) => this.#changedElsewhere(id))
    ownership.changed.on((id) => this.#registered.get(id)?.changed.emit())
  }

  get(id: string): RegisteredEquipment | undefined {
    return this.#registered.get(id)
  }

  /** The id of the equipment with this name. */
  idOf(name: string): string | undefined {
    const wanted = name.normalize()
    for (const { record } of this.#registered.values())
      if (record.name === name || record.name.normalize() === wanted) return record.id
    return undefined
  }

  all(): readonly RegisteredEquipment[] {
    return [...this.#registered.values()]
  }

  /** Registers all equipment that there is. */
  async load(): Promise<void> {
    for (const record of await this.collection.all()) this.use(wholeRecord(record))
  }

  /** Registers the equipment of a record, or takes what is new in the record of registered equipment. */
  use(record: EquipmentRecord): RegisteredEquipment {
    const before = this.#registered.get(record.id)
    if (before && isDeepStrictEqual(before.record, record)) return before
    before?.use(record)
    this.labels.set(record.id, record.labels)
    this.world.knowledge.readBy(record)
    return before ?? this.#register(record)
  }

  /** The record is removed from the collection. */
  unregister({ record: { id }, watch, changed }: RegisteredEquipment): void {
    this.#registered.delete(id)
    this.labels.delete(id)
    watch.end()
    changed.emit()
  }

  /** Drops what is known of equipment that is gone. */
  forget(id: string): void {
    this.world.knowledge.forget((equipmentId) => equipmentId === id)
    this.removed.emit(id)
  }

  /** Runs work while no other process changes a record, and with the changes of all known. */
  exclusively<R>(work: () => Promise<R>): Promise<R> {
    return this.collection.exclusively(async () => {
      await Promise.all(this.#reading)
      return work()
    })
  }

  /** Publishes nothing any more. */
  close(): void {
    this.#publisher.close()
  }

  #register(record: EquipmentRecord): RegisteredEquipment {
    const { id } = record
    const registered = new RegisteredEquipment(record, this.world, ({ waitFor }) =>
      this.started.emit({ equipmentId: id, waitFor }),
    )
    registered.changed.on(() => this.#publisher.changed(id))
    this.#registered.set(id, registered)
    return registered
  }

  #changedElsewhere(id: string): void {
    const reading = this.#readAgain(id).catch(throwBug)
    this.#reading.add(reading)
    void reading.finally(() => this.#reading.delete(reading))
  }

  /** Equipment that was changed by another process; the last change of a former owner may come after it was taken. */
  async #readAgain(id: string): Promise<void> {
    const record = await this.collection.get(id)
    const registered = this.#registered.get(id)
    if (record) return void this.use(wholeRecord(record))
    if (!registered) return
    registered.record = { ...registered.record, enabled: false }
    this.unregister(registered)
    this.forget(id)
    await registered.give(true)
  }
}
