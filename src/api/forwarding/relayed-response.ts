import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Ending } from './ending.js'

/** How the response to a caller ended: it was sent, the caller has left, or the other daemon did not send all of it. */
export type Relayed = 'answered' | 'left' | 'lost'

interface RelayOptions {
  /** The response to the caller. */
  readonly to: ServerResponse
  /** Writes the header of the response. */
  readonly begin: (status: number, headers: IncomingHttpHeaders) => void
  readonly ending: Ending
}

/**
 * Sends the response of another daemon to the caller as it comes. Without a stream between them, a short response
 * leaves in one piece with its header.
 */
export class RelayedResponse implements Dispatcher.DispatchHandler {
  /** Rejects where the other daemon has not begun to respond. */
  readonly ended: Promise<Relayed>
  #fail: (error: Error) => void = () => {}
  #hasBegun = false
  #isLost = false

  constructor(private readonly options: RelayOptions) {
    const { to } = options
    this.ended = new Promise((resolve, reject) => {
      this.#fail = reject
      to.once('close', () => {
        if (this.#hasBegun) resolve(to.writableFinished ? 'answered' : this.#isLost ? 'lost' : 'left')
      })
    })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.options.ending.on((error) => controller.abort(error))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.#hasBegun = true
    this.options.begin(status, headers)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { to } = this.options
    if (to.destroyed || to.write(chunk)) return
    controller.pause()
    to.once('drain', () => controller.resume())
  }

  onResponseEnd(): void {
    this.options.to.end()
  }

  onResponseError(_: unknown, error: Error): void {
    if (!this.#hasBegun) return this.#fail(error)
    const { to } = this.options
    // The exchange is ended, too, when the caller leaves.
    this.#isLost = !to.closed
    to.destroy()
  }
}
