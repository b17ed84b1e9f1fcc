import { Fifo } from '../../kit/fifo.js'
import type { TapEvent } from '../observation.js'
import { Backlog, bytesOf } from './backlog.js'

/** An event of one tap. */
export interface Told {
  readonly id: string
  readonly event: TapEvent
}

/**
 * What all taps have to tell, bounded in bytes together. None has more than it leaves free: however much one has to
 * tell, there is room for the others. Who has something to tell does so in turn.
 */
export class ToldQueue {
  readonly #backlogs = new Map<string, Backlog>()
  /** Those that may have something to tell, each once. */
  readonly #turns = new Fifo<string>()
  readonly #inTurn = new Set<string>()
  #bytes = 0

  constructor(readonly limit: number) {}

  get bytes(): number {
    return this.#bytes
  }

  push({ id, event }: Told): void {
    this.#with(id, (backlog) => {
      if (backlog.bytes + bytesOf(event) > this.limit - this.#bytes) backlog.drop(event)
      else backlog.add(event)
    })
  }

  /** What is told next; undefined where nothing can be. */
  next(): Told | undefined {
    for (let id = this.#turns.take(); id !== undefined; id = this.#turns.take()) {
      this.#inTurn.delete(id)
      const event = this.#with(id, (backlog) => (backlog.isReady ? backlog.next() : undefined))
      if (event) return { id, event }
    }
    return undefined
  }

  /** A daemon runs this tap: it is told how it stands, then what has happened since. */
  begin(id: string): void {
    this.#with(id, (backlog) => backlog.begin())
  }

  /** The daemon looks at this tap no more: what has happened since waits for the next one. */
  leave(id: string): void {
    if (this.#backlogs.has(id)) this.#with(id, (backlog) => backlog.leave())
  }

  /** The last of a tap that has ended. */
  finish(id: string): readonly TapEvent[] {
    return this.#backlogs.has(id) ? this.#with(id, (backlog) => [...backlog.finish()]) : []
  }

  /** So many observations of a tap were recorded, the oldest first. */
  recorded(id: string, count: number): void {
    if (this.#backlogs.has(id)) this.#with(id, (backlog) => backlog.recorded(count))
  }

  /** The daemon has ended: what it was told and has not recorded is a gap for the next one. */
  end(): void {
    for (const id of this.#backlogs.keys()) this.#with(id, (backlog) => backlog.end())
  }

  /** A tap runs no more. */
  forget(id: string): void {
    this.#bytes -= this.#backlogs.get(id)?.bytes ?? 0
    this.#backlogs.delete(id)
  }

  #with<T>(id: string, work: (backlog: Backlog) => T): T {
    const backlog = this.#backlogs.get(id) ?? new Backlog()
    this.#backlogs.set(id, backlog)
    const before = backlog.bytes
    const result = work(backlog)
    this.#bytes += backlog.bytes - before
    if (backlog.isReady && !this.#inTurn.has(id)) {
      this.#inTurn.add(id)
      this.#turns.add(id)
    }
    return result
  }
}
