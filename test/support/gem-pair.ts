import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import type { Exchange, Primary, PrimaryReply, SecsMessage } from '../../src/gem/conversation.js'
import { Equipment, type EquipmentReply, type EquipmentWorld } from '../../src/gem/equipment/equipment.js'
import type { EquipmentModel } from '../../src/gem/equipment/equipment-model.js'
import type { EquipmentConversation } from '../../src/gem/equipment/outbound-queue.js'
import { Host } from '../../src/gem/host/host.js'
import { decodeBody } from '../../src/secs2/decode.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { printItem } from '../../src/secs2/sml/print.js'
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
  /** How primaries of the equipment end in place of an answer, while it is set. */
  ends: Exchange | undefined

  constructor(
    model: EquipmentModel,
    execute: EquipmentWorld['execute'] = () => 0,
    computed: EquipmentWorld['computed'] = () => undefined,
  ) {
    const shared = {
      clock: this.clock,
      establishDelay: 10_000,
      view: () => ({ catalogue: STANDARD_CATALOGUE }),
    }
    this.host = new Host(
      this.#conversation('host', (primary) => this.equipment.replyTo(primary)),
      shared,
    )
    this.equipment = new Equipment(
      model,
      this.#conversation('equipment', (primary) => this.host.replyTo(primary)),
      { ...shared, execute, computed },
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
  ask(stream: number, fn: number, item?: SecsMessage['item']): EquipmentReply {
    return this.equipment.replyTo({ stream, function: fn, wait: true, item })
  }

  /** As `ask`, the answer on one line: `abort`, `none`, a fault, or the body as SML. */
  told(stream: number, fn: number, item?: SecsMessage['item']): string {
    const answer = this.ask(stream, fn, item)
    if (answer.kind === 'fault') return answer.fault
    return answer.kind === 'reply' ? lineOf(answer.message.item) : answer.kind
  }

  /** What the equipment sent since `from`, as `S6F11 <body on one line>`. */
  sent(from = 0): string[] {
    return this.crossed
      .slice(from)
      .flatMap((one) =>
        one.from === 'equipment' ? [`S${one.stream}F${one.function} ${lineOf(one.item)}`] : [],
      )
  }

  /** The link goes down on both sides. */
  cut(): void {
    this.host.linkLost()
    this.equipment.linkLost()
  }

  /** Time passes, and what comes of it happens. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms)
    await settle()
  }

  #conversation(
    from: Crossed['from'],
    peer: (primary: Primary) => PrimaryReply | EquipmentReply,
  ): EquipmentConversation {
    return {
      sendOneWay: (message) => {
        this.crossed.push({ from, ...message })
        peer({ ...message, wait: false })
      },
      request: async ({ stream, function: fn, item }): Promise<Exchange> => {
        this.crossed.push({ from, stream, function: fn, item })
        await Promise.resolve()
        if (from === 'equipment' && this.ends) return this.ends
        const answer = peer({ stream, function: fn, wait: true, item: decodeBody(encodeBody(item)) })
        if (answer.kind === 'reply') {
          return { kind: 'replied', item: decodeBody(encodeBody(answer.message.item)) }
        }
        return { kind: answer.kind === 'abort' ? 'aborted' : 'error' }
      },
    }
  }
}

const lineOf = (item: SecsMessage['item']): string =>
  item ? printItem(item).replace(/\s+/g, ' ') : 'header only'

/** Lets everything go on that waits for nothing but a promise. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
