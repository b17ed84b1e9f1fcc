import { Signal } from '../../kit/signal.js'
import { isRecordedPrimary, nameOf, type RecordedMessage } from './recording.js'

/** Messages of a host that cause nothing but their replies (SEMI E5), and S1F13, which comes first. */
const ONLY_ASKED: ReadonlySet<string> = new Set([
  ...[
    'S1F1',
    'S1F3',
    'S1F11',
    'S1F13',
    'S1F19',
    'S1F21',
    'S1F23',
    'S2F13',
    'S2F17',
    'S2F25',
    'S2F29',
    'S2F47',
  ],
  ...['S5F5', 'S5F7', 'S6F15', 'S6F17', 'S6F19', 'S6F21', 'S7F5', 'S7F19', 'S7F25', 'S7F33'],
])

/** A primary of the host that has to come before one of the equipment: the `count`-th of its name. */
export interface Cause {
  readonly id: number
  /** When it was recorded, in milliseconds. */
  readonly at: number
  /** Such as S2F41. */
  readonly name: string
  readonly count: number
}

/** The primaries of the host that those of the equipment were recorded after, and which of them have come by now. */
export class Causes {
  /** A primary of the host came that may cause messages. */
  readonly news = new Signal<void>()
  /** By the number of the equipment's primary. */
  readonly #causes = new Map<number, Cause>()
  readonly #expected = new Map<string, number>()
  /** When those of a name came, in the clock's time. */
  readonly #came = new Map<string, number[]>()
  readonly #givenUp = new Set<string>()

  constructor(messages: readonly RecordedMessage[]) {
    let latest: Cause | undefined
    for (const message of messages.filter(isRecordedPrimary)) {
      const name = nameOf(message)
      if (message.from === 'equipment') {
        if (latest) this.#causes.set(message.id, latest)
        latest = undefined
      } else if (!ONLY_ASKED.has(name)) {
        const count = (this.#expected.get(name) ?? 0) + 1
        this.#expected.set(name, count)
        latest = { id: message.id, at: message.at, name, count }
      }
    }
  }

  /** The last primary of the host since the previous one of the equipment; undefined where there was none. */
  of(primary: RecordedMessage): Cause | undefined {
    const cause = this.#causes.get(primary.id)
    return cause && this.#givenUp.has(cause.name) ? undefined : cause
  }

  /** When it came, in the clock's time; undefined while it did not. */
  cameAt({ name, count }: Cause): number | undefined {
    return this.#came.get(name)?.[count - 1]
  }

  /** A primary of the host came. */
  note(name: string, now: number): void {
    const times = this.#came.get(name) ?? []
    if (times.length >= (this.#expected.get(name) ?? 0)) return
    times.push(now)
    this.#came.set(name, times)
    this.news.emit()
  }

  /** This host does not send it: no message waits for one of its name any more. */
  giveUp({ name }: Cause): void {
    this.#givenUp.add(name)
  }
}
