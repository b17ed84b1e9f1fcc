import type { Site } from './site.js'

/** Milliseconds within which what lasts for a time ends, once the gateway works. */
const ENDS_WITHIN_MS = 5000

/** From when to when something certainly lasts, and whether that is still known. */
export class Span {
  readonly #epoch: number
  readonly #clockChanges: number
  /** Gateways may end it by their own clocks, one after the other. */
  readonly #isDoubtful: boolean
  readonly from: number
  readonly seconds: number
  readonly ms: number
  /** By then it is over. */
  latest = Number.POSITIVE_INFINITY

  constructor(
    readonly site: Site,
    /** Where people do something as often as usual. */
    seconds: number,
    /** The most that the API takes. */
    most = Number.POSITIVE_INFINITY,
  ) {
    this.#epoch = site.epoch
    this.#clockChanges = site.clockChanges
    this.#isDoubtful = site.clocksDiffer
    // Dates have whole milliseconds.
    this.from = Math.floor(site.world.now)
    this.seconds = Math.min(most, seconds * site.stretch)
    this.ms = this.seconds * 1000
  }

  /** The call that began it has its response. */
  began(): void {
    this.latest = this.site.world.now + this.ms + ENDS_WITHIN_MS
  }

  /** A backup was restored, or a clock set; or clocks of gateways differ. */
  get isSpoilt(): boolean {
    return (
      this.#isDoubtful || this.#epoch !== this.site.epoch || this.#clockChanges !== this.site.clockChanges
    )
  }

  get isCertain(): boolean {
    return !this.isSpoilt && this.site.world.now < this.from + this.ms
  }
}
