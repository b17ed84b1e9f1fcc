import type { Equipment } from '../../contract/equipment.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import type { Ownership } from '../../store/ownership.js'

/** Milliseconds for which changes are gathered. */
const GATHER_MS = 200
/** Milliseconds after which all is published that has changed by time alone, such as health. */
const ALL_EVERY_MS = 5000

/** The member of what is published that is no part of the equipment as the API shows it. */
export const REPORTS_MEMBER = 'reports'

interface Shown {
  readonly isTaken: boolean
  readonly view: Equipment
}

/** Publishes the state of the equipment that this process drives, for the other processes. Does nothing where there are none. */
export class StatePublisher {
  readonly #changed = new Set<string>()
  /** As it was published last. */
  readonly #published = new Map<string, { readonly view: Equipment; readonly reports: object | undefined }>()
  #cancel: Cancel | undefined
  #cancelAll: Cancel | undefined

  constructor(
    readonly clock: Clock,
    readonly ownership: Ownership,
    readonly all: ReadonlyMap<string, Shown>,
    /** What is known of the event reports that were applied. */
    readonly reports: ReadonlyMap<string, object>,
  ) {
    if (ownership.self !== null) this.#publishAllLater()
  }

  /** The equipment may look different from now on. */
  changed(id: string): void {
    if (this.ownership.self === null) return
    this.#changed.add(id)
    this.#cancel ??= this.clock.at(this.clock.now() + GATHER_MS, () => {
      this.#cancel = undefined
      for (const id of this.#changed) this.#publish(id)
      this.#changed.clear()
    })
  }

  close(): void {
    this.#cancel?.()
    this.#cancelAll?.()
  }

  #publishAllLater(): void {
    this.#cancelAll = this.clock.at(this.clock.now() + ALL_EVERY_MS, () => {
      for (const id of this.all.keys()) this.#publish(id)
      this.#publishAllLater()
    })
  }

  #publish(id: string): void {
    const shown = this.all.get(id)
    if (!shown?.isTaken || !this.ownership.owns(id)) return void this.#published.delete(id)
    const { view } = shown
    const reports = this.reports.get(id)
    const last = this.#published.get(id)
    if (last?.view === view && last.reports === reports) return
    this.#published.set(id, { view, reports })
    this.ownership.publish(id, { ...view, ...(reports && { [REPORTS_MEMBER]: { ...reports } }) })
  }
}
