import type { Equipment } from '../../../../contract/equipment.js'
import { delay } from '../../../../kit/clock.js'
import { type Identity, identityEntry } from '../../../equipment/equipment-identities.js'
import type { OutMessage, SinkWorld } from '../kind.js'
import type { Broker, Publication } from './broker.js'
import { topicOf } from './topic-template.js'

/** States in one call. */
const MAX_STATES = 500

/** Milliseconds for which a change of a name or of labels is waited for, and between two looks. */
const CHANGE_MS = 2000
const LOOK_MS = 20

type Change = NonNullable<OutMessage['change']>

interface Parts {
  readonly sink: string
  /** Template of the topics. */
  readonly topic: string
  readonly world: Pick<SinkWorld, 'clock' | 'equipment' | 'selected'>
}

/** The last state of each equipment of a sink, as the broker retains it. */
export class RetainedStates {
  /** By id of equipment: what the broker has retained since it was connected. */
  readonly #retained = new Map<string, Publication>()

  constructor(private readonly parts: Parts) {}

  /** Retains all states, on a new connection: a broker that was started again may have lost what it retained. */
  async begin(broker: Broker, signal: AbortSignal): Promise<void> {
    // Nothing is equal to this.
    for (const [id, one] of this.#retained) this.#retained.set(id, { ...one, payload: '' })
    await this.#update(broker, [...this.#retained.keys(), ...this.parts.world.selected()], [], signal)
  }

  /** Retains what follows from messages that were published. */
  async follow(broker: Broker, messages: readonly OutMessage[], signal: AbortSignal): Promise<void> {
    const ids = messages.flatMap(({ event, change }) => {
      if (event?.type === 'connection' || event?.type === 'state') return [event.equipment_id]
      return change?.equipmentId ?? []
    })
    const changes = messages.flatMap(({ change }) => change ?? [])
    for (const change of changes) await this.#changed(change, signal)
    await this.#update(broker, ids, changes, signal)
  }

  /** A change is recorded before it is made, and is not made where the store refused it. */
  async #changed({ equipmentId, before }: Change, signal: AbortSignal): Promise<void> {
    const { clock, equipment } = this.parts.world
    const isAsBefore = (): boolean => {
      const now = equipment(equipmentId)
      return now !== undefined && identityEntry(before, now) === undefined
    }
    for (const end = clock.now() + CHANGE_MS; isAsBefore() && clock.now() < end && !signal.aborted; )
      await delay(clock, LOOK_MS, signal)
  }

  async #update(
    broker: Broker,
    ids: readonly string[],
    changes: readonly Change[],
    signal: AbortSignal,
  ): Promise<void> {
    const left = new Set(changes.map(({ equipmentId: id, before }) => this.#topicOf({ id, ...before })))
    const found: { readonly id: string; readonly now: Publication | undefined }[] = []
    for (const id of new Set(ids)) {
      const equipment = this.parts.world.equipment(id)
      const before = this.#retained.get(id)
      const now = equipment && this.#stateOf(equipment)
      if (before && before.topic !== now?.topic) left.add(before.topic)
      if (before?.payload !== now?.payload || before?.topic !== now?.topic) found.push({ id, now })
    }
    // A topic that equipment has left may be that of other equipment now.
    if (left.size > 0) for (const topic of this.#topicsNow()) left.delete(topic)
    await this.#publish(broker, [...left].map(removed), signal)
    for (let at = 0; at < found.length; at += MAX_STATES) {
      const part = found.slice(at, at + MAX_STATES)
      await this.#publish(
        broker,
        part.flatMap(({ now }) => now ?? []),
        signal,
      )
      for (const { id, now } of part) {
        if (now) this.#retained.set(id, now)
        else this.#retained.delete(id)
      }
    }
  }

  async #publish(broker: Broker, publications: readonly Publication[], signal: AbortSignal): Promise<void> {
    const rejection = await broker.publish(publications, signal)
    if (rejection) throw new Error(`a retained state: ${rejection.detail}`)
  }

  *#topicsNow(): Generator<string> {
    const { selected, equipment } = this.parts.world
    for (const id of selected()) {
      const known = equipment(id)
      if (known) yield this.#topicOf(known)
    }
  }

  #topicOf(equipment: Identity & { readonly id: string }): string {
    const { topic, sink } = this.parts
    return topicOf(topic, { sink, equipment })
  }

  #stateOf(equipment: Equipment): Publication {
    const payload = JSON.stringify(shownState(equipment))
    return { topic: this.#topicOf(equipment), payload, qos: 1, retain: true, contentType: 'application/json' }
  }
}

/** An empty message removes what is retained. */
const removed = (topic: string): Publication => ({ topic, payload: '', qos: 1, retain: true })

/** Members that change only with an event of the equipment: what is retained does not become stale. */
const shownState = ({ id, name, connection_state, communication_state, control_state }: Equipment) => ({
  equipment_id: id,
  equipment_name: name,
  connection_state,
  communication_state,
  control_state,
})
