import type { HsmsDriver } from '../../hsms/driver.js'

/**
 * Messages that may be on their way to the disk: of one equipment that is alone there, and of several together.
 * Whoever sends a message waits for those before it, 0.1 ms each.
 */
const MAX_MESSAGES_ALONE = 256
const MAX_MESSAGES = 128
/** Bytes of all equipment together. */
const MAX_BYTES = 16 * 1024 * 1024
/** What one equipment may have at least, however many others have something there, and at most. */
const MIN_MESSAGES = 4
const MIN_BYTES = 64 * 1024
const MAX_BYTES_OF_ONE = 4 * 1024 * 1024
/** What an entry costs beside its body. */
const ENTRY_BYTES = 256

/** The room on the way to the disk, shared equally by all equipment that has something there. */
export class IntakeBudget {
  #busy = 0

  begin(): void {
    this.#busy += 1
  }

  end(): void {
    this.#busy -= 1
  }

  /** How much one of those who share it may have. */
  get messages(): number {
    if (this.#busy <= 1) return MAX_MESSAGES_ALONE
    return Math.max(MIN_MESSAGES, Math.floor(MAX_MESSAGES / this.#busy))
  }

  get bytes(): number {
    return Math.min(MAX_BYTES_OF_ONE, Math.max(MIN_BYTES, Math.floor(MAX_BYTES / this.#busy)))
  }
}

/**
 * What one equipment has sent, or was answered, and is not on disk yet. When it has its share there, its socket is
 * not read, until half of that has been written.
 */
export class Intake {
  #messages = 0
  #bytes = 0
  #isPaused = false

  constructor(
    readonly driver: Pick<HsmsDriver, 'pause' | 'resume'>,
    readonly budget: IntakeBudget,
  ) {}

  /** A message with a body of so many bytes is on its way until `recorded` is settled. */
  hold(bodyBytes: number, recorded: Promise<unknown>): void {
    if (this.#messages === 0) this.budget.begin()
    this.#add(1, bodyBytes + ENTRY_BYTES)
    if (!this.#isPaused && this.#fills(1)) {
      this.#isPaused = true
      this.driver.pause()
    }
    const release = (): void => {
      this.#add(-1, -bodyBytes - ENTRY_BYTES)
      const isAbove = this.#fills(0.5)
      if (this.#messages === 0) this.budget.end()
      if (!this.#isPaused || isAbove) return
      this.#isPaused = false
      this.driver.resume()
    }
    recorded.then(release, release)
  }

  #add(messages: number, bytes: number): void {
    this.#messages += messages
    this.#bytes += bytes
  }

  /** Whether this part of its share is taken. */
  #fills(part: number): boolean {
    const { messages, bytes } = this.budget
    return this.#messages > messages * part || this.#bytes > bytes * part
  }
}
