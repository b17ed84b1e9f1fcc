import type { Cancel, Clock } from '../kit/clock.js'

/** A message that a host announced, and has to send now. */
interface Expected {
  readonly length: number
  readonly cancel: Cancel
}

/** MEXP for S2F39: the first of the messages that may follow it. */
export const LARGE_MESSAGE = 'S02F33'

const TIMEOUT_MS = 45_000
/** Announcements that wait at a time. */
const MAX_EXPECTED = 100

export interface Announcement {
  /** The message that has to come, as E5's MEXP says it, such as `S07F03`. */
  readonly message: string
  /** A DATAID or PPID. */
  readonly data: string
  /** In bytes. */
  readonly length: number
}

/** Which messages a host has announced (S2F39, S7F1); one that does not come in time is reported by S9F13 (SEMI E30). */
export class ExpectedMessages {
  readonly #expected = new Map<string, Expected>()

  /** `timeout` in milliseconds, 45 s when left out. */
  constructor(
    private readonly clock: Clock,
    private readonly overdue: (announcement: Announcement) => void,
    private readonly timeout: number = TIMEOUT_MS,
  ) {}

  /** Whether there is room for another. */
  get isFull(): boolean {
    return this.#expected.size >= MAX_EXPECTED
  }

  has({ message, data }: Pick<Announcement, 'message' | 'data'>): boolean {
    return this.#expected.has(keyOf(message, data))
  }

  /** Starts to wait; starts again where the same message is expected. */
  expect(announcement: Announcement): void {
    const { message, data, length } = announcement
    this.met(message, data)
    const cancel = this.clock.at(this.clock.now() + this.timeout, () => {
      this.#expected.delete(keyOf(message, data))
      this.overdue(announcement)
    })
    this.#expected.set(keyOf(message, data), { length, cancel })
  }

  /** The message came: returns the announced length, undefined for a message that was not announced. */
  met(message: string, data: string): number | undefined {
    const expected = this.#expected.get(keyOf(message, data))
    expected?.cancel()
    this.#expected.delete(keyOf(message, data))
    return expected?.length
  }

  /** The link is lost: no message is expected. */
  clear(): void {
    for (const { cancel } of this.#expected.values()) cancel()
    this.#expected.clear()
  }
}

const keyOf = (message: string, data: string): string => `${message} ${data}`
