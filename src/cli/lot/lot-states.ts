import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { Event } from '../../contract/topics/events.js'
import type { EquipmentCommand } from '../equipment/equipment-command.js'
import { carrierAt, look } from './look.js'
import type { LotPlan, LotRecord, LotView } from './lot-plan.js'
import { overlaid, type Sources, STATE_EVENTS, ToldStates } from './told-states.js'

/** So many events say what is known of a tool: it has far fewer objects. */
const MOST_EVENTS = 1000

/** Where the states of a lot come from. */
export interface LotMapping {
  /** States that the equipment gives wrong as attributes. */
  readonly ignored: readonly string[]
}

/**
 * The states of a lot: what the equipment says when it is asked, and, of equipment with a mapping, what its events have
 * told since. Without a mapping nothing but questions tells them.
 */
export class LotStates {
  readonly #told = new ToldStates()
  #asked: { readonly view: LotView; readonly after: number; readonly at: number } | undefined
  sources: Sources = {}

  constructor(
    private readonly on: EquipmentCommand,
    private readonly equipment: Equipment,
    private readonly plan: LotPlan,
    /** Undefined where events tell no states. */
    readonly mapping: LotMapping | undefined,
    /** Milliseconds after which what the equipment said is asked again although events tell the states. */
    private readonly interval: number,
  ) {}

  /** An event of the gateway's stream. */
  take(event: Event): void {
    this.#told.take(event)
  }

  /** What events have said is wrong with the process job. */
  get jobError(): string | undefined {
    return this.#told.error(this.plan.job)
  }

  /** Everything as it is now. */
  async whole(record: LotRecord): Promise<LotView> {
    return this.#overlaid(await this.#ask(undefined, record))
  }

  async now(record: LotRecord): Promise<LotView> {
    const asked = this.#asked
    const isFresh = asked && this.on.clock.now() - asked.at < this.interval
    if (this.mapping && isFresh) return this.#overlaid(asked)
    return this.#overlaid(await this.#ask(asked?.view, record))
  }

  async #ask(before: LotView | undefined, record: LotRecord) {
    const { on, equipment, plan, mapping } = this
    const at = on.clock.now()
    const after = mapping ? await this.#latest() : 0
    const told = mapping && this.#told
    const view = await look(on, equipment, plan, before && this.#overlaidView(before), record, told)
    this.#asked = { view, after, at }
    return this.#asked
  }

  #overlaidView(view: LotView): LotView {
    const { after = 0 } = this.#asked ?? {}
    return this.mapping ? overlaid(this.plan, view, this.#told, { after, ...this.mapping }).view : view
  }

  #overlaid({ view, after }: { readonly view: LotView; readonly after: number }): LotView {
    const { mapping, plan } = this
    if (!mapping) return view
    // A carrier that came since.
    const carrier = view.carrier ?? carrierAt(plan, view.port, this.#told.carriers(after))
    const found = overlaid(plan, { ...view, carrier }, this.#told, { after, ...mapping })
    this.sources = found.sources
    return found.view
  }

  /** Takes what the gateway has, and tells the number of the latest: what the equipment says now is not older. */
  async #latest(): Promise<number> {
    const limit = this.#asked ? 1 : MOST_EVENTS
    const query = {
      equipment_id: [this.equipment.id],
      name: [...STATE_EVENTS],
      limit,
      order: 'desc' as const,
    }
    const { items } = await this.on.call(endpoints.listEvents, { query })
    for (const event of [...items].reverse()) this.#told.take(event)
    return this.#told.last
  }
}
