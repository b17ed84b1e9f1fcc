import { connect, type Socket } from 'node:net'
import type { Cancel, Clock } from '../../kit/clock.js'

/** How long the connection to the target may take, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000
/** How long the rest may take once one side has ended, in milliseconds. */
const LINGER_MS = 30_000
/** From the last byte to the first probe whether the other end is still there, in milliseconds. */
const KEEP_ALIVE_MS = 10_000

export interface RelayTarget {
  readonly host: string
  readonly port: number
  /** Sent before the bytes of the connection. */
  readonly header: Uint8Array
}

/** A connection that somebody else serves: its bytes are forwarded both ways, as fast as they are read. */
export class Relay {
  readonly #target: Socket
  #cancel: Cancel
  /** Resolves when both connections are closed: false when the target was not reached. */
  readonly ended: Promise<boolean>

  constructor(
    readonly socket: Socket,
    { host, port, header }: RelayTarget,
    readonly clock: Clock,
  ) {
    const keepAlive = { keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }
    const target = connect({ host, port, noDelay: true, allowHalfOpen: true, ...keepAlive })
    this.#target = target
    this.#cancel = this.#endAfter(CONNECT_TIMEOUT_MS)
    let isReached = false
    target.on('error', () => {}) // 'close' follows
    target.once('connect', () => {
      isReached = true
      this.#cancel()
      socket.allowHalfOpen = true
      target.write(header)
      socket.pipe(target).pipe(socket)
      for (const end of [socket, target]) end.once('end', () => this.#linger())
    })
    this.ended = Promise.all([this.#closed(socket, target), this.#closed(target, socket)]).then(() => {
      this.#cancel()
      return isReached
    })
  }

  /** Closes both connections at once. */
  end(): void {
    this.socket.destroy()
    this.#target.destroy()
  }

  /** Resolves when `one` is closed; `other` is closed then, too, once it has sent what it was given. */
  #closed(one: Socket, other: Socket): Promise<void> {
    return new Promise((resolve) => {
      one.once('close', (hadError) => {
        resolve()
        if (hadError || other.connecting) other.destroy()
        else other.destroySoon()
        this.#linger()
      })
    })
  }

  #linger(): void {
    this.#cancel()
    this.#cancel = this.#endAfter(LINGER_MS)
  }

  #endAfter(ms: number): Cancel {
    return this.clock.at(this.clock.now() + ms, () => this.end())
  }
}
