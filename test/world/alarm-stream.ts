import type { Event } from '../../src/contract/topics/events.js'
import type { Site } from './site.js'

/** What a follower of the alarms alone was shown, compared with the stream of all. */
export class AlarmStream {
  last = 0
  #epoch = 0

  constructor(readonly site: Site) {}

  /** A backup may have been restored since. */
  begin(): void {
    const { epoch, streamed } = this.site
    if (this.#epoch !== epoch) this.last = Math.min(this.last, streamed.last)
    this.#epoch = epoch
  }

  /** Retention has passed it, or the backup that was restored ends before it. */
  goOnAtEnd(): void {
    this.last = this.site.streamed.last
  }

  take(event: Event): void {
    if (this.#epoch !== this.site.epoch) return
    const id = Number(event.id)
    this.#requireNone(id - 1)
    this.site.observer.count('events of the stream of alarms')
    this.last = id
  }

  /** Up to this event, which was shown a while ago. */
  check(until: number): void {
    if (this.#epoch === this.site.epoch) this.#requireNone(until)
  }

  /** All that the stream of all has shown up to this event was shown here. */
  #requireNone(until: number): void {
    const { streamed, observer } = this.site
    const missed = streamed.recent.filter(({ id, type }) => type === 'alarm' && id > this.last && id <= until)
    observer.require(
      missed.length === 0,
      'A stream of one type has what the stream of all has shown.',
      () => `${missed.map(({ id }) => id).join()} after ${this.last}`,
    )
  }
}
