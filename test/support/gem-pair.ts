import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import type { Answer, Conversation, Exchange, Primary, SecsMessage } from '../../src/gem/conversation.js'
import { Equipment, type EquipmentAnswer, type EquipmentWorld } from '../../src/gem/equipment.js'
import type { EquipmentModel } from '../../src/gem/equipment-model.js'
import { Host } from '../../src/gem/host.js'
import { decodeBody } from '../../src/secs2/decode.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { ManualClock } from './manual-clock.js'

/** One that crossed, such as `S1F13` from the `host`. */
export interface Crossed extends SecsMessage {
  readonly from: 'host' | 'equipment'
}

/** A host and an equipment on made-up time, with nothing between them but encoded bodies. */
export class GemPair {
  readonly clock = new ManualClock()
  readonly crossed: Crossed[] = []
  readonly host: Host
  readonly equipment: Equipment

  constructor(model: EquipmentModel, execute: EquipmentWorld['execute'] = () => 0) {
    const shared = {
      clock: this.clock,
      establishDelay: 10_000,
      view: () => ({ catalogue: STANDARD_CATALOGUE }),
    }
    this.host = new Host(
      this.#conversation('host', (primary) => this.equipment.answer(primary)),
      shared,
    )
    this.equipment = new Equipment(
      model,
      this.#conversation('equipment', (primary) => this.host.answer(primary)),
      { ...shared, execute },
    )
    this.host.enable()
    this.equipment.enable()
  }

  /** The link comes up on both sides. */
  async select(): Promise<void> {
    this.host.selected()
    this.equipment.selected()
    await settle()
  }

  /** What the equipment answers to a primary of the host. */
  ask(stream: number, fn: number, item?: SecsMessage['item']): EquipmentAnswer {
    return this.equipment.answer({ stream, function: fn, wait: true, item })
  }

  #conversation(from: Crossed['from'], peer: (primary: Primary) => Answer | EquipmentAnswer): Conversation {
    return {
      request: async ({ stream, function: fn, item }): Promise<Exchange> => {
        this.crossed.push({ from, stream, function: fn, item })
        await Promise.resolve()
        const answer = peer({ stream, function: fn, wait: true, item: decodeBody(encodeBody(item)) })
        if (answer.kind === 'reply') {
          return { kind: 'replied', item: decodeBody(encodeBody(answer.message.item)) }
        }
        return { kind: answer.kind === 'abort' ? 'aborted' : 'error' }
      },
    }
  }
}

/** Lets everything go on that waits for nothing but a promise. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
