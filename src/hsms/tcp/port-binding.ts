import type { ListenError, Listeners, Place, Seat } from './listener.js'

/** A passive entity's part of a port: it joins and leaves the listener many times, one step at a time. */
export class PortBinding {
  #seat: Promise<Seat> | undefined
  /** Resolves when the previous connection has lost its place. */
  #left: Promise<void> = Promise.resolve()
  /** The port that is bound; undefined while none is. */
  port: number | undefined

  constructor(readonly listeners: Listeners) {}

  /** Of `bound` and `refused` one is called, unless the seat is left before. */
  take(place: Place, bound: () => void, refused: (error: ListenError) => void): void {
    const seat = this.#left.then(() => this.listeners.join(place))
    this.#seat = seat
    seat.then(
      ({ port }) => {
        if (seat !== this.#seat) return
        this.port = port
        bound()
      },
      (error: ListenError) => {
        if (seat !== this.#seat) return
        this.#seat = undefined
        refused(error)
      },
    )
  }

  /** Resolves when the seat is given up. */
  leave(): Promise<void> {
    const seat = this.#seat
    this.#seat = undefined
    this.port = undefined
    if (seat) {
      this.#left = seat.then(
        ({ leave }) => leave(),
        () => {}, // never bound
      )
    }
    return this.#left
  }
}
