import type pg from 'pg'
import { type Cancel, type Clock, delay } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
import type { Database } from './database.js'

/** Where other processes are told that there is something to read. */
const CHANNEL = 'secsctl'
/** Milliseconds between two looks without being told. */
const POLL_MS = 250
/** One notice takes a lock on the whole database server when it is committed: one in this time, in milliseconds. */
const NOTICE_MS = 100

/** Tells the processes that work on one database that one of them has written. */
export class Changes {
  /** There may be something to read. */
  readonly noticed = new Signal<void>()
  readonly #ending = new AbortController()
  #listener: pg.Client | undefined
  #cancelPoll: Cancel = () => {}
  #cancelNotice: Cancel | undefined
  #notifiedAt = Number.NEGATIVE_INFINITY

  constructor(
    readonly database: Database,
    readonly clock: Clock,
  ) {
    this.#poll()
    void this.#listen()
  }

  /** Others should read soon. */
  notify(): void {
    if (this.#cancelNotice || this.#ending.signal.aborted) return
    const { clock } = this
    const at = Math.max(clock.now(), this.#notifiedAt + NOTICE_MS)
    this.#cancelNotice = clock.at(at, () => {
      this.#cancelNotice = undefined
      this.#notifiedAt = clock.now()
      this.database.query(`NOTIFY ${CHANNEL}`).catch(() => {})
    })
  }

  async close(): Promise<void> {
    this.#ending.abort()
    this.#cancelPoll()
    this.#cancelNotice?.()
    await this.#listener?.end().catch(() => {})
  }

  #poll(): void {
    this.#cancelPoll = this.clock.at(this.clock.now() + POLL_MS, () => {
      this.noticed.emit()
      this.#poll()
    })
  }

  async #listen(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      try {
        const listener = await this.database.connect()
        this.#listener = listener
        const ended = new Promise<void>((resolve) =>
          listener.once('end', resolve).once('error', () => resolve()),
        )
        listener.on('notification', () => this.noticed.emit())
        await listener.query(`LISTEN ${CHANNEL}`)
        if (!signal.aborted) await ended
        await listener.end().catch(() => {})
      } catch {
        // The database is away: looks go on, and so do attempts.
      }
      await delay(this.clock, POLL_MS, signal)
    }
  }
}
