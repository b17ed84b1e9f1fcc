import type { Cancel, Clock } from '../../kit/clock.js'
import type { SinkRecord } from './sink-record.js'

/** Milliseconds after which a record that could not be stored is stored again. */
const AGAIN_AFTER_MS = 1000

/** Stores the record of a sink now and then: after a crash, what was delivered since is delivered again. */
export class StoredPosition {
  #stored: SinkRecord
  #storing: Promise<void> = Promise.resolve()
  #closed = false
  #due: { readonly time: number; readonly cancel: Cancel } | undefined

  constructor(
    private readonly parts: { readonly clock: Clock; readonly store: (record: SinkRecord) => Promise<void> },
    private readonly current: () => SinkRecord,
  ) {
    this.#stored = current()
  }

  /** Stores it within so many milliseconds, or earlier where that was asked for; not once it is closed. */
  storeWithin(ms: number): void {
    if (this.#closed) return
    const { clock } = this.parts
    const time = clock.now() + ms
    if (this.#due && this.#due.time <= time) return
    this.#due?.cancel()
    const cancel = clock.at(time, () => {
      this.#due = undefined
      // A failure of the store ends the gateway, or passes.
      this.store().catch(() => this.storeWithin(AGAIN_AFTER_MS))
    })
    this.#due = { time, cancel }
  }

  store(): Promise<void> {
    return this.storeChange((record) => record)
  }

  /** Stores the record with a change. One write at a time, so that no older record replaces a newer one. */
  storeChange(change: (record: SinkRecord) => SinkRecord): Promise<void> {
    const write = async (): Promise<void> => {
      const record = change(this.current())
      if (record === this.#stored) return
      await this.parts.store(record)
      this.#stored = record
    }
    this.#storing = this.#storing.then(write, write)
    return this.#storing
  }

  /** Stores it a last time. Where the store has failed, the last messages are sent again. */
  async close(): Promise<void> {
    this.#closed = true
    this.#due?.cancel()
    await this.store().catch(() => {})
  }
}
