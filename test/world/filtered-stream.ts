import type { Event } from '../../src/contract/topics/events.js'
import type { ShownEvent } from './reader.js'
import type { Site } from './site.js'

/** What a stream is asked for, and which of all events it has to have. */
export interface Filter {
  readonly query: string
  readonly isMeant: (event: ShownEvent) => boolean
}

export const ALARM_EVENTS: Filter = { query: 'type=alarm', isMeant: ({ type }) => type === 'alarm' }
export const REPORTS: Filter = { query: 'message=S6F11', isMeant: ({ message }) => message === 'S6F11' }

/** What a follower of some events was shown, compared with the stream of all. */
export class FilteredStream {
  last = 0
  #epoch = 0
  /** What it was shown after `#from` is not compared yet. */
  #from = 0
  #shown: number[] = []

  constructor(
    readonly site: Site,
    readonly filter: Filter,
  ) {}

  /** A backup may have been restored since. */
  begin(): void {
    const { epoch, streamed } = this.site
    if (this.#epoch !== epoch) this.startAfter(Math.min(this.last, streamed.last))
    this.#epoch = epoch
  }

  /** Retention has passed it, or the backup that was restored ends before it. */
  goOnAtEnd(): void {
    this.startAfter(this.site.streamed.last)
  }

  /** It goes on after this event, which it may have been shown before. */
  startAfter(id: number): void {
    this.last = id
    this.#from = id
    this.#shown = []
  }

  take({ id: text, type, name, equipment_id }: Event): void {
    if (this.#epoch !== this.site.epoch) return
    const { observer } = this.site
    const id = Number(text)
    observer.count(`events of a stream of ${this.filter.query.replace(/eq_\w+/, 'some')}`)
    observer.require(
      id > this.last,
      'Every reader is shown events in the order of their ids, each once.',
      () => `${id} (${type} ${name} of ${equipment_id}) after ${this.last} by ${this.filter.query}`,
    )
    this.last = id
    this.#shown.push(id)
    this.check(id)
  }

  /** Up to this event, which was shown a while ago. */
  check(until: number): void {
    const { epoch, streamed, observer } = this.site
    const end = Math.min(until, streamed.last)
    if (this.#epoch !== epoch || end <= this.#from) return
    const known = streamed.shownAfter(this.#from)
    const first = known[0]?.id ?? Number.POSITIVE_INFINITY
    const isCompared = (id: number): boolean => id >= first && id <= end
    const expected = known.filter((event) => isCompared(event.id) && this.filter.isMeant(event))
    const [wanted, shown] = [expected.map(({ id }) => id), this.#shown.filter(isCompared)].map(String)
    observer.require(
      wanted === shown,
      'A stream of some events has what the stream of all has shown.',
      () => `${wanted} and not ${shown} after ${this.#from} by ${this.filter.query}`,
    )
    this.#from = end
    this.#shown = this.#shown.filter((id) => id > end)
  }
}
